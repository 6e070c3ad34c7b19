import { registration } from '@dmp/contract'
import { aRegistration } from '@dmp/contract/examples'
import { call, session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { searchRegistrations } from './searchRegistrations.ts'

it('finds registrations with their status and person', async () => {
  const { apiRoot } = placeSettings()
  signInAs('super_admin')
  const row = aRegistration()
  const { made } = serve([answer(registration.list, { rows: [row], total: 1 })], apiRoot)
  const found = await searchRegistrations({ term: 'what is typed', limit: 25, user: session.get().user!, ask: call })
  expect(made.map(({ input }) => input)).toEqual([
    expect.objectContaining({ search: 'what is typed', page: '1', pageSize: '25' }),
  ])
  expect(found).toEqual([
    {
      to: `/registration/detail/${row.id}`,
      text: 'East-Clinic',
      note: 'New · Ines Vogel · ines.vogel@east.example',
      when: '2026-04-11',
    },
  ])
})
