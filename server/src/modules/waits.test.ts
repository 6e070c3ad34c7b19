import { complaint, registration } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { register } from './registration/registrationInTests.ts'

let server: TestServer
let staff: SignedIn
let south: SignedIn
let sys: SignedIn
beforeAll(async () => {
  server = await startServer()
  ;[staff, south, sys] = await Promise.all([
    server.signIn('staff'),
    server.signIn('admin@south.example'),
    server.signIn('sys_admin'),
  ])
})
afterAll(() => server.close())

const age = (table: string, id: string, ago: string) =>
  sql`update ${sql.table(table)} set created_date = now() - ${ago}::interval where id = ${id}`.execute(server.deps.db)
const ages = ['1 hour', '23 hours', '25 hours', '6 days', '8 days', '31 days', '400 days']
const more = { day: 2, week: 2, month: 1, longer: 2 }
const toObject = (counts: readonly { readonly wait: string; readonly count: number }[]) =>
  Object.fromEntries(counts.map(({ wait, count }) => [wait, count]))
const added = (before: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(more).map(([wait, count]) => [wait, count + (before[wait] ?? 0)]))

it('counts open complaints by age, as many as the list then shows, and no other organization’s [P02, P53]', async () => {
  const [type] = complaintTypes
  const add = async (ago: string): Promise<string> => {
    const made = await staff.call(complaint.add, {
      moduleId: moduleIds.Scan,
      typeId: type?.id ?? '',
      description: 'It waits.',
    })
    await age('complaints', made.data.id, ago)
    return made.data.id
  }
  const read = async (viewer: SignedIn) => toObject((await viewer.call(complaint.countOpen, {})).data)
  const [before, ofAll, ofSouth] = [await read(staff), await read(sys), await read(south)]
  for (const ago of ages) await add(ago)
  const settled = await add('40 days')
  await sql`update complaints set status_id = (select id from complaint_statuses where name = 'Resolved')
    where id = ${settled}`.execute(server.deps.db)
  for (const [viewer, earlier] of [
    [staff, before],
    [sys, ofAll],
  ] as const) {
    const { data } = await viewer.call(complaint.countOpen, {})
    expect(toObject(data)).toEqual(added(earlier))
    for (const { wait, count } of data) {
      const listed = await viewer.call(complaint.list, { state: 'open', wait, page: 1, pageSize: 50 })
      expect(listed.data).toHaveLength(count)
    }
  }
  expect(await read(south)).toEqual(ofSouth)
})

it('counts pending registrations by age for the provider’s staff, and refuses everybody else [P02, P53]', async () => {
  const before = toObject((await sys.call(registration.countPending, {})).data)
  for (const ago of ages) await age('registrations', (await register(server, sys)).id, ago)
  const { data } = await sys.call(registration.countPending, {})
  expect(toObject(data)).toEqual(added(before))
  for (const { wait, count } of data)
    expect((await sys.call(registration.list, { status: 'New', wait, page: 1, pageSize: 50 })).data).toHaveLength(count)
  expect((await south.call(registration.countPending, {})).status).toBe(403)
})
