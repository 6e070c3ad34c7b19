import { complaint } from '@dmp/contract'
import { aComplaintRow } from '@dmp/contract/examples'
import { call, session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { searchComplaints } from './searchComplaints.ts'

it('finds complaints by number, with their status and text', async () => {
  const { apiRoot } = placeSettings()
  signInAs('super_admin')
  const row = aComplaintRow()
  const { made } = serve([answer(complaint.list, { rows: [row], total: 1 })], apiRoot)
  const found = await searchComplaints({ term: 'what is typed', limit: 25, user: session.get().user!, ask: call })
  expect(made.map(({ input }) => input)).toEqual([
    expect.objectContaining({ search: 'what is typed', page: '1', pageSize: '25' }),
  ])
  expect(found).toEqual([
    { to: `/complaint/detail/${row.id}`, text: 'C-000010', note: `New · ${row.description}`, when: '2026-03-02' },
  ])
})
