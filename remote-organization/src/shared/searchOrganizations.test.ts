import { organization } from '@dmp/contract'
import { anOrganization } from '@dmp/contract/examples'
import { call, session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { searchOrganizations } from './searchOrganizations.ts'

it('finds organizations with their status', async () => {
  const { apiRoot } = placeSettings()
  signInAs('super_admin')
  const row = anOrganization()
  const { made } = serve([answer(organization.list, { rows: [row], total: 1 })], apiRoot)
  const found = await searchOrganizations({ term: 'what is typed', limit: 25, user: session.get().user!, ask: call })
  expect(made.map(({ input }) => input)).toEqual([
    expect.objectContaining({ search: 'what is typed', page: '1', pageSize: '25' }),
  ])
  expect(found).toEqual([
    { to: `/organization/detail/${row.id}`, text: row.name, note: 'Activated', when: '2025-11-03' },
  ])
})
