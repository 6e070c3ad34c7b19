import { randomUUID } from 'node:crypto'
import type { Locker } from '@tus/server'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { startServer, type TestServer } from '../../../testing/server.ts'
import type { UploadRooms } from '../unfinishedUploads.ts'
import { SharedRooms } from './sharedRooms.ts'
import {
  addPiece,
  findUpload,
  finishUpload,
  giveLeaseBack,
  listExpired,
  listFinished,
  listPieces,
  removeUpload,
  renewLease,
  takeLease,
  type UploadPiece,
} from './upload.repository.ts'
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

it('lets one server write to an upload at a time, each piece once, and touches no other upload [P02, P92]', async () => {
  const { db } = server.deps
  const [id, other] = [await addHeld(0), await addHeld(60)]
  const [own, dead] = [randomUUID(), randomUUID()]
  const newPiece = (start: number, bytes: number) => ({ start, bytes, key: `uploads/${randomUUID()}` })
  const [first, short, whole] = [newPiece(0, 4), newPiece(4, 3), newPiece(4, 6)]
  const add = (holder: string, piece: UploadPiece, replaced?: UploadPiece) =>
    addPiece(db, { id, holder, piece, replaced })
  const stateOf = async (upload: string) => {
    const row = await findUpload(db, upload)
    return [row?.arrived, row?.outcome, (await listPieces(db, upload)).map(({ start, bytes }) => [start, bytes])]
  }
  expect(await takeLease(db, { id, holder: own, seconds: 60 })).toBe('taken')
  expect(await takeLease(db, { id: other, holder: own, seconds: 60 })).toBe('held')
  await sql`update uploads set held_until = now() - interval '1 second' where id = ${other}`.execute(db)
  expect(await takeLease(db, { id: other, holder: own, seconds: 60 })).toBe('taken')
  const renewals = [own, dead].map((holder) => renewLease(db, { id, holder, seconds: 60 }))
  expect(await Promise.all(renewals)).toEqual([false, undefined])
  await giveLeaseBack(db, id, dead)
  expect([await add(dead, first), await add(own, first), await add(own, newPiece(0, 4))]).toEqual([false, true, false])
  expect([await add(own, short), await add(own, whole, short)]).toEqual([true, true])

  expect(await addPiece(db, { id: other, holder: own, piece: newPiece(0, 9), replaced: undefined })).toBe(true)
  const pieces = [
    [0, 4],
    [4, 6],
  ]
  expect([await stateOf(id), await stateOf(other)]).toEqual([
    [10, null, pieces],
    [9, null, [[0, 9]]],
  ])
  expect((await finishUpload(db, id, 'the first')).toSorted()).toEqual([first.key, whole.key].toSorted())
  expect(await finishUpload(db, id, 'the second')).toEqual([])
  expect((await listFinished(db)).map((row) => [row.id, row.owner.organizationId])).toContainEqual([id, northClinic.id])
  expect((await listFinished(db)).map((row) => row.id)).not.toContain(other)
  expect([await stateOf(id), await stateOf(other)]).toEqual([
    [10, 'the first', []],
    [9, null, [[0, 9]]],
  ])
  await giveLeaseBack(db, id, own)
  expect(await takeLease(db, { id: other, holder: dead, seconds: 60 })).toBe('held')
  await removeUpload(db, id)
  expect([await takeLease(db, { id, holder: own, seconds: 60 }), await findUpload(db, id)]).toEqual(['none', undefined])
  expect(await stateOf(other)).toEqual([9, null, [[0, 9]]])
})

it('counts what a person has begun here and not finished, over all servers and for a day [P02, P18, P92]', async () => {
  const { db, settings } = server.deps
  const earlier = { count: () => 0, forget: nobody, refresh: async () => undefined } as unknown as UploadRooms
  const rooms = new SharedRooms(db, { ...settings, uploadsPerPerson: 2, uploadsPerOrganization: 3 }, earlier)
  const owner = { userId: randomUUID(), organizationId: southClinic.id }
  const ofOwner = async (organizationId: string, outcome: string | null, hours: number) =>
    sql`insert into uploads (id, organization_id, user_id, promised_bytes, is_begun, outcome, created_date)
      select ${randomUUID()}, ${organizationId}, ${owner.userId}, 10, true, ${outcome}::text,
        now() - make_interval(hours => ${hours})`.execute(db)
  await ofOwner(northClinic.id, null, 0)
  await ofOwner(southClinic.id, null, 25)
  const before = await rooms.count()
  await ofOwner(southClinic.id, '{}', 0)
  expect(await rooms.count()).toBe(before)
  const [first, second] = [await rooms.reserve(owner, 10), await rooms.reserve(owner, 10)]
  await expect(rooms.reserve(owner, 10)).rejects.toMatchObject({ status: 429 })
  // One of them begins, of the other nothing becomes.
  await sql`update uploads set is_begun = true where id = ${first.uploadId}`.execute(db)
  for (const { release } of [first, second]) await release()
  await rooms.reserve(owner, 10)
  await expect(rooms.reserve(owner, 10)).rejects.toMatchObject({ status: 429 })
})
