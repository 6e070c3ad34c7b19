import { organization } from '@dmp/contract'
import { anAlertRules, anOrganization, aReadiness } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const item = anOrganization()
const at = `/organization/update/${item.id}`

describe('organization rename', () => {
  it('returns to the detail on Cancel [2.15, 2.53]', async () => {
    const { user, path } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        answer(organization.get, item),
        answer(organization.datastoreExists, { organizationExists: true }),
        answer(organization.getReadiness, aReadiness()),
        answer(organization.getLogo, null),
        answer(organization.getAlertRules, anAlertRules()),
      ],
    })
    expect(await screen.findByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent(/Update$/)
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(path()).toBe(`/organization/detail/${item.id}`)
  })

  it("says that the provider's own cannot be renamed, and leads back [6.09]", async () => {
    const id = organization.providerOrganizationId
    const { user, path } = renderScreen(<App notFound={null} />, {
      at: `/organization/update/${id}`,
      as: 'super_admin',
      answers: [answer(organization.get, { ...item, id, name: 'Provider' })],
    })
    expect(await screen.findByText("The provider's own organization cannot be renamed.")).toBeInTheDocument()
    expect(screen.queryByLabelText('Name')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Back to Provider' }))
    expect(path()).toBe(`/organization/detail/${id}`)
  })

  it('renames the organization of its address and goes back to the detail [2.15, 2.53, 8.09]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        answer(organization.get, item),
        answer(organization.datastoreExists, { organizationExists: true }),
        answer(organization.getReadiness, aReadiness()),
        answer(organization.getLogo, null),
        answer(organization.getAlertRules, anAlertRules()),
        answer(organization.update, { ...item, name: 'New-Clinic' }),
      ],
    })
    const name = await screen.findByLabelText('Name')
    await user.clear(name)
    await user.type(name, 'New-Clinic')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Organization has been successfully updated')).toBeInTheDocument()
    expect(path()).toBe(`/organization/detail/${item.id}`)
    expect(calls(organization.update)).toEqual([
      { id: item.id, updatedOrganizationName: 'New-Clinic', seenUpdatedDate: item.updatedDate },
    ])
  })

  it('says at the field that the name is taken, and keeps what was typed [2.53, 8.03]', async () => {
    const taken = new CallError(
      409,
      'NAME_TAKEN',
      'An organization with this name already exists. Choose another name.',
    )
    const { user } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [answer(organization.get, item), answer(organization.update, taken)],
    })
    const name = await screen.findByLabelText('Name')
    await user.clear(name)
    await user.type(name, 'South-Clinic')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(
      await screen.findByText('An organization with this name already exists. Choose another name.'),
    ).toBeInTheDocument()
    expect(name).toHaveValue('South-Clinic')
  })
})
