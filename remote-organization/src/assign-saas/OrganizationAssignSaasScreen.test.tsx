import { organization } from '@dmp/contract'
import { anAlertRules, aLicense, anId, anOrganization, aReadiness } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { addData, answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { App } from '../App.tsx'
import { LicenseForm } from './LicenseForm.tsx'

const licenses = [
  aLicense({ licenseId: anId(1), saas: 'Autometrics', isActive: true }),
  aLicense({ licenseId: anId(2), saas: 'BMD', isActive: false }),
  aLicense({ licenseId: anId(3), saas: 'BMD' }),
  aLicense({ licenseId: anId(4), saas: 'PeekMed', isActive: false, isAutomaticAnalysis: false }),
]
// Of those that there are, BMD is assigned no longer and PeekMed never was.
const item = anOrganization({ licenses: licenses.slice(0, 2) })
const at = `/organization/assign-saas/${item.id}`
const answers = [
  answer(organization.get, item),
  answer(organization.listLicenses, licenses),
  answer(organization.datastoreExists, { organizationExists: true }),
  answer(organization.getReadiness, aReadiness()),
  answer(organization.getLogo, null),
  answer(organization.getAlertRules, anAlertRules()),
]

describe('assign SaaS', () => {
  it("says that the provider's own needs no licenses, and offers no form that could only fail [6.09]", async () => {
    const id = organization.providerOrganizationId
    const { calls } = renderScreen(<App notFound={null} />, {
      at: `/organization/assign-saas/${id}`,
      as: 'super_admin',
      answers: [answer(organization.get, { ...item, id, name: 'Provider' })],
    })
    expect(await screen.findByText("The provider's own organization needs no licenses.")).toBeInTheDocument()
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument()
    expect(calls(organization.listLicenses)).toEqual([])
  })

  it('saves both flags of each SaaS together, one license per SaaS [2.16, 2.54, 3.08, 4.06, 5.18, 8.09]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [...answers, answer(organization.assignLicenses, item)],
    })
    const save = await screen.findByRole('button', { name: 'Save' })
    expect(save).toBeDisabled()
    expect(save).toHaveAccessibleDescription('Nothing has changed yet.')
    expect(screen.getByRole('checkbox', { name: 'Active Autometrics' })).toBeChecked()
    await user.click(screen.getByRole('checkbox', { name: 'Active BMD' }))
    expect(save).not.toHaveAccessibleDescription()
    await user.click(screen.getByRole('checkbox', { name: 'Automatic Analysis Autometrics' }))
    await user.click(save)
    expect(await screen.findByText('License/s have been successfully assigned')).toBeInTheDocument()
    expect(calls(organization.assignLicenses)[0]?.licenses).toEqual([
      { licenseId: anId(1), isActive: true, isAutomaticAnalysis: true },
      { licenseId: anId(2), isActive: true, isAutomaticAnalysis: false },
      { licenseId: anId(4), isActive: false, isAutomaticAnalysis: false },
    ])
    expect(path()).toBe(`/organization/detail/${item.id}`)
  })

  it('begins with what was saved when somebody comes back at once [4.06]', async () => {
    const saved = item.licenses.map((license) =>
      license.licenseId === anId(2) ? { ...license, isActive: true } : license,
    )
    const { user } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [...answers, answer(organization.assignLicenses, { ...item, licenses: saved })],
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Active BMD' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'Assign SaaS' }))
    expect(await screen.findByRole('checkbox', { name: 'Active BMD' })).toBeChecked()
    await user.click(screen.getByRole('checkbox', { name: 'Active BMD' }))
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
  })

  it('goes back on Cancel when nothing changed [2.54]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, { at, as: 'super_admin', answers })
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(path()).toBe(`/organization/detail/${item.id}`)
    expect(calls(organization.assignLicenses)).toEqual([])
  })

  it('keeps the ticks and says why when saving is refused [8.03]', async () => {
    const { user } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        ...answers,
        answer(
          organization.assignLicenses,
          new CallError(409, 'CHANGED_MEANWHILE', 'Somebody changed this meanwhile.'),
        ),
      ],
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Active BMD' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Somebody changed this meanwhile.')
    expect(screen.getByRole('checkbox', { name: 'Active BMD' })).toBeChecked()
  })

  it('shows licenses that are read anew while it is open, and does not offer to take them back [2.54]', async () => {
    const license = aLicense({ licenseId: anId(2), saas: 'BMD', isActive: false })
    function ReadAnew() {
      const [isActive, setActive] = useState(false)
      return (
        <>
          <button onClick={() => setActive(true)}>Read anew</button>
          <LicenseForm
            id={item.id}
            name={item.name}
            updatedDate={item.updatedDate}
            licenses={[{ ...license, isActive }]}
          />
        </>
      )
    }
    const { user } = renderScreen(<ReadAnew />, { at, as: 'super_admin', answers })
    addData(item.name)
    await user.click(await screen.findByRole('button', { name: 'Read anew' }))
    expect(screen.getByRole('checkbox', { name: 'Active BMD' })).toBeChecked()
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  })
})
