import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { PageSnapshot, Release } from '@dmp/contract/release'
import { activate } from '@dmp/release/activate'
import { startCanary, stopCanary } from '@dmp/release/canary'
import type { FolderStore } from '@dmp/release/store/folderStore'
import { aKey, forceLive, publishAs, register, revoke, type TestKey } from '@dmp/release/testing/signing'
import { byTests, createTestReleases } from '../testing/releases.ts'
import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let store: FolderStore
let parts = 0
beforeAll(async () => {
  server = await startServer()
  store = (await createTestReleases(server)).store
})
afterAll(() => server.close())

interface Place {
  readonly part: string
  readonly key: TestKey
  at(release: Release, file: string): string
}

/** A remote of its own, live in a release that its key signed. */
async function aSignedPart(): Promise<Place & { readonly good: Release }> {
  const [part, key] = [`remote-g${(parts += 1)}`, aKey('ci')]
  const first = await publishAs(store, part, 'before the keys')
  await activate(store, { parts: [first] }, byTests)
  await register(store, part, key)
  const good = await publishAs(store, part, 'good();'.repeat(100), key)
  await activate(store, { parts: [good] }, byTests)
  return { part, key, good, at: ({ name, releaseId }, file) => path.join(store.folder, name, releaseId, file) }
}

/** The release of a part in the next page. */
async function onPage(part: string): Promise<string | undefined> {
  const { body } = await server.app.inject('/login')
  const snapshot = JSON.parse(body.split('id="dmp-snapshot">')[1]?.split('</script>')[0] ?? 'null') as PageSnapshot
  return snapshot.remotes.find(({ declaration }) => declaration.name === part)?.releaseId
}

const readiness = async (): Promise<number> => (await server.app.inject('/readyz')).statusCode
const fileOf = async ({ name, releaseId }: Release): Promise<number> =>
  (await server.app.inject(`/releases/${name}/${releaseId}/App.js`)).statusCode
const evil = (file: string): void => writeFileSync(file, `evil();${readFileSync(file, 'utf8')}`)
const signatureOf = (key: TestKey): string => `provenance.${key.keyId}.dsse.json`

const refused: readonly { title: string; prepare: (place: Place) => Promise<Release>; says: RegExp }[] = [
  {
    title: 'not signed',
    prepare: ({ part }) => publishAs(store, part, 'evil'),
    says: /is not signed by a key of remote-g\d+\. It is not used\. Publish it again/,
  },
  {
    title: 'signed by a key of another part',
    prepare: async ({ part, key, at }) => {
      const strange = aKey('strange')
      const release = await publishAs(store, part, 'evil')
      const others = await publishAs(store, 'remote-elsewhere', 'evil', strange)
      cpSync(at(others, signatureOf(strange)), at(release, signatureOf(key)))
      return release
    },
    says: /The signature of release [0-9a-f]{16} of remote-g\d+ does not fit/,
  },
  {
    title: 'signed by a key that was revoked before',
    prepare: async ({ part, key }) => {
      const release = await publishAs(store, part, 'evil', key)
      await register(store, part, aKey('next'), key)
      await revoke(store, part, key)
      return release
    },
    says: /signed by ci alone, which was revoked before the release went live/,
  },
  {
    title: 'signed, with an altered file',
    prepare: async ({ part, key, at }) => {
      const release = await publishAs(store, part, 'evil', key)
      evil(at(release, 'App.js'))
      return release
    },
    says: /App\.js has another hash\. It differs from release/,
  },
]

describe('a server serves a part with keys as its team signed it [P43]', () => {
  it.each(refused)('goes on with what was live where a release is $title', async ({ prepare, says }) => {
    const { good, ...place } = await aSignedPart()
    expect([await onPage(place.part), await readiness()]).toEqual([good.releaseId, 200])
    const release = await prepare(place)
    await forceLive(store, release)
    expect(await onPage(place.part)).toBe(good.releaseId)
    expect(await readiness()).toBe(503)
    expect(await fileOf(release)).toBe(404)
    expect(server.logs.join('')).toMatch(says)
    await forceLive(store, good)
    expect([await onPage(place.part), await readiness()]).toEqual([good.releaseId, 200])
  })

  it('sends no file that was altered after its release was judged, in any form', async () => {
    const { good, at } = await aSignedPart()
    expect(await fileOf(good)).toBe(200)
    evil(at(good, 'remoteEntry.js'))
    writeFileSync(at(good, 'remoteEntry.js.br'), brotliCompressSync(Buffer.alloc(2 ** 24)))
    for (const accepted of ['', 'br']) {
      const url = `/releases/${good.name}/${good.releaseId}/remoteEntry.js`
      const { statusCode } = await server.app.inject({ url, headers: { 'accept-encoding': accepted } })
      expect([accepted, statusCode]).toEqual([accepted, 404])
    }
    expect(server.logs.join('')).toMatch(/remoteEntry\.js has another hash\. It differs from release/)
    // What was read before goes on: it is in memory as it was published.
    evil(at(good, 'App.js'))
    expect(await fileOf(good)).toBe(200)
  })

  it('sends no file of a release any more whose key was revoked before it was live', async () => {
    const { part, key } = await aSignedPart()
    const release = await publishAs(store, part, 'not live', key)
    expect(await fileOf(release)).toBe(200)
    await register(store, part, aKey('next'), key)
    await revoke(store, part, key)
    // Judged again after a second.
    while ((await fileOf(release)) !== 404) await new Promise((again) => setTimeout(again, 100))
  })

  it('takes the release as soon as it is signed', async () => {
    const { part, key, good } = await aSignedPart()
    expect(await onPage(part)).toBe(good.releaseId)
    const release = await publishAs(store, part, 'late')
    await forceLive(store, release)
    expect(await onPage(part)).toBe(good.releaseId)
    await publishAs(store, part, 'late', key)
    await forceLive(store, release)
    // What was refused is looked at again after a second.
    while ((await onPage(part)) !== release.releaseId) await new Promise((again) => setTimeout(again, 50))
    expect(await fileOf(release)).toBe(200)
  })

  it('gives nobody a canary that is not signed', async () => {
    const { part, good } = await aSignedPart()
    const release = await publishAs(store, part, 'canary')
    await expect(startCanary(store, release, { percent: 100 }, byTests)).rejects.toThrow(/is not signed by a key/)
    await expect(stopCanary(store, part, byTests)).rejects.toThrow(/has no canary/)
    expect(await onPage(part)).toBe(good.releaseId)
  })

  it('serves what was live when its key was revoked, and what was live before the part had keys', async () => {
    const { part, key, good } = await aSignedPart()
    await register(store, part, aKey('next'), key)
    await revoke(store, part, key)
    await activate(store, { parts: [await publishAs(store, 'remote-elsewhere', 'more')] }, byTests)
    expect([await onPage(part), await fileOf(good), await readiness()]).toEqual([good.releaseId, 200, 200])
    const first = await publishAs(store, part, 'before the keys')
    await activate(store, { parts: [first] }, byTests)
    expect([await onPage(part), await fileOf(first)]).toEqual([first.releaseId, 200])
  })

  it('serves a part without keys as before, whoever published it', async () => {
    const part = `remote-g${(parts += 1)}`
    for (const key of [undefined, aKey('whoever')]) {
      const release = await publishAs(store, part, `code ${key?.keyId}`, key)
      await forceLive(store, release)
      expect([await onPage(part), await fileOf(release)]).toEqual([release.releaseId, 200])
    }
  })

  it('notices that keys it knew have vanished', async () => {
    const { part, good } = await aSignedPart()
    expect(await onPage(part)).toBe(good.releaseId)
    const keys = path.join(store.folder, 'keys', part)
    const kept = readFileSync(path.join(keys, '1.json'))
    rmSync(path.join(keys, '1.json'))
    await forceLive(store, await publishAs(store, part, 'evil'))
    expect(await onPage(part)).toBe(good.releaseId)
    expect(server.logs.join('')).toContain(`The release keys of ${part} were altered`)
    writeFileSync(path.join(keys, '1.json'), kept)
    await forceLive(store, good)
    expect(await onPage(part)).toBe(good.releaseId)
  })
})
