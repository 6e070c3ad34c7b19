import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openDatabase } from '../db/client.ts'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { createObjectKey } from '../modules/scan/intake/objectKeys.ts'
import { readSettings } from '../settings/settings.ts'
import { Archive, type ArchivePlace } from './archive/archive.ts'
import type { ObjectStore, StagedObject } from './objectStore.ts'
import { archiveObjectStore } from './objectStoreArchive.ts'
import { Encryption } from './encryption/encryption.ts'
import { openObjectStore } from './openObjectStore.ts'
import { FakeArchive } from './testing/FakeArchive.ts'

/** `objectStores.test.ts` runs on a real archive. */
const fake = new FakeArchive()
let url: string
let root: string
let store: ObjectStore
const rows = new Set<string>()

const north = '00000000-0000-4000-8000-00000000000a'
const south = '00000000-0000-4000-8000-00000000000b'
const object = (name: string): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', '1.78.1.1'),
      '0020000D': text('UI', '1.78'),
      '0020000E': text('UI', '1.78.1'),
      '00100010': text('PN', name),
    }),
  })

beforeAll(async () => {
  url = await fake.listen()
})
beforeEach(() => {
  fake.reset()
  rows.clear()
  root = mkdtempSync(join(tmpdir(), 'dmp-archive-'))
  store = open()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))
afterAll(() => fake.close())

const open = (changes: Partial<ArchivePlace> = {}): ObjectStore =>
  archiveObjectStore(
    new Archive({ url, token: 'a-secret-token', deletes: 'dicomweb', ...changes }),
    root,
    async (one) => rows.has(one.sopInstanceUID),
  )
async function intend(organizationId = north, name = 'Tester'): Promise<{ staged: StagedObject; key: string }> {
  const staged = await store.stage(object(name))
  const key = createObjectKey(
    store,
    organizationId,
    { studyUID: '1.78', seriesUID: '1.78.1', sopInstanceUID: '1.78.1.1' },
    staged,
  )
  try {
    await store.intend([{ staged, key }])
  } catch (cause) {
    await store.discard([staged])
    throw cause
  }
  return { staged, key }
}
async function put(organizationId = north): Promise<string> {
  const { staged, key } = await intend(organizationId)
  rows.add('1.78.1.1')
  await store.keep([staged])
  return key
}

describe('an archive behind the product', () => {
  it('is believed only when it gives the same bytes back [P20]', async () => {
    fake.habit = 'changes'
    await expect(intend()).rejects.toMatchObject({ fault: 'CHANGED' })
    // What was put there by mistake is taken away again.
    expect([fake.held.size, readdirSync(join(root, 'incoming'))]).toEqual([0, []])
  })

  it('holds one object for two organizations, and the last of them takes it away [P02, P20]', async () => {
    const [first, second] = [await put(north), await put(south)]
    await store.remove([first])
    expect(fake.held.size).toBe(1)
    rows.clear()
    await store.remove([second])
    expect(fake.held.size).toBe(0)
  })

  it('never loses an object of which another copy is just coming [P20]', async () => {
    const first = await put(north)
    const { staged } = await intend(south)
    rows.clear()
    await store.remove([first])
    expect(fake.held.size).toBe(1)
    await store.discard([staged])
    expect(fake.held.size).toBe(0)
  })

  it('keeps what was in it before, when an upload fails, and refuses another object of the same UID [P20]', async () => {
    fake.held.set('1.78.1.1', object('Tester'))
    const { staged } = await intend()
    await store.discard([staged])
    expect(fake.held.size).toBe(1)
    await expect(intend(north, 'Somebody^Else')).rejects.toMatchObject({ fault: 'CHANGED' })
    expect(fake.held.get('1.78.1.1')?.equals(object('Tester'))).toBe(true)
  })

  it('does not pass half an object off as a whole one [P20]', async () => {
    const key = await put()
    fake.habit = 'cuts'
    await expect(store.open(key)).rejects.toMatchObject({ fault: 'UNAVAILABLE' })
  })

  it('says so when it does not delete', async () => {
    const key = await put()
    rows.clear()
    fake.habit = 'never deletes'
    await expect(store.remove([key])).rejects.toMatchObject({ fault: 'READ_ONLY' })
    expect([store.canRemove, open({ deletes: 'never' }).canRemove]).toEqual([true, false])
  })

  it('is asked to delete in its own way, or not at all', async () => {
    const instance = { organizationId: north, studyUID: '1.78', seriesUID: '1.78.1', sopInstanceUID: '1.78.1.1' }
    const key = await put()
    expect(await new Archive({ url, token: 'a-secret-token', deletes: 'never' }).remove(instance)).toBe(false)
    expect(fake.held.size).toBe(1)
    rows.clear()
    await open({ deletes: 'orthanc' }).remove([key])
    expect(fake.held.size).toBe(0)
  })

  it('gives what is read in as small portions as are asked for', async () => {
    await put()
    const stream = await new Archive({ url, token: 'a-secret-token', deletes: 'dicomweb' }).get({
      organizationId: north,
      studyUID: '1.78',
      seriesUID: '1.78.1',
      sopInstanceUID: '1.78.1.1',
    })
    await new Promise((ready) => stream?.once('readable', ready))
    expect(stream?.read(5)).toHaveLength(5)
    stream?.destroy()
  })

  it('gives out a part of an object, from wherever to wherever', async () => {
    const key = await put()
    const bytes = object('Tester')
    for (const [start, end] of [
      [0, 9],
      [100, 399],
      [400, bytes.length - 1],
      [bytes.length - 5, bytes.length - 1],
    ] as const) {
      expect([
        start,
        end,
        (await buffer(await store.read(key, { start, end }))).equals(bytes.subarray(start, end + 1)),
      ]).toEqual([start, end, true])
    }
  })

  it('keeps an object that a row names, of whichever organization, and gives up the one that no row names [P02, P20]', async () => {
    const { db, embedded, close } = await openDatabase({ kind: 'memory' })
    await embedded?.exec(
      `create table organizations (id uuid primary key); create table instances (organization_id uuid, sop_instance_uid text); insert into organizations values ('${north}'), ('${south}'); insert into instances values ('${south}', '1.78.1.1')`,
    )
    store = await openObjectStore(
      readSettings({ DMP_DEMO: '1', DMP_DATA_DIR: root, DMP_DICOMWEB_URL: url, DMP_DICOMWEB_TOKEN: 'a-secret-token' }),
      db,
      new Encryption(db, [], {} as never),
    )
    const key = await put(north)
    await store.remove([key])
    expect(fake.held.size).toBe(1)
    await embedded?.exec('delete from instances')
    await store.remove([key])
    expect(fake.held.size).toBe(0)
    await close()
  })

  it('is searched after a crash for what has no row, and copies of before are not kept [P20]', async () => {
    const copies = (): number => (existsSync(join(root, 'copies')) ? readdirSync(join(root, 'copies')).length : 0)
    const isKept = async (keys: readonly string[]) => new Set(keys.filter(() => rows.size > 0))
    const { key } = await intend()
    await store.stage(object('Nameless'))
    rows.add('1.78.1.1')
    for (const one of [store, open()]) await (await one.open(key)).close()
    expect(copies()).toBe(2)
    expect(await open().recover(isKept, 0)).toEqual({ kept: 1, discarded: 1 })
    expect([fake.held.size, copies(), readdirSync(join(root, 'incoming'))]).toEqual([1, 0, []])
    expect(await open().recover(isKept, 0)).toEqual({ kept: 0, discarded: 0 })
  })
})

describe('what an archive answers', () => {
  const archive = () => new Archive({ url, token: 'a-secret-token', deletes: 'dicomweb' })
  const one = { organizationId: north, studyUID: '1.78', seriesUID: '1.78.1', sopInstanceUID: '1.78.1.1' }

  it.each([
    [401, { message: expect.stringContaining('rejected the credentials (401)') }],
    [403, { message: expect.stringContaining('rejected the credentials (403)') }],
    [418, { message: expect.stringContaining('responded with 418. Correct DMP_DICOMWEB_URL.') }],
    [507, { fault: 'FULL' }],
  ])('ends the work at once when it is %d, and says why [P21]', async (status, cause) => {
    fake.says = [status]
    await expect(archive().check()).rejects.toMatchObject(cause)
    expect(fake.asked).toBe(1)
  })

  it('is waited for when it is busy or broken, four times [P21]', async () => {
    fake.says = [429, 500]
    await archive().check()
    expect(fake.asked).toBe(3)
    fake.says = [503, 503, 503, 503]
    await expect(archive().check()).rejects.toMatchObject({ fault: 'UNAVAILABLE' })
    expect(fake.asked).toBe(7)
  })

  it('is waited for 8 s, until the answer begins [P21]', async () => {
    const clock = jest.spyOn(globalThis, 'setTimeout')
    await archive().check()
    expect(clock.mock.calls.filter(([, ms]) => ms === 8000)).toHaveLength(1)
    clock.mockRestore()
  })

  it('is for those whom it knows: by a token, or by user and password, or by nothing [P23]', async () => {
    const ask = async (more: Partial<ArchivePlace>) => {
      await new Archive({ url, deletes: 'dicomweb', ...more }).check().catch(() => undefined)
      return fake.authorization
    }
    expect([
      await ask({ user: 'dmp', password: 'a-secret' }),
      await ask({ user: 'dmp' }),
      await ask({ token: 'x', user: 'dmp' }),
      await ask({}),
    ]).toEqual([fake.basic, `Basic ${Buffer.from('dmp:').toString('base64')}`, 'Bearer x', undefined])
  })

  it('may say in three ways that it has no such object [P20]', async () => {
    for (const none of [404, 410, 204]) {
      fake.says = [none]
      expect([none, await archive().get(one)]).toEqual([none, undefined])
    }
    for (const gone of [[204], [404, 404], [410, 410]]) {
      fake.says = [...gone]
      expect([gone, await archive().remove(one)]).toEqual([gone, true])
    }
    for (const refused of [[405], [501]]) {
      fake.says = [...refused]
      expect([refused, await archive().remove(one)]).toEqual([refused, false])
    }
  })
})

describe('a store that cannot be used ends the start with a sentence [P21, P23]', () => {
  const start = async (variables: Record<string, string>): Promise<string> => {
    const failure = (await openObjectStore(
      readSettings({ DMP_DEMO: '1', DMP_DATA_DIR: root, ...variables }),
      {} as never,
      new Encryption({} as never, [], {} as never),
    ).catch((cause: unknown) => cause)) as Error
    expect([failure.name, /secret/.test(failure.message)]).toEqual(['StartFailure', false])
    return failure.message
  }
  const bucket = {
    DMP_S3_BUCKET: 'objects',
    DMP_S3_ENDPOINT: 'http://127.0.0.1:2',
    DMP_S3_ACCESS_KEY_ID: 'key',
    DMP_S3_SECRET_ACCESS_KEY: 'secret',
  }

  it('an archive that keeps us out, that does not respond, that is none', async () => {
    expect(await start({ DMP_DICOMWEB_URL: url, DMP_DICOMWEB_TOKEN: 'a-wrong-secret' })).toBe(
      `The DICOMweb server ${url} rejected the credentials (401). Correct DMP_DICOMWEB_USER and DMP_DICOMWEB_PASSWORD, or DMP_DICOMWEB_TOKEN.`,
    )
    expect(await start({ DMP_DICOMWEB_URL: 'http://127.0.0.1:2/dicom-web' })).toBe(
      'The DICOMweb server http://127.0.0.1:2/dicom-web does not respond. Start it, or correct DMP_DICOMWEB_URL.',
    )
    const other = new URL('/other', url).href
    expect(await start({ DMP_DICOMWEB_URL: other, DMP_DICOMWEB_TOKEN: 'a-secret-token' })).toBe(
      `${other} responds, but is not a DICOMweb server. Correct DMP_DICOMWEB_URL.`,
    )
  })

  it('a bucket that does not respond, a bucket without keys, two stores at once', async () => {
    expect(await start(bucket)).toBe(
      'The bucket objects at http://127.0.0.1:2 does not respond (ECONNREFUSED). Start the store, or correct DMP_S3_ENDPOINT.',
    )
    expect(await start({ ...bucket, DMP_S3_ACCESS_KEY_ID: '' })).toContain('DMP_S3_BUCKET is set without keys.')
    expect(await start({ ...bucket, DMP_DICOMWEB_URL: url })).toContain('Objects are kept in one place only')
  })
})
