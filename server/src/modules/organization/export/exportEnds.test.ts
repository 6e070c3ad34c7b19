import { get as httpGet } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { businessUser, organization } from '@dmp/contract'
import { southClinic } from '@dmp/contract/examples'
import { dicomFile, slice, text, u16 } from '../../../dicom/testing/dicomFile.ts'
import { keyIdOf } from '../../../outside/encryption/dataKey.ts'
import { createTestMasterKey } from '../../../testing/objects.ts'
import { stow } from '../../../testing/stow.ts'
import { unzip } from '../../scan/download/downloadInTests.ts'
import { runExport } from './exportJob.ts'
import {
  addressOf,
  admin,
  exported,
  get,
  northId,
  objects,
  password,
  root,
  server,
  settled,
  startWithScans,
} from './exportInTests.ts'
import { setLimits } from './planSets.ts'

/** With encryption at rest, on objects in the data folder. */
let origin: string
beforeAll(async () => {
  await startWithScans({ DMP_ENCRYPTION_KEY: createTestMasterKey() })
  origin = await server.listen()
})
afterAll(() => server.close())
afterEach(() => {
  jest.restoreAllMocks()
  setLimits.objects = 5_000
})

/** An export that no job does, to be done by hand. */
async function waiting(): Promise<string> {
  const row = await server.deps.db
    .insertInto('organization_exports')
    .values({
      organization_id: northId,
      user_id: admin.userId,
      created_by: 'Ms North Admin',
      reason: null,
      ended_by: null,
      archive_bytes: null,
      ready_date: null,
      expires_date: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** What is done when the objects are read, the first with 1. */
function atReading(act: (count: number) => void | Promise<void>): { count: number } {
  const reads = { count: 0 }
  const read = server.deps.objects.read.bind(server.deps.objects)
  jest.spyOn(server.deps.objects, 'read').mockImplementation(async (...input) => {
    reads.count += 1
    await act(reads.count)
    return read(...input)
  })
  return reads
}

describe('an export that ends', () => {
  it('goes on behind the last whole part after a stop, and is sealed where it lies [P20, P70]', async () => {
    setLimits.objects = 3
    const id = await waiting()
    const stopping = new AbortController()
    atReading((count) => void (count === 4 && stopping.abort()))
    await expect(runExport(server.deps, { id, signal: stopping.signal })).rejects.toThrow()
    jest.restoreAllMocks()
    const again = atReading(() => undefined)
    await runExport(server.deps, { id, signal: new AbortController().signal })
    // Two of the first set were kept.
    expect(again.count).toBe(3)
    const ready = await settled()
    const reply = await get(await addressOf(ready))
    const names = [...unzip(reply.rawPayload).keys()]
    expect(names.filter((name) => name.includes('/DICOM/'))).toHaveLength(objects.length)
    expect(names.filter((name) => name.endsWith('DICOMDIR'))).toEqual(['scans-0001/DICOMDIR', 'scans-0002/DICOMDIR'])
    const pieces = await server.deps.db.selectFrom('organization_export_pieces').select(['content', 'key_id']).execute()
    for (const { content, key_id } of pieces) expect(keyIdOf(Buffer.from(content))).toBe(key_id)
    expect(pieces.length).toBeGreaterThan(10)
  })

  it('says so where an object is not what was stored, and hands out nothing [P12, P70]', async () => {
    const row = { organization_id: northId, sop_instance_uid: '1.7.1.1' }
    const set = (sha256: string) =>
      server.deps.db
        .updateTable('instances')
        .set({ sha256 })
        .where('organization_id', '=', row.organization_id)
        .where('sop_instance_uid', '=', row.sop_instance_uid)
        .execute()
    const { sha256 } = await server.deps.db
      .selectFrom('instances')
      .select('sha256')
      .where('sop_instance_uid', '=', row.sop_instance_uid)
      .executeTakeFirstOrThrow()
    await set('0'.repeat(64))
    expect(await exported()).toMatchObject({ state: 'Failed', reason: 'Damaged' })
    await set(sha256)
  })

  it('says so once objects are gone from the store, and starts anew [P70]', async () => {
    const ready = await exported()
    const url = await addressOf(ready)
    const lost = atReading(() => undefined)
    jest.spyOn(server.deps.objects, 'read').mockImplementation(async () => {
      lost.count += 1
      const { ObjectStoreError } = await import('../../../outside/objectStore.ts')
      throw new ObjectStoreError('MISSING')
    })
    await fetch(`${origin}${url}`)
      .then((response) => response.arrayBuffer())
      .catch(() => undefined)
    jest.restoreAllMocks()
    for (let state = 'Ready'; state === 'Ready'; await pause(50)) ({ state } = await settled())
    expect(await settled()).toMatchObject({ state: 'Failed', reason: 'Deleted' })
    expect((await get(url)).statusCode).toBe(404)
    expect((await exported()).state).toBe('Ready')
  })

  it('expires by itself, and nothing of it stays [P70]', async () => {
    const ready = await exported()
    const url = await addressOf(ready)
    await server.deps.db
      .updateTable('organization_exports')
      .set({ expires_date: new Date(Date.now() - 1000) })
      .where('id', '=', ready.id)
      .execute()
    expect((await get(url)).statusCode).toBe(404)
    expect((await settled()).state).toBe('Expired')
  })
})

/** A slow reader: takes the head, and the rest when it is told to. It may be cut off before that. */
const openSlowly = (address: string) =>
  new Promise<() => Promise<'whole' | 'cut'>>((resolve) => {
    httpGet(address, (response) => {
      response.pause()
      const over = new Promise<'whole' | 'cut'>((done) => {
        response.on('error', () => undefined)
        response.once('close', () => done(response.complete ? 'whole' : 'cut'))
      })
      resolve(() => {
        response.resume()
        return over
      })
    })
  })

describe('the right to an export', () => {
  it('is asked for all the time: who loses it gets no further byte and no archive [P11, P70]', async () => {
    const side = 2560
    const heavy = dicomFile({
      elements: slice({
        '00080018': text('UI', '1.7.9.1'),
        '0020000D': text('UI', '1.7.9'),
        '0020000E': text('UI', '1.7.9.9'),
        '00280010': u16(side),
        '00280011': u16(side),
        '7FE00010': { vr: 'OW', value: Buffer.alloc(side * side * 2) },
      }),
    })
    expect((await stow(server, admin, [heavy])).statusCode).toBe(200)
    const ready = await exported()
    const ended = await openSlowly(`${origin}${await addressOf(ready)}`)
    await admin.call(organization.endExport, { id: northId, exportId: ready.id })
    expect(await ended()).toBe('cut')
    const url = await addressOf(await exported())
    const lost = await openSlowly(`${origin}${url}`)
    const { promise: reading, resolve: isReading } = Promise.withResolvers<void>()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    atReading(() => {
      isReading()
      return held
    })
    try {
      expect((await admin.call(organization.startExport, { id: northId, password })).status).toBe(200)
      await reading
      expect((await root.call(businessUser.deactivateUser, { id: admin.userId })).status).toBe(200)
      expect(await lost()).toBe('cut')
      expect((await get(url)).statusCode).toBe(404)
      expect(await settled(root)).toMatchObject({ state: 'Ended', reason: 'RightLost' })
    } finally {
      // A server that still reads does not close.
      release()
    }
  })

  const setUser = (values: {
    role?: 'staff' | 'admin'
    organization_id?: string
    status?: 'Activated' | 'Deactivated'
  }) => server.deps.db.updateTable('users').set(values).where('id', '=', admin.userId).execute()
  const setNorth = (status: 'Activated' | 'Deactivated') =>
    server.deps.db.updateTable('organizations').set({ status }).where('id', '=', northId).execute()
  const run = (id: string) => runExport(server.deps, { id, signal: new AbortController().signal })
  const stateOf = async (id: string) => {
    const row = server.deps.db.selectFrom('organization_exports').select(['state', 'reason']).where('id', '=', id)
    return Object.values(await row.executeTakeFirstOrThrow())
  }

  it.each([
    ['was deactivated', () => setUser({ status: 'Deactivated' }), () => setUser({ status: 'Activated' })],
    ['has a role without it', () => setUser({ role: 'staff' }), () => setUser({ role: 'admin' })],
    [
      'is of another organization',
      () => setUser({ organization_id: southClinic.id }),
      () => setUser({ organization_id: northId }),
    ],
    ['is of one that was deactivated', () => setNorth('Deactivated'), () => setNorth('Activated')],
  ])('is judged before anything is read: none is made for who %s [P02, P11, P70]', async (_who, change, undo) => {
    const reads = atReading(() => undefined)
    await server.deps.db.updateTable('users').set({ status: 'Activated' }).where('id', '=', admin.userId).execute()
    const id = await waiting()
    await change()
    await run(id)
    expect([await stateOf(id), reads.count]).toEqual([['Ended', 'RightLost'], 0])
    await undo()
    // It stays ended with the right given back, and the next one is made.
    await run(id)
    const next = await waiting()
    await run(next)
    expect([await stateOf(id), await stateOf(next)]).toEqual([
      ['Ended', 'RightLost'],
      ['Ready', null],
    ])
  })

  it('is none where the organization is deactivated, for the provider either [P70]', async () => {
    const ready = await exported(root)
    await setNorth('Deactivated')
    for (const reply of [
      await root.call(organization.startExport, { id: northId, password }),
      await root.call(organization.downloadExport, { id: northId, exportId: ready.id, password }),
    ])
      expect([reply.status, reply.code]).toEqual([409, 'ORGANIZATION_DEACTIVATED'])
    await setNorth('Activated')
  })
})
