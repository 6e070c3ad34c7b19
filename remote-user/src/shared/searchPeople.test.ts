import { businessUser } from '@dmp/contract'
import { aUser } from '@dmp/contract/examples'
import { call, session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { searchPeople } from './searchPeople.ts'

it('finds people with role and organization', async () => {
  const { apiRoot } = placeSettings()
  signInAs('super_admin')
  const row = aUser()
  const { made } = serve([answer(businessUser.list, { rows: [row], total: 1 })], apiRoot)
  const found = await searchPeople({ term: 'what is typed', limit: 25, user: session.get().user!, ask: call })
  expect(made.map(({ input }) => input)).toEqual([
    expect.objectContaining({ search: 'what is typed', page: '1', pageSize: '25' }),
  ])
  expect(found).toEqual([
    {
      to: `/user/detail/${row.id}`,
      text: 'Ms Ada Berg',
      note: 'staff@example.org · Staff · North-Clinic',
      when: '2026-01-15',
    },
  ])
})
