import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../db/client.ts'
import { createWriter } from '../db/write.ts'
import { readKeys } from '../identity/keys.ts'
import { migrate } from '../db/migrate.ts'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { createObjectKey } from '../modules/scan/intake/objectKeys.ts'
import { readSettings } from '../settings/settings.ts'
import { freshObjects, type TestObjects } from '../testing/objects.ts'
import type { DataKey } from './encryption/dataKey.ts'
import { openEncryption } from './encryption/encryption.ts'
import { ObjectStoreError, type ObjectStore, type StagedObject } from './objectStore.ts'
import { openObjectStore } from './openObjectStore.ts'

/**
 * Run for each store, in the clear and encrypted: in files and segments of its folder here, in a bucket and in a DICOM
 * archive by `npm test`.
 */
let objects: TestObjects
let root: string
let store: ObjectStore
let again: () => Promise<ObjectStore>
let closeDatabase: () => Promise<void>
let dataKey: DataKey | undefined

const organizationId = '00000000-0000-4000-8000-00000000000b'
const organization = { name: 'North', region_id: null, status_by: 'System', datastore_id: null }
const object = (number: number, series = 1): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.77.${series}.${number}`),
      '0020000D': text('UI', '1.77'),
      '0020000E': text('UI', `1.77.${series}`),
      '00200013': text('IS', String(number)),
    }),
  })
const uid = (number: number, series = 1): string => `1.77.${series}.${number}`
const keyOf = (staged: StagedObject, number: number, series = 1): string =>
  createObjectKey(
    store,
    organizationId,
    { studyUID: '1.77', seriesUID: `1.77.${series}`, sopInstanceUID: uid(number, series) },
    staged,
  )

async function openStore(isEncrypted: boolean, kind?: string): Promise<void> {
  objects = await freshObjects(kind, isEncrypted)
  root = mkdtempSync(join(tmpdir(), 'dmp-stores-'))
  const database = await openDatabase({ kind: 'memory' })
  await migrate(database.db)
  await database.db
    .insertInto('organizations')
    .values({ ...organization, id: organizationId })
    .execute()
  closeDatabase = database.close
  again = async () => {
    const settings = readSettings({ DMP_DEMO: '1', DMP_DATA_DIR: root, ...objects.variables })
    const encryption = await openEncryption(
      settings,
      database.db,
      createWriter(database.db, (await readKeys(settings)).audit),
    )
    dataKey = await encryption.current(organizationId)
    return openObjectStore(settings, database.db, encryption)
  }
  store = await again()
}
async function closeStore(): Promise<void> {
  await closeDatabase()
  await objects.close()
  rmSync(root, { recursive: true, force: true })
}
const stage = (content: Buffer, maxBytes = Infinity): Promise<StagedObject> =>
  store.stage(content, { maxBytes, dataKey })

async function put(number: number, series = 1): Promise<string> {
  const staged = await stage(object(number, series))
  const key = keyOf(staged, number, series)
  await store.intend([{ staged, key }])
  await store.keep([staged])
  return key
}
async function contentOf(key: string, range?: { start: number; end: number }): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of await store.read(key, range)) all.push(chunk as Buffer)
  return Buffer.concat(all)
}
const underWay = (): string[] => {
  const folder = join(root, 'incoming')
  return existsSync(folder) ? readdirSync(folder) : []
}

describe.each([
  ['in the clear', false],
  ['encrypted', true],
  ['in segments', false, 'segments'],
  ['in segments, encrypted', true, 'segments'],
] as const)('every store of objects, %s', (_name, isEncrypted, kind?: string) => {
  beforeAll(() => openStore(isEncrypted, kind))
  afterAll(closeStore)

  it('gives back the same bytes, whole, by range and at random', async () => {
    const key = await put(1)
    const bytes = object(1)
    expect((await contentOf(key)).equals(bytes)).toBe(true)
    expect((await contentOf(key, { start: 100, end: 399 })).equals(bytes.subarray(100, 400))).toBe(true)
    const opened = await store.open(key)
    expect(opened.size).toBe(bytes.length)
    const [first, middle, last] = await Promise.all([
      opened.read(0, 132),
      opened.read(300, 50),
      opened.read(bytes.length - 5, 100),
    ])
    await opened.close()
    expect([
      first.equals(bytes.subarray(0, 132)),
      middle.equals(bytes.subarray(300, 350)),
      last.equals(bytes.subarray(-5)),
    ]).toEqual([true, true, true])
    expect(underWay()).toEqual([])
  })

  it('leaves nothing of what was staged or intended and then discarded [P12, P20]', async () => {
    const before = await objects.held(root)
    const staged = await Promise.all([2, 3].map((number) => stage(object(number))))
    await store.intend([{ staged: staged[0] as StagedObject, key: keyOf(staged[0] as StagedObject, 2) }])
    await store.discard(staged)
    expect([await objects.held(root), underWay()]).toEqual([before, []])
    expect(await store.recover(async () => new Set(), 0)).toEqual({ kept: 0, discarded: 0 })
  })

  it('after a crash keeps what has a row and discards what has none [P20]', async () => {
    const [kept, lost, nameless] = await Promise.all([4, 5, 6].map((number) => stage(object(number))))
    if (!kept || !lost || !nameless) throw new Error('Nothing was staged.')
    const [keptKey, lostKey] = [keyOf(kept, 4), keyOf(lost, 5)]
    await store.intend([
      { staged: kept, key: keptKey },
      { staged: lost, key: lostKey },
    ])
    store = await again()
    expect((await contentOf(keptKey)).equals(object(4))).toBe(true)
    const asked: string[] = []
    await store.recover(async (keys) => (asked.push(...keys), new Set([keptKey])), 0)
    expect([asked.toSorted(), underWay()]).toEqual([[keptKey, lostKey].toSorted(), []])
    expect((await contentOf(keptKey)).equals(object(4))).toBe(true)
    await expect(store.read(lostKey)).rejects.toMatchObject({ fault: 'MISSING' })
    expect(await objects.held(root)).not.toContain(uid(5))
    expect(await store.recover(async () => new Set(), 0)).toEqual({ kept: 0, discarded: 0 })
  })

  it('removes, also what is not there, and can be given the same again [P20]', async () => {
    const key = await put(7)
    await store.remove([key])
    await store.remove([key])
    await expect(store.read(key)).rejects.toMatchObject({ fault: 'MISSING' })
    await expect(store.open(key)).rejects.toMatchObject({ fault: 'MISSING' })
    expect(await objects.held(root)).not.toContain(uid(7))
    expect((await contentOf(await put(7))).equals(object(7))).toBe(true)
  })

  it('takes a group at once, and says no to what is too long', async () => {
    const group = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => ({
        staged: await stage(object(index + 1, 2)),
        number: index + 1,
      })),
    )
    const intentions = group.map(({ staged, number }) => ({ staged, key: keyOf(staged, number, 2) }))
    await store.intend(intentions)
    await store.keep(group.map(({ staged }) => staged))
    const found = await Promise.all(intentions.map(({ key }) => contentOf(key)))
    expect(found.every((bytes, index) => bytes.equals(object(index + 1, 2)))).toBe(true)
    await expect(stage(object(99), 100)).rejects.toMatchObject({ fault: 'TOO_LARGE' })
    expect(underWay()).toEqual([])
  })

  it('takes no key that leads elsewhere [P16]', async () => {
    for (const key of ['../secret', 'a/../../secret', '/etc/passwd', '', 'a\0b', 'archive/../x'])
      await expect(store.read(key)).rejects.toBeInstanceOf(ObjectStoreError)
  })
})
