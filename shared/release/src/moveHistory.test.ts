import type { Release } from '@dmp/contract/release'
import { activate, rollback } from './activate.ts'
import { startCanary, stopCanary } from './canary.ts'
import { findActivation, findCanaryStart, listWentLive } from './moveHistory.ts'
import { publish } from './publish.ts'
import type { FolderStore } from './store/folderStore.ts'
import { readRegistry } from './store/ReleaseStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'
import { setTrust } from './trust.ts'

const by = { by: 'test' }
let store: FolderStore
let first: Release
let second: Release
const brought = (name: string, code: string): Promise<Release> => publish(store, aBuild(name, code), { commit: 'abc' })
const readHistory = async () => (await readRegistry(store))!.history
const versionOf = async (part: string) => (await findActivation(store, { history: await readHistory() }, part))?.version

beforeEach(async () => {
  store = aStore()
  first = await brought('remote-scan', 'one')
  await activate(store, { parts: [await brought('host', 'one'), first] }, by)
  second = await brought('remote-scan', 'two')
  await activate(store, { parts: [second] }, by)
})

describe('the move that made a release live', () => {
  it('is its own: not one of another part, of a canary, or of how far it is trusted', async () => {
    expect(await versionOf('remote-scan')).toBe(2)
    await activate(store, { parts: [await brought('remote-other', 'one')] }, by)
    await startCanary(store, await brought('remote-scan', 'three'), { percent: 1 }, by)
    await stopCanary(store, 'remote-scan', by)
    for (const isGuest of [true, false]) await setTrust(store, { part: 'remote-scan', isGuest }, by)
    expect([await versionOf('remote-scan'), await versionOf('remote-other'), await versionOf('host')]).toEqual([
      2, 3, 1,
    ])
    await rollback(store, { part: 'remote-scan', ...by })
    expect(await versionOf('remote-scan')).toBe(8)
  })

  it('is nobody’s where there is none, and the oldest that is known where the one before cannot be read', async () => {
    expect(await versionOf('remote-none')).toBeUndefined()
    const [newest, oldest] = await readHistory()
    expect(await findActivation(store, { history: [newest!] }, 'remote-scan')).toEqual(newest)
    await store.remove(`snapshots/${oldest!.snapshot}.json`)
    expect(await versionOf('remote-scan')).toBe(2)
  })
})

it('the move that started a canary is that of its part and release', async () => {
  const [third, other] = [await brought('remote-scan', 'three'), await brought('remote-other', 'one')]
  await startCanary(store, third, { percent: 1 }, by)
  await startCanary(store, third, { percent: 5 }, by)
  await startCanary(store, other, { percent: 1 }, by)
  await stopCanary(store, 'remote-scan', by)
  const history = await readHistory()
  const versions = [third, other, first, { ...third, name: 'remote-other' }].map(
    (release) => findCanaryStart(history, release)?.version,
  )
  // Of one that went to more people the newest step.
  expect(versions).toEqual([4, 5, undefined, undefined])
})

it('what went live of a part are its releases in the history and in canaries, though a snapshot is damaged', async () => {
  const third = await brought('remote-scan', 'three')
  await brought('remote-scan', 'a draft')
  await startCanary(store, third, { percent: 1 }, by)
  const ids = [first, second, third].map(({ releaseId }) => releaseId)
  expect((await listWentLive(store, 'remote-scan')).toSorted()).toEqual(ids.toSorted())
  await store.remove(`snapshots/${(await readHistory()).at(-1)!.snapshot}.json`)
  expect((await listWentLive(store, 'remote-scan')).toSorted()).toEqual(ids.toSorted())
  expect(await listWentLive(aStore(), 'remote-scan')).toEqual([])
})
