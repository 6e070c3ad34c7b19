import { organization } from '@dmp/contract'
import { anOrganization } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

describe('organization list', () => {
  it('shows status and name and opens the detail [2.13, 2.51]', async () => {
    const item = anOrganization()
    const { user, path } = renderScreen(<App notFound={null} />, {
      at: '/organization',
      as: 'sys_admin',
      answers: [
        answer(organization.list, { rows: [item], total: 1 }),
        answer(organization.get, item),
        answer(organization.datastoreExists, { organizationExists: true }),
      ],
    })
    const table = await screen.findByRole('table', { name: 'Organizations' })
    expect(await within(table).findByText('North-Clinic')).toBeInTheDocument()
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((header) => header.textContent),
    ).toEqual(['Status', 'Name'])
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent(/List$/)
    await user.click(within(table).getByText('North-Clinic'))
    expect(path()).toBe(`/organization/detail/${item.id}`)
  })
})

it('leaves an address that it does not know to the not-found page [2.37]', async () => {
  renderScreen(<App notFound={<p>nothing there</p>} />, { at: '/organization/bogus', as: 'super_admin' })
  expect(await screen.findByText('nothing there')).toBeVisible()
})
