import type { RegistryMove } from '@dmp/contract/release'
import { activate } from './activate.ts'
import { publish } from './publish.ts'
import {
  readRegistry,
  RegistryConflict,
  registryVersion,
  swapRegistry,
  type ReleaseStore,
} from './store/ReleaseStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'

const by = { by: 'test' }
const put = (store: ReleaseStore, code: string) => publish(store, aBuild('host', code), { commit: 'abc' })

/** A registry that was moved so often; only the last is there. */
async function moved(version: number) {
  const store = aStore()
  const { live } = await activate(store, { parts: [await put(store, 'one')] }, by)
  const history = Array.from({ length: version }, (_, index): RegistryMove => ({
    version: version - index,
    // Each changed what is live.
    snapshot: index % 2 === 0 ? live : 'f'.repeat(16),
    change: 'activate',
    parts: ['host'],
    by: 'test',
    at: '2026-01-01T00:00:00.000Z',
  }))
  await store.add(`registry/${version - 1}.json`, Buffer.from('{}'))
  await swapRegistry(store, { version, live, history })
  return store
}

describe('moves of the registry', () => {
  it('are remembered up to two hundred, the newest first', async () => {
    for (const [before, after] of [
      [199, 200],
      [200, 200],
    ] as const) {
      const store = await moved(before)
      const { history } = await activate(store, { parts: [await put(store, 'two')] }, by)
      expect([history.length, history[0]?.version, history.at(-1)?.version]).toEqual([
        after,
        before + 1,
        before + 2 - after,
      ])
    }
  })

  it('leave the documents of the last hundred versions behind', async () => {
    const store = await moved(300)
    for (const version of [200, 201, 202]) await store.add(`registry/${version}.json`, Buffer.from('{}'))
    await activate(store, { parts: [await put(store, 'two')] }, by)
    expect((await store.list('registry')).filter((name) => /^20\d\./.test(name)).sort()).toEqual([
      '200.json',
      '202.json',
    ])
  })

  it('are tried twenty times where somebody else is always faster, and then given up', async () => {
    const store = aStore()
    await activate(store, { parts: [await put(store, 'one')] }, by)
    let tries = 0
    const crowded: ReleaseStore = {
      ...store,
      add: (key, content) =>
        key.startsWith('registry/') ? ((tries += 1), Promise.resolve(false)) : store.add(key, content),
    }
    await expect(activate(crowded, { parts: [await put(store, 'two')] }, by)).rejects.toThrow(RegistryConflict)
    expect([tries, await registryVersion(store), (await readRegistry(store))?.history.length]).toEqual([20, 1, 1])
  })
})
