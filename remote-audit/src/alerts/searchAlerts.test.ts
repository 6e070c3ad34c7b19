import { audit } from '@dmp/contract'
import { anAccessAlert } from '@dmp/contract/examples'
import { call, session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { searchAlerts } from './searchAlerts.ts'

it('finds alerts by the person, with their state and rule', async () => {
  const { apiRoot } = placeSettings()
  signInAs('admin')
  const row = anAccessAlert()
  const { made } = serve([answer(audit.listAlerts, { rows: [row], total: 1 })], apiRoot)
  const found = await searchAlerts({ term: 'what is typed', limit: 25, user: session.get().user!, ask: call })
  expect(made.map(({ input }) => input)).toEqual([
    expect.objectContaining({ search: 'what is typed', page: '1', pageSize: '25' }),
  ])
  expect(found).toEqual([
    {
      to: `/audit/alerts/${row.id}`,
      text: row.person,
      note: `Open · Many patients in a short time · ${row.organization}`,
      when: row.raisedDate.slice(0, 10),
    },
  ])
})
