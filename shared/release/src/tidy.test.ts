import type { Release } from '@dmp/contract/release'
import { activate } from './activate.ts'
import { startCanary, stopCanary } from './canary.ts'
import { createHolds } from './holds.ts'
import { keepRelease } from './kept.ts'
import { storeMaps } from './maps.ts'
import { replaceReleases } from './move.ts'
import { addPreview } from './previews.ts'
import { publish } from './publish.ts'
import type { FolderStore } from './store/folderStore.ts'
import { hasRelease, readRegistry, readSnapshot, swapRegistry, writeSnapshot } from './store/ReleaseStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'
import { tidy } from './tidy.ts'

const by = { by: 'test' }
const dayMs = 86_400_000
let store: FolderStore
let live: Release
let first: Release

/** Some days from now. */
const inDays = (days: number): number => Date.now() + days * dayMs
const isThere = ({ name, releaseId }: Release): Promise<boolean> => hasRelease(store, name, releaseId)
const brought = (code: string): Promise<Release> => publish(store, aBuild('remote-scan', code), { commit: 'abc' })

beforeEach(async () => {
  store = aStore()
  const host = await publish(store, aBuild('host', 'one'), { commit: 'abc' })
  first = await brought('first')
  await activate(store, { parts: [host, first] }, by)
  live = await brought('live')
  await activate(store, { parts: [live] }, by)
})

it('a release that nobody can get goes after a time, with everything of it, and no other', async () => {
  const draft = await brought('a draft')
  const map = Buffer.from('{"version":3,"sources":[],"names":[],"mappings":""}')
  await storeMaps(store, draft, new Map([['App.js', map]]))
  expect(await tidy(store, { days: 30 })).toEqual([])
  expect(await tidy(store, { days: 30, now: inDays(29) })).toEqual([])
  expect(await isThere(draft)).toBe(true)
  expect(await tidy(store, { days: 30, now: inDays(31) })).toEqual([`remote-scan.${draft.releaseId}`])
  expect(await store.list(`remote-scan/${draft.releaseId}`)).toEqual([])
  expect(await store.list('leaving')).toEqual([])
  expect(await store.list(`maps/remote-scan/${draft.releaseId}`)).toEqual([])
  expect([await isThere(live), await isThere(first)]).toEqual([true, true])
  expect(await tidy(store, { days: 30, now: inDays(400) })).toEqual([])
})

it.each<[string, (release: Release) => Promise<unknown>]>([
  ['a canary', (release) => startCanary(store, release, { percent: 1 }, by)],
  [
    'a canary that the history names',
    async (release) => {
      await startCanary(store, release, { percent: 1 }, by)
      await stopCanary(store, release.name, by)
    },
  ],
  ['a preview', (release) => addPreview(store, release, { days: 60, by: 'test', users: [] })],
  ['kept by somebody', (release) => keepRelease(store, release, by)],
  [
    'what the history leads back to',
    async (release) => {
      await activate(store, { parts: [release] }, by)
      await activate(store, { parts: [live] }, by)
    },
  ],
])('a release that is %s stays, and what was marked before is no longer', async (_what, make) => {
  const release = await brought('another')
  await tidy(store, { days: 30 })
  await make(release)
  expect(await tidy(store, { days: 30, now: inDays(31) })).toEqual([])
  expect(await store.list('leaving')).toEqual([])
  expect(await isThere(release)).toBe(true)
})

it('a release that an open page has stays until no page has told so for as long', async () => {
  const release = await brought('another')
  const registry = await readRegistry(store)
  const snapshot = await writeSnapshot(
    store,
    replaceReleases(await readSnapshot(store, registry?.live ?? ''), [release]),
  )
  await tidy(store, { days: 30 })
  await createHolds(store, () => new Date(inDays(31)))(snapshot)
  expect(await tidy(store, { days: 30, now: inDays(32) })).toEqual([])
  expect(await isThere(release)).toBe(true)
  expect(await tidy(store, { days: 30, now: inDays(63) })).toEqual([])
  expect(await store.list('held')).toEqual([])
  expect(await tidy(store, { days: 30, now: inDays(94) })).toEqual([`remote-scan.${release.releaseId}`])
})

it('a page finds its files for a day after the releases that push it out of the history, also where they go soonest [P91]', async () => {
  const opened = [first, live]
  for (const code of ['edition 1', 'edition 2']) await activate(store, { parts: [await brought(code)] }, by)
  const registry = (await readRegistry(store))!
  // As two hundred more moves leave it.
  await swapRegistry(store, { ...registry, version: registry.version + 1, history: registry.history.slice(0, 1) })
  const kept = await readSnapshot(store, registry.live)
  const ids = kept.remotes.flatMap(({ releaseId, previous }) => [releaseId, previous])
  expect(opened.filter(({ releaseId }) => ids.includes(releaseId))).toEqual([])

  for (let hour = 0; hour < 24; hour += 1) {
    await tidy(store, { days: 1, now: inDays(hour / 24) })
    expect(await Promise.all(opened.map(isThere))).toEqual([true, true])
  }
  // Nobody told of it: it goes afterwards.
  await tidy(store, { days: 1, now: inDays(2.5) })
  expect(await Promise.all(opened.map(isThere))).toEqual([false, false])
})

it('pages tell of snapshots that there are, once a day, and of nothing else', async () => {
  const snapshot = (await readRegistry(store))?.live ?? ''
  let now = Date.parse('2026-11-26T10:00:00Z')
  const note = createHolds(store, () => new Date(now))
  for (const name of [snapshot, snapshot, 'f'.repeat(16), '../registry', '']) await note(name)
  now += dayMs
  await note(snapshot)
  expect((await store.list('held')).sort()).toEqual([`${snapshot}.2026-11-26`, `${snapshot}.2026-11-27`])
})

it('a preview goes once it has ended, and its release as late as any other', async () => {
  const release = await brought('another')
  const { id } = await addPreview(store, release, { days: 1, by: 'test', users: [] })
  await store.add('previews/remote-scan/notes.txt', Buffer.from('kept by somebody'))
  await tidy(store, { days: 30, now: inDays(0.5) })
  expect(await store.list('previews/remote-scan')).toContain(`${id}.json`)
  await tidy(store, { days: 30, now: inDays(2) })
  expect(await store.list('previews/remote-scan')).toEqual(['notes.txt'])
  expect(await tidy(store, { days: 30, now: inDays(31.5) })).toEqual([])
  expect(await tidy(store, { days: 30, now: inDays(32.5) })).toEqual([`remote-scan.${release.releaseId}`])
})

it('a release that was brought within the time stays, whatever marked it before', async () => {
  const release = await brought('another')
  await tidy(store, { days: 30, now: inDays(-60) })
  expect(await tidy(store, { days: 30 })).toEqual([])
  expect(await isThere(release)).toBe(true)
})

it('a release that somebody makes live while others are tidied away stays', async () => {
  const release = await brought('another')
  await tidy(store, { days: 30 })
  const meanwhile: FolderStore = {
    ...store,
    list: async (key) => {
      const found = await store.list(key)
      if (key === 'leaving') await activate(store, { parts: [release] }, by)
      return found
    },
  }
  expect(await tidy(meanwhile, { days: 30, now: inDays(31) })).toEqual([])
  expect(await isThere(release)).toBe(true)
})

it('a snapshot and a release that cannot be read keep nothing else from going', async () => {
  const draft = await brought('a draft')
  const { history } = (await readRegistry(store))!
  await store.remove(`snapshots/${history.at(-1)!.snapshot}.json`)
  await store.remove(`remote-scan/${first.releaseId}/release.json`)
  await tidy(store, { days: 30 })
  expect(await tidy(store, { days: 30, now: inDays(31) })).toEqual([`remote-scan.${draft.releaseId}`])
  expect(await isThere(live)).toBe(true)
})

it('nothing is touched where nothing is live', async () => {
  const empty = aStore()
  await publish(empty, aBuild('remote-scan', 'one'), { commit: 'abc' })
  expect(await tidy(empty, { days: 0, now: inDays(400) })).toEqual([])
  expect(await empty.list('leaving')).toEqual([])
})
