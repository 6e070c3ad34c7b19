import { organization } from '@dmp/contract'
import { anAlertRules, anOrganization, aReadiness } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = anOrganization()
const answers = [
  answer(organization.get, item),
  answer(organization.datastoreExists, { organizationExists: true }),
  answer(organization.getReadiness, aReadiness()),
  answer(organization.getLogo, null),
  answer(organization.getAlertRules, anAlertRules()),
]

describe('own organization', () => {
  it('shows the detail with its name in the trail [2.27]', async () => {
    renderScreen(<App notFound={null} />, { at: '/account/organization', as: 'admin', answers })
    expect(await screen.findByRole('heading', { level: 1, name: 'North-Clinic' })).toBeInTheDocument()
    const trail = screen.getByRole('navigation', { name: 'Breadcrumb' })
    expect(within(trail).getByRole('link', { name: 'Dashboard' })).toBeInTheDocument()
    expect(within(trail).getByText('North-Clinic')).toBeInTheDocument()
  })

  it('shows what the profile knows to those who may not read organizations [2.27, 6.02]', async () => {
    const { calls } = renderScreen(<App notFound={null} />, { at: '/account/organization', as: 'staff', answers })
    expect(await screen.findByText('Organization Details')).toBeInTheDocument()
    expect(calls(organization.get)).toEqual([])
  })

  it('asks nothing of the server for those who may not rename it, and says so [2.28, 6.05]', async () => {
    const { calls } = renderScreen(<App notFound={null} />, { at: '/account/organization/edit', as: 'staff', answers })
    expect(await screen.findByText('You are not allowed to rename the organization.')).toBeInTheDocument()
    expect(screen.queryByLabelText('Name')).not.toBeInTheDocument()
    expect(calls(organization.get)).toEqual([])
  })

  it("says that the provider's own cannot be renamed, and leads back [2.28, 6.09]", async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at: '/account/organization/edit',
      as: 'super_admin',
      answers: [answer(organization.get, { ...item, id: organization.providerOrganizationId, name: 'Provider' })],
    })
    expect(await screen.findByText("The provider's own organization cannot be renamed.")).toBeInTheDocument()
    expect(screen.queryByLabelText('Name')).not.toBeInTheDocument()
    expect(calls(organization.get)).toEqual([])
    await user.click(screen.getByRole('button', { name: /^Back to / }))
    expect(path()).toBe('/account/organization')
  })

  it('renames it and comes back [2.28, 5.11, 8.09]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at: '/account/organization',
      as: 'admin',
      answers: [...answers, answer(organization.update, { ...item, name: 'North-2' })],
    })
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    expect(path()).toBe('/account/organization/edit')
    const name = await screen.findByLabelText('Name')
    expect(name).toHaveValue('North-Clinic')
    await user.clear(name)
    await user.tab()
    expect(await screen.findByText('Please enter a new organization name.')).toBeInTheDocument()
    await user.type(name, 'North Clinic')
    await user.tab()
    expect(await screen.findByText('Only alphanumericals, - and _ allowed')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    await user.clear(name)
    await user.type(name, 'North-2')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Organization has been successfully updated')).toBeInTheDocument()
    expect(path()).toBe('/account/organization')
    expect(calls(organization.update)).toEqual([
      expect.objectContaining({ id: item.id, updatedOrganizationName: 'North-2' }),
    ])
  })
})
