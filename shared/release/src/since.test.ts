import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Release } from '@dmp/contract/release'
import { activate, rollback } from './activate.ts'
import { promoteCanary, startCanary } from './canary.ts'
import { compose, composeSnapshot } from './composition.ts'
import { replaceReleases } from './move.ts'
import { publish } from './publish.ts'
import type { FolderStore } from './store/folderStore.ts'
import { readRegistry, readSnapshot, releaseKey } from './store/ReleaseStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'
import { aKey, register, revoke } from './testing/signing.ts'
import { tidy } from './tidy.ts'

const by = { by: 'test' }
const dayMs = 86_400_000
let store: FolderStore

/** A build whose own script is this code, beside files that stay as they are. */
async function bring(name: string, code: string, { stays = 'the same', signer = undefined as never } = {}) {
  const isHost = name === 'host'
  const files = isHost ? ['libraries.0a1b2c3d.js', 'table.4e5f6a7b.js'] : ['App.0a1b2c3d.js', 'App.0a1b2c3d.css']
  const record = isHost ? { initial: files.slice(0, 1) } : { chunks: { './App': files } }
  const dist = aBuild(name, code, { record })
  for (const file of files) writeFileSync(path.join(dist, file), `/* ${name} ${file} */ ${stays}`)
  mkdirSync(path.join(dist, 'texts'))
  writeFileSync(path.join(dist, 'texts/de.json'), JSON.stringify({ Save: stays }))
  return publish(store, dist, { commit: 'abc', signer })
}
const live = async (...parts: Release[]): Promise<unknown> => activate(store, { parts }, by)
const page = async () => compose(store, (await readRegistry(store))?.live ?? '')
/** Where a page gets a file of the host from. */
const whence = async (file: string): Promise<string | undefined> => (await page()).since.get('host')?.get(file)
const [library, table] = ['libraries.0a1b2c3d.js', 'table.4e5f6a7b.js']
let first: Release

beforeEach(async () => {
  store = aStore()
  first = await bring('host', 'one')
  await live(first, await bring('remote-scan', 'one'))
})

describe('a file that did not change keeps its address over releases [P96]', () => {
  it('where it was live first, however many releases follow; the first script has that of its own', async () => {
    for (const code of ['two', 'three', 'four']) {
      await live(await bring('host', code))
      for (const file of [library, table, 'texts/de.json']) expect(await whence(file)).toBe(first.releaseId)
      expect(await whence('main.js')).toBeUndefined()
    }
  })

  it('and has another from the release on in which it is another', async () => {
    const second = await bring('host', 'two', { stays: 'other packages' })
    await live(second)
    expect((await page()).since.has('host')).toBe(false)
    await live(await bring('host', 'three', { stays: 'other packages' }))
    expect(await whence(library)).toBe(second.releaseId)
    await live(await bring('host', 'four'))
    expect(await whence(library)).toBe(first.releaseId)
  })

  it('of remotes, too, and the page knows it of what it loads later', async () => {
    const scan = await bring('remote-scan', 'two')
    const [before] = (await page()).snapshot.remotes
    await live(scan, await bring('host', 'two'))
    expect((await page()).page.since).toEqual({
      host: { [first.releaseId]: ['libraries.js', 'table.js', 'texts/de.json'] },
      'remote-scan': { [before!.releaseId]: ['App.css', 'App.js', 'texts/de.json'] },
    })
  })

  it('for canaries, after they are promoted, and after a rollback', async () => {
    const second = await bring('host', 'two')
    await startCanary(store, second, { percent: 100 }, by)
    const mixed = replaceReleases((await page()).snapshot, [second])
    expect((await composeSnapshot(store, mixed)).since.get('host')?.get(library)).toBe(first.releaseId)
    await promoteCanary(store, 'host', by)
    expect(await whence(library)).toBe(first.releaseId)
    await rollback(store, { ...by })
    // The first one has it itself.
    expect(await whence(library)).toBeUndefined()
    await live(await bring('host', 'three'))
    expect(await whence(library)).toBe(first.releaseId)
  })

  it('for hosts alone that know of it', async () => {
    const plain = async (code: string) => publish(store, aBuild('host', code), { commit: 'abc' })
    await live(await plain('plain'))
    await live(await plain('plain too'), await bring('remote-scan', 'two'))
    expect((await page()).since.size).toBe(0)
    expect((await page()).page.since).toBeUndefined()
  })
})

describe('a page names no file of a release that does not vouch for it [P30, P96]', () => {
  it('after that release was altered, is gone, or has another file there', async () => {
    await live(await bring('host', 'two'))
    expect(await whence(library)).toBe(first.releaseId)
    const key = releaseKey('host', first.releaseId, 'release.json')
    const document = (await store.read(key))!
    await store.remove(key)
    expect(await whence(library)).toBeUndefined()
    await store.add(key, Buffer.from(document.toString().replace('"1.0.0"', '"1.0.1"')))
    expect(await whence(library)).toBeUndefined()
  })

  it('where somebody writes into the store that it had it first', async () => {
    const other = await bring('host', 'other', { stays: 'what nobody asked for' })
    await live(await bring('host', 'two'))
    for (const noted of await store.list('since/host')) {
      await store.remove(`since/host/${noted}`)
      await store.add(`since/host/${noted.slice(0, 32)}.${other.releaseId}`, Buffer.from('{}'))
    }
    await store.add('since/host/../../registry', Buffer.from('{}')).catch(() => undefined)
    expect(await whence(library)).toBeUndefined()
  })

  it('and what was live stays good when its key is revoked', async () => {
    const [one, two] = [aKey('one'), aKey('two')]
    await register(store, 'host', one)
    const signed = await bring('host', 'signed', { stays: 'signed', signer: one.signer as never })
    await live(signed)
    await register(store, 'host', two, one)
    await live(await bring('host', 'next', { stays: 'signed', signer: two.signer as never }))
    expect(await whence(library)).toBe(signed.releaseId)
    await revoke(store, 'host', one)
    expect(await whence(library)).toBe(signed.releaseId)
  })
})

it('the release that a live one has files from is not tidied away, and goes when none needs it [P91, P96]', async () => {
  const releases = [first]
  for (const code of ['two', 'three']) {
    releases.push(await bring('host', code))
    await live(releases.at(-1)!)
  }
  const registry = (await readRegistry(store))!
  // As two hundred more moves leave it: only what is live is led back to.
  const folder = await store.list('registry')
  const bare = { ...registry, version: registry.version + 1, history: registry.history.slice(0, 1) }
  await store.add(`registry/${bare.version}.json`, Buffer.from(JSON.stringify(bare)))
  expect(folder).toHaveLength(registry.version)
  await tidy(store, { days: 30 })
  const removed = await tidy(store, { days: 30, now: Date.now() + 31 * dayMs })
  expect(removed.filter((name) => name.startsWith('host.'))).toEqual([])
  expect(await whence(library)).toBe(first.releaseId)

  for (const code of ['four', 'five']) await live(await bring('host', code, { stays: 'other packages' }))
  const next = (await readRegistry(store))!
  const later = { ...next, version: next.version + 1, history: next.history.slice(0, 1) }
  await store.add(`registry/${later.version}.json`, Buffer.from(JSON.stringify(later)))
  await tidy(store, { days: 30, now: Date.now() + 40 * dayMs })
  expect(await tidy(store, { days: 30, now: Date.now() + 90 * dayMs })).toContain(`host.${first.releaseId}`)
  const noted = await store.list('since/host')
  expect(noted.filter((name) => name.endsWith(first.releaseId))).toEqual([])
  const { live: id } = (await readRegistry(store))!
  expect((await readSnapshot(store, id)).host.releaseId).not.toBe(first.releaseId)
})
