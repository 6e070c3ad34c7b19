import { BucketError } from '@dmp/bucket'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { activate, rollback } from '../activate.ts'
import { startCanary } from '../canary.ts'
import { release } from '../cli.ts'
import { compose } from '../composition.ts'
import { publish } from '../publish.ts'
import {
  hasRelease,
  readRegistry,
  readRelease,
  readSnapshot,
  RegistryConflict,
  registryVersion,
  listReleases,
  releaseKey,
  StoreError,
  swapRegistry,
  type ReleaseStore,
} from './ReleaseStore.ts'
import { toBucketAccess, openStore } from './openStore.ts'
import { createCachedStore } from './cachedStore.ts'
import { aBuild, aFolder, aStore } from '../testing/aBuild.ts'

const by = { by: 'test' }
let s3: S3Server
let number = 0
const access = () => toBucketAccess(s3.variables)
const address = (): string => `s3://dmp-objects/store${(number += 1)}`
const aBucket = (location = address()): ReleaseStore => openStore(location, access())

beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(() => s3.close())

const put = (store: ReleaseStore, name: string, code: string) => publish(store, aBuild(name, code), { commit: 'abc' })

it('a bucket is the same place with and without a slash behind its folder, and takes releases without a folder, too', async () => {
  const asking = jest.spyOn(globalThis, 'fetch')
  const location = address()
  const { releaseId } = await put(aBucket(location), 'remote-scan', 'one')
  expect(await hasRelease(aBucket(`${location}/`), 'remote-scan', releaseId)).toBe(true)
  const whole = await put(aBucket('s3://dmp-objects'), 'remote-whole', 'one')
  expect(await hasRelease(aBucket('s3://dmp-objects/'), 'remote-whole', whole.releaseId)).toBe(true)
  // The server of these tests takes two slashes for one; not every bucket does.
  const paths = asking.mock.calls.map(
    ([request]) => new URL(request instanceof Request ? request.url : request).pathname,
  )
  asking.mockRestore()
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => path.includes('//'))).toEqual([])
})

it('a bucket is reached by the names of the environment: both keys, and Amazon where no other store is named', () => {
  const keys = { DMP_S3_ACCESS_KEY_ID: 'key', DMP_S3_SECRET_ACCESS_KEY: 'secret' }
  expect(toBucketAccess(keys)).toEqual({
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    isPathStyle: true,
  })
  expect([
    toBucketAccess({ ...keys, DMP_S3_ACCESS_KEY_ID: '' }),
    toBucketAccess({ ...keys, DMP_S3_SECRET_ACCESS_KEY: undefined }),
  ]).toEqual([undefined, undefined])
  expect(
    ['1', 'true', '0', 'false'].map((DMP_S3_PATH_STYLE) => toBucketAccess({ ...keys, DMP_S3_PATH_STYLE })?.isPathStyle),
  ).toEqual([true, true, false, false])
})

describe.each([
  ['a folder', (): ReleaseStore => aStore()],
  ['a bucket', () => aBucket()],
  ['a bucket with a folder near by', () => createCachedStore(aBucket(), aStore(), 0)],
])('%s as the store', (_what, make) => {
  it('takes releases, makes them live, and goes back', async () => {
    const store = make()
    const parts = [await put(store, 'host', 'one'), await put(store, 'remote-scan', 'one')]
    const first = await activate(store, { parts }, by)
    const two = await put(store, 'remote-scan', 'two')
    await activate(store, { parts: [two] }, by)
    expect((await listReleases(store, 'remote-scan')).map(({ releaseId }) => releaseId).sort()).toEqual(
      [two.releaseId, parts[1]!.releaseId].sort(),
    )
    expect((await rollback(store, by)).live).toBe(first.live)
    const { page } = await compose(store, first.live)
    expect(page.remotes[0]?.releaseId).toBe(parts[1]!.releaseId)
    expect(await registryVersion(store)).toBe(3)
  })

  it('gives every file back as it was, in each form, and nothing for what was never there', async () => {
    const store = make()
    const { releaseId } = await put(store, 'remote-scan', 'x'.repeat(5000))
    const key = releaseKey('remote-scan', releaseId, 'App.js')
    for (const again of [1, 2]) {
      const streamed = Buffer.concat((await (await store.stream(key))?.toArray()) as Buffer[])
      expect([again, streamed.equals((await store.read(key))!), streamed.toString()]).toEqual([
        again,
        true,
        `/* App of remote-scan */ ${'x'.repeat(5000)}`,
      ])
    }
    expect((await store.read(`${key}.br`))?.length).toBeLessThan(200)
    expect([
      await store.read(`${key}.nothing`),
      await store.stream('host/0000000000000000/main.js'),
      await store.list('remote-nothing'),
    ]).toEqual([undefined, undefined, []])
    expect(await hasRelease(store, 'remote-scan', '0'.repeat(16))).toBe(false)
    await expect(readRelease(store, 'remote-scan', '0'.repeat(16))).rejects.toThrow(StoreError)
  })

  it('adds a thing once, whoever comes first', async () => {
    const store = make()
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, index) => store.add('snapshots/one.json', Buffer.from(String(index)))),
    )
    expect(all.filter(Boolean)).toHaveLength(1)
    expect(String(await store.read('snapshots/one.json'))).toBe(String(all.indexOf(true)))
  })

  it('moves the registry from the version that is there only, and loses no move when many activate at once', async () => {
    const store = make()
    const registry = await activate(store, { parts: [await put(store, 'host', 'one')] }, by)
    const names = Array.from({ length: 4 }, (_, index) => `remote-r${index}`)
    await Promise.all(names.map(async (name) => activate(store, { parts: [await put(store, name, 'one')] }, by)))
    await expect(swapRegistry(store, { ...registry, version: 2 })).rejects.toThrow(RegistryConflict)
    const now = (await readRegistry(store))!
    expect([now.version, (await readSnapshot(store, now.live)).remotes.map(({ name }) => name)]).toEqual([5, names])
  })
})

describe('the folder near by', () => {
  const filled = async () => {
    const location = address()
    const remote = aBucket(location)
    const parts = [await put(remote, 'host', 'one'), await put(remote, 'remote-scan', 'one')]
    const { live } = await activate(remote, { parts }, by)
    const requestedKeys: string[] = []
    const counted: ReleaseStore = {
      ...remote,
      read: async (key) => (requestedKeys.push(key), remote.read(key)),
      list: async (key) => (requestedKeys.push(key), remote.list(key)),
    }
    return { remote, counted, requestedKeys, live, parts }
  }

  it('is asked first for what never changes, and the bucket once for each thing', async () => {
    const { counted, requestedKeys, live, parts } = await filled()
    const near = aStore()
    const key = releaseKey('remote-scan', parts[1]!.releaseId, 'App.js')
    const store = createCachedStore(counted, near)
    await Promise.all([store.read(key), store.read(key), store.stream(key)])
    await compose(store, live)
    expect(requestedKeys.filter((requestedKey) => requestedKey === key)).toHaveLength(1)
    requestedKeys.length = 0
    const later = createCachedStore(counted, near)
    await compose(later, live)
    await later.read(key)
    // Which parts have keys may change.
    expect([...new Set(requestedKeys)]).toEqual(['keys'])
  })

  it('never stands in for the registry; how often its version is asked for is limited', async () => {
    const { remote, counted, requestedKeys } = await filled()
    const store = createCachedStore(counted, aStore(), 60_000)
    for (let page = 0; page < 5; page += 1) expect(await registryVersion(store)).toBe(1)
    expect(requestedKeys).toEqual(['registry'])
    await activate(remote, { parts: [await put(remote, 'remote-scan', 'two')] }, by)
    const another = createCachedStore(counted, aStore(), 0)
    expect([await registryVersion(another), (await readRegistry(another))?.version]).toEqual([2, 2])
  })

  it('believes a list for a second, and asks again from then on', async () => {
    const remote = aStore()
    let listCount = 0
    const store = createCachedStore({ ...remote, list: (key) => ((listCount += 1), remote.list(key)) }, aStore())
    let now = 1_000_000
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now)
    const counts: number[] = []
    for (const later of [0, 999, 1]) {
      now += later
      await registryVersion(store)
      counts.push(listCount)
    }
    clock.mockRestore()
    expect(counts).toEqual([1, 1, 2])
  })

  it('forgets what is removed, so that a release that is gone is served by nobody', async () => {
    const { remote, parts } = await filled()
    const near = aStore()
    const store = createCachedStore(remote, near, 0)
    const key = releaseKey('remote-scan', parts[1]!.releaseId, 'App.js')
    expect(await store.read(key)).toBeDefined()
    await store.remove(key)
    expect([await store.read(key), await near.read(key)]).toEqual([undefined, undefined])
  })

  it('makes nobody wait for a bucket that has stopped to answer', async () => {
    const { counted } = await filled()
    let isGone = false
    const store = createCachedStore(
      { ...counted, list: (key) => (isGone ? new Promise(() => undefined) : counted.list(key)) },
      aStore(),
      0,
    )
    expect(await registryVersion(store)).toBe(1)
    isGone = true
    expect(await registryVersion(store)).toBe(1)
  })

  it('that cannot be written keeps nobody from what the bucket has', async () => {
    const { counted, parts } = await filled()
    const near = { ...aStore(), add: () => Promise.reject(new Error('ENOSPC')) }
    expect(
      String(await createCachedStore(counted, near).read(releaseKey('remote-scan', parts[1]!.releaseId, 'App.js'))),
    ).toContain('App of remote-scan')
  })
})

describe('npm run release', () => {
  it('works on a bucket by its address, with canaries and rollbacks', async () => {
    const location = address()
    const store = aBucket(location)
    await activate(store, { parts: [await put(store, 'host', 'one'), await put(store, 'remote-scan', 'one')] }, by)
    await startCanary(store, await put(store, 'remote-scan', 'two'), { percent: 1 }, by)
    const printed: string[] = []
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
    const code = await release(['canary', '--promote', '--percent', '100', '--store', location, '--json'], {
      store: aFolder(),
      by: 'ann',
      access: access(),
    })
    jest.restoreAllMocks()
    expect([code, JSON.parse(printed.join(''))]).toMatchObject([0, { move: { change: 'promote', by: 'ann' } }])
    expect((await readRegistry(store))?.version).toBe(3)
  })

  it.each([
    [
      'without keys',
      (): Promise<unknown> => Promise.resolve().then(() => openStore('s3://dmp-objects', undefined)),
      /Credentials for s3:\/\/dmp-objects are missing\. Set DMP_S3_ACCESS_KEY_ID/,
    ],
    ['that does not exist', () => registryVersion(aBucket('s3://nobodys')), BucketError],
    ['with an address that is none', () => Promise.resolve().then(() => aBucket('s3://')), /Write s3:\/\/bucket/],
  ])('says what is missing for a bucket %s', async (_what, open, said) => {
    await expect(open()).rejects.toThrow(said)
  })
})
