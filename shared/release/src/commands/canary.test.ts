import { release, type Defaults } from '../cli.ts'
import { publish } from '../publish.ts'
import { readRegistry } from '../store/ReleaseStore.ts'
import { aBuild } from '../testing/aBuild.ts'
import {
  captureOutput,
  defaults,
  printed,
  printedJson,
  publishScan,
  storeWithTwoMoves,
} from '../testing/releaseCommand.ts'

captureOutput()

describe('npm run release -- canary', () => {
  it('canary gives a release to some, promote to more, and at last to everybody', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
    const say = (...words: string[]) => release(['canary', 'remote-scan', ...words, '--store', store.folder], defaults)
    expect(await say('--release', releaseId, '--percent', '1')).toBe(0)
    expect((await readRegistry(store))?.canaries).toEqual([{ name: 'remote-scan', releaseId, percent: 1, users: [] }])
    // For everyone else the live release, its time and its author stay the same.
    await release(['status', '--store', store.folder, '--json'], defaults)
    expect(printedJson().parts).toContainEqual(expect.objectContaining({ name: 'remote-scan', by: 'test' }))
    for (const percent of [10, 50]) {
      expect(await say('--promote')).toBe(0)
      expect((await readRegistry(store))?.canaries?.[0]?.percent).toBe(percent)
    }
    expect(await say('--promote')).toBe(0)
    expect(printed.at(-1)).toMatch(/live for everyone/)
    expect((await readRegistry(store))?.canaries).toBeUndefined()
    await release(['status', '--store', store.folder, '--json'], defaults)
    expect(printedJson().parts).toContainEqual(expect.objectContaining({ name: 'remote-scan', releaseId }))
  })

  it('canary goes to one percent where nobody says to whom', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
    expect(await release(['canary', 'remote-scan', '--release', releaseId, '--store', store.folder], defaults)).toBe(0)
    expect((await readRegistry(store))?.canaries).toEqual([{ name: 'remote-scan', releaseId, percent: 1, users: [] }])
    expect(printed.at(-1)).toMatch(/^Not checked in a browser\.\n.* goes to 1 % of users, /)
  })

  it('canary wants the part named unless there is exactly one', async () => {
    const store = await storeWithTwoMoves()
    const stop = () => release(['canary', '--stop', '--store', store.folder], defaults)
    expect([await stop(), printed.at(-1)]).toEqual([1, 'No part has a canary.'])
    for (const name of ['remote-scan', 'remote-user']) {
      const { releaseId } = await publish(store, aBuild(name, 'three'), { commit: 'abc' })
      await release(['canary', name, '--release', releaseId, '--store', store.folder], defaults)
    }
    expect([await stop(), printed.at(-1)]).toEqual([
      1,
      'Several parts have a canary. Name one: remote-scan, remote-user.',
    ])
  })

  it('status says who began each canary, whoever promoted it since', async () => {
    const store = await storeWithTwoMoves()
    const say = (by: string, ...words: string[]) =>
      release(['canary', 'remote-scan', ...words, '--by', by, '--store', store.folder], defaults)
    const [first, second] = [await publishScan(store, 'three'), await publishScan(store, 'four')]
    await say('bob', '--release', first.releaseId)
    await say('eve', '--release', second.releaseId)
    await say('joe', '--promote')
    await release(['status', '--store', store.folder, '--json'], defaults)
    expect(printedJson().canaries).toMatchObject([{ releaseId: second.releaseId, percent: 10, by: 'eve' }])
  })

  it('promote asks the preflight once more: what stands beside it may have changed', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
    await release(['canary', 'remote-scan', '--release', releaseId, '--store', store.folder], defaults)
    const preflight: Defaults['preflight'] = async ({ changed, by }) => ({
      candidates: [...changed],
      others: [],
      passed: false,
      findings: [],
      by,
      at: '2026-01-01T00:00:00.000Z',
    })
    expect(
      await release(['canary', 'remote-scan', '--promote', '--store', store.folder], { ...defaults, preflight }),
    ).toBe(3)
    expect((await readRegistry(store))?.canaries?.[0]?.percent).toBe(1)
  })

  it('canary goes to named users and can be stopped; what is live stays', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
    const liveSnapshot = (await readRegistry(store))?.live
    await release(
      [
        'canary',
        'remote-scan',
        '--release',
        releaseId,
        '--users',
        'Ada@north.example, bob@north.example',
        '--store',
        store.folder,
      ],
      defaults,
    )
    expect((await readRegistry(store))?.canaries).toEqual([
      { name: 'remote-scan', releaseId, percent: 0, users: ['ada@north.example', 'bob@north.example'] },
    ])
    expect(await release(['canary', '--stop', '--store', store.folder], defaults)).toBe(0)
    const registry = await readRegistry(store)
    expect(registry).toMatchObject({
      live: liveSnapshot,
      history: [{ change: 'stop', canary: { releaseId } }, { change: 'canary' }, {}, {}],
    })
    expect(registry?.canaries).toBeUndefined()
  })
})
