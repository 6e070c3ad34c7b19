import { randomUUID } from 'node:crypto'
import type { Locker } from '@tus/server'
import { northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { listExpired, renewLease, takeLease } from './upload.repository.ts'
import { lockBetweenServers, UploadLeases } from './uploadLeases.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** An upload that another server writes to for so long. */
async function addHeld(seconds: number): Promise<string> {
  const id = randomUUID()
  await sql`insert into uploads (id, organization_id, user_id, promised_bytes, is_begun, holder, held_until)
    select ${id}, ${northClinic.id}, 'a machine', 10, true, ${randomUUID()},
      now() + make_interval(secs => ${seconds})`.execute(server.deps.db)
  return id
}
const createLeases = () => {
  const publish = jest.fn()
  return { publish, leases: new UploadLeases(server.deps.db, { publish, subscribe: () => () => undefined }) }
}
const nobody = () => undefined

it('asks who writes to an upload to let go each second, and no oftener [P92]', async () => {
  const { publish, leases } = createLeases()
  const id = await addHeld(2.5)
  await leases.take(id, undefined, nobody)
  expect(publish.mock.calls.length).toBeGreaterThan(1)
  expect(publish.mock.calls.length).toBeLessThanOrEqual(4)
  await leases.giveBack(id)
})

it('gives the lock of this server back where another one does not let go [P92]', async () => {
  const { leases } = createLeases()
  const locked = new Set<string>()
  const local: Locker = {
    newLock: (id) => ({
      lock: async () => void locked.add(id),
      unlock: async () => void locked.delete(id),
    }),
  }
  const id = await addHeld(60)
  const lock = lockBetweenServers(local, leases).newLock(id)
  await expect(lock.lock(AbortSignal.abort(), nobody)).rejects.toMatchObject({ status_code: 500 })
  expect(locked.size).toBe(0)
})

it('wants nothing of whoever takes over what a dead server held, however many had waited for that [P92]', async () => {
  const { db } = server.deps
  const id = await addHeld(60)
  const next = { id, holder: randomUUID(), seconds: 60 }
  expect(await takeLease(db, next)).toBe('held')
  // Its holder never answered.
  await sql`update uploads set held_until = now() - interval '1 second' where id = ${id}`.execute(db)
  expect(await takeLease(db, next)).toBe('taken')
  expect(await renewLease(db, next)).toBe(false)
  expect(await takeLease(db, { ...next, holder: randomUUID() })).toBe('held')
  expect(await renewLease(db, next)).toBe(true)
})

it('keeps what became of an upload for a day from its end, however long it took [P92]', async () => {
  const [slow, old] = [await addHeld(0), await addHeld(0)]
  for (const [id, hours] of [
    [slow, 1],
    [old, 25],
  ] as const)
    await sql`update uploads set created_date = now() - interval '50 hours', outcome = '{}',
      finished_date = now() - make_interval(hours => ${hours}) where id = ${id}`.execute(server.deps.db)
  const expired = await listExpired(server.deps.db)
  expect([expired.includes(slow), expired.includes(old)]).toEqual([false, true])
})
