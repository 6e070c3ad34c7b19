import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import { createTestMasterKey, freshObjects } from '../../../testing/objects.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { removeObjects } from './objectRecovery.ts'

const object = (number: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.62.1.${number}`),
      '0020000D': text('UI', '1.62'),
      '0020000E': text('UI', '1.62.1'),
    }),
  })
const uid = (number: number): string => `1.62.1.${number}`

describe.each([
  ['a folder', 'folder', {}],
  ['a folder, encrypted', 'folder', { DMP_ENCRYPTION_KEY: createTestMasterKey() }],
  ['a bucket', 'bucket', {}],
  ['a bucket, encrypted', 'bucket', { DMP_ENCRYPTION_KEY: createTestMasterKey() }],
] as const)('objects that were lost from %s', (_name, kind, encryption) => {
  let server: TestServer
  let admin: SignedIn
  let close: () => Promise<void>
  beforeAll(async () => {
    const objects = await freshObjects(kind, false)
    server = await startServer({ ...objects.variables, ...encryption })
    close = () => objects.close()
    admin = await server.signIn('admin')
    expect((await stow(server, admin, [object(1), object(2), object(3)])).statusCode).toBe(200)
  })
  afterAll(async () => {
    await server.close()
    await close()
  })

  const keys = async (): Promise<Map<string, string>> =>
    new Map(
      (await server.deps.db.selectFrom('instances').select(['sop_instance_uid', 'object_key']).execute()).map((row) => [
        row.sop_instance_uid,
        row.object_key,
      ]),
    )
  const read = (number: number) =>
    server.app.inject({
      url: `/dicom-web/studies/1.62/series/1.62.1/instances/${uid(number)}`,
      headers: { ...admin.headers, accept: 'application/dicom' },
    })

  it('are there again when they are sent again, beside known and new ones [P20]', async () => {
    const before = await keys()
    const lostKey = before.get(uid(1)) ?? ''
    await server.deps.objects.remove([lostKey])
    expect((await read(1)).statusCode).toBe(404)
    expect((await stow(server, admin, [object(1), object(2), object(4), object(1)])).statusCode).toBe(200)
    const after = await keys()
    expect([after.get(uid(1)) === lostKey, after.get(uid(2))]).toEqual([false, before.get(uid(2))])
    for (const number of [1, 2, 3, 4]) expect((await read(number)).rawPayload.equals(object(number))).toBe(true)
    const totals = await server.deps.db
      .selectFrom('scan_totals')
      .select('instances')
      .where('instances', '>', 0)
      .execute()
    expect(totals.map(({ instances }) => Number(instances))).toContain(4)
    // The removal of what may be left of the lost one takes nothing away.
    await removeObjects(server.deps.db, server.deps.objects)
    expect((await read(1)).rawPayload.equals(object(1))).toBe(true)
  })

  it('stay there when the rows of new ones beside them cannot be written [P20, P21]', async () => {
    await server.deps.objects.remove([(await keys()).get(uid(3)) ?? ''])
    const { write } = server.deps
    const failing = jest
      .spyOn(server.deps, 'write')
      .mockImplementationOnce(write)
      .mockRejectedValueOnce(new Error('the database is away'))
    expect((await stow(server, admin, [object(3), object(5)])).statusCode).toBe(500)
    failing.mockRestore()
    expect((await read(3)).rawPayload.equals(object(3))).toBe(true)
    expect(await server.deps.objects.recover(async () => new Set(), 0)).toEqual({ kept: 0, discarded: 0 })
  })

  it('are not said to be stored while the store does not answer', async () => {
    const away = jest.spyOn(server.deps.objects, 'holds').mockRejectedValueOnce(new ObjectStoreError('UNAVAILABLE'))
    expect((await stow(server, admin, [object(2)])).statusCode).toBe(503)
    away.mockRestore()
    expect(await server.deps.objects.recover(async () => new Set(), 0)).toEqual({ kept: 0, discarded: 0 })
  })
})

describe('half an object in the folder', () => {
  it('is replaced by the whole one, and removed', async () => {
    const server = await startServer({ ...(await freshObjects('folder', false)).variables })
    try {
      const admin = await server.signIn('admin')
      await stow(server, admin, [object(1)])
      const find = async () =>
        (await server.deps.db.selectFrom('instances').select('object_key').executeTakeFirstOrThrow()).object_key
      const path = (key: string) => join(server.deps.settings.dataDir, 'objects', key)
      const halfKey = await find()
      truncateSync(path(halfKey), 100)
      expect((await stow(server, admin, [object(1)])).statusCode).toBe(200)
      await removeObjects(server.deps.db, server.deps.objects)
      expect(existsSync(path(halfKey))).toBe(false)
      expect(readFileSync(path(await find())).equals(object(1))).toBe(true)
    } finally {
      await server.close()
    }
  })
})
