import { activate } from './activate.ts'
import { release, type Place } from './cli.ts'
import type { Candidate } from './commands/command.ts'
import { publish } from './publish.ts'
import { readRegistry, registryVersion } from './store.ts'
import type { FolderStore } from './storeFolder.ts'
import { aBuild, aStore } from './testing/aBuild.ts'

const place: Place = { store: '/nowhere', by: 'ann' }

const scan = (store: FolderStore, code: string, over = {}) => publish(store, aBuild('remote-scan', code, over), { commit: 'abc' })

async function twoMoves(): Promise<FolderStore> {
  const store = aStore()
  for (const code of ['one', 'two']) {
    const releases = await Promise.all([publish(store, aBuild('host', 'one'), { commit: 'abc' }), scan(store, code)])
    await activate(store, { parts: releases.map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
  }
  return store
}

const printed: string[] = []
beforeEach(() => {
  printed.length = 0
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  jest.spyOn(console, 'error').mockImplementation((text) => void printed.push(String(text)))
})
afterEach(() => jest.restoreAllMocks())

const answered = (): Record<string, unknown> => JSON.parse(printed.at(-1) ?? '') as Record<string, unknown>

describe('npm run release', () => {
  it('status names every live release, since when and by whom', async () => {
    const { folder } = await twoMoves()
    expect(await release(['status', '--store', folder, '--json'], place)).toBe(0)
    expect(answered()).toMatchObject({
      command: 'status',
      ok: true,
      version: 2,
      parts: [{ name: 'host', by: 'test', known: 1, previous: null }, { name: 'remote-scan', by: 'test', known: 2, previous: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown }],
    })
  })

  it('status for people has its columns below one another', async () => {
    const { folder } = await twoMoves()
    await release(['status', '--store', folder], place)
    const [headings = '', ...rows] = printed.join('').trimEnd().split('\n')
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(row.slice(headings.indexOf('VERSION'))).toMatch(/^1\.0\.0 /)
  })

  it('rollback puts one part back, with author and reason in the history', async () => {
    const store = await twoMoves()
    expect(await release(['rollback', 'remote-scan', '--store', store.folder, '--reason', 'rows were missing'], place)).toBe(0)
    expect((await readRegistry(store))?.history[0]).toMatchObject({ change: 'rollback', parts: ['remote-scan'], by: 'ann', reason: 'rows were missing' })
    expect(await release(['history', '--store', store.folder, '--json'], place)).toBe(0)
    expect(answered().moves).toHaveLength(3)
    await activate(store, { parts: await Promise.all(['remote-a', 'remote-b', 'remote-c', 'remote-d', 'remote-e'].map((name) => publish(store, aBuild(name, 'one'), { commit: 'abc' }))) }, { by: 'test' })
    await release(['history', '--store', store.folder], place)
    expect(printed.at(-1)).toMatch(/activate +remote-a remote-b and 3 more +test/)
  })

  it('history for people names three parts of a move, and counts more', async () => {
    const store = aStore()
    const parts = ['host', 'remote-audit', 'remote-scan', 'remote-user']
    for (const count of [3, 4]) {
      const releases = await Promise.all(parts.slice(0, count).map((name) => publish(store, aBuild(name, `${count}`), { commit: 'abc' })))
      await activate(store, { parts: releases.map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
    }
    expect(await release(['history', '--store', store.folder], place)).toBe(0)
    expect(printed.join('')).toMatch(/ host remote-audit and 2 more .*\n.* host remote-audit remote-scan /)
  })

  it('history for people says who got a canary: a share, somebody by name, or how many', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const say = (...words: string[]) => release(['canary', 'remote-scan', '--release', releaseId, ...words, '--store', store.folder], place)
    await say('--users', 'ada@north.example')
    await say('--users', 'ada@north.example,bob@north.example', '--percent', '1')
    await release(['history', '--store', store.folder], place)
    expect(printed.join('')).toMatch(/canary: 1 % of users and 2 named users[^]*canary: ada@north\.example /)
  })

  it('canary gives a release to some, promote to more, and at last to everybody', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const say = (...words: string[]) => release(['canary', 'remote-scan', ...words, '--store', store.folder], place)
    expect(await say('--release', releaseId, '--percent', '1')).toBe(0)
    expect((await readRegistry(store))?.canaries).toEqual([{ name: 'remote-scan', releaseId, percent: 1, users: [] }])
    // What is live for the others is so since before, and by whom it was.
    await release(['status', '--store', store.folder, '--json'], place)
    expect(answered().parts).toContainEqual(expect.objectContaining({ name: 'remote-scan', by: 'test' }))
    for (const percent of [10, 50]) {
      expect(await say('--promote')).toBe(0)
      expect((await readRegistry(store))?.canaries?.[0]?.percent).toBe(percent)
    }
    expect(await say('--promote')).toBe(0)
    expect(printed.at(-1)).toMatch(/live for everybody/)
    expect((await readRegistry(store))?.canaries).toBeUndefined()
    await release(['status', '--store', store.folder, '--json'], place)
    expect(answered().parts).toContainEqual(expect.objectContaining({ name: 'remote-scan', releaseId }))
  })

  it('canary goes to named users and can be stopped; what is live stays', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const before = (await readRegistry(store))?.live
    await release(['canary', 'remote-scan', '--release', releaseId, '--users', 'Ada@north.example, bob@north.example', '--store', store.folder], place)
    expect((await readRegistry(store))?.canaries).toEqual([{ name: 'remote-scan', releaseId, percent: 0, users: ['ada@north.example', 'bob@north.example'] }])
    expect(await release(['canary', '--stop', '--store', store.folder], place)).toBe(0)
    const registry = await readRegistry(store)
    expect(registry).toMatchObject({ live: before, history: [{ change: 'stop', canary: { releaseId } }, { change: 'canary' }, {}, {}] })
    expect(registry?.canaries).toBeUndefined()
  })

  it('asks the trial about exactly what would be live, and refuses with 3 what it refuses', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const tried: Candidate[] = []
    const trial: Place['trial'] = async (candidate) => {
      tried.push(candidate)
      return { candidates: [...candidate.changed], others: [], passed: false, findings: [{ check: 'journey remote-scan', passed: false, says: 'The list stays empty.', cure: 'Look at the screenshot.', seconds: 1 }], by: candidate.by, at: '2026-01-01T00:00:00.000Z' }
    }
    const activate = ['activate', 'remote-scan', '--release', releaseId, '--store', store.folder]
    expect(await release([...activate, '--json'], { ...place, trial })).toBe(3)
    expect(tried[0]).toMatchObject({ changed: [{ name: 'remote-scan', releaseId }], by: 'ann', isAfresh: false })
    expect(tried[0]?.snapshot.remotes).toEqual([expect.objectContaining({ name: 'remote-scan', releaseId })])
    expect(answered()).toMatchObject({
      command: 'activate',
      ok: false,
      refusals: [{ parties: ['remote-scan', 'journey remote-scan'], reason: 'The list stays empty.', cure: 'Look at the screenshot.' }],
      verdict: { passed: false },
    })
    expect(await registryVersion(store)).toBe(2)
    await release(['check', 'remote-scan', '--release', releaseId, '--store', store.folder], { ...place, trial })
    expect(printed.at(-1)).toMatch(/✗ journey remote-scan {2}The list stays empty\. \(1\.0 s\)\n +→ Look at the screenshot\./)
    expect(tried[1]?.isAfresh).toBe(true)
  })

  it('goes around the trial with --unchecked, which stands in the history, and never around what the documents refuse', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const other = await scan(store, 'four', { kit: '^9.0.0' })
    const trial: Place['trial'] = async () => { throw new Error('it was tried') }
    const activate = (id: string) => release(['activate', 'remote-scan', '--release', id, '--store', store.folder, '--unchecked', 'people cannot sign in', '--reason', 'mend'], { ...place, trial })
    expect(await activate(other.releaseId)).toBe(3)
    expect(await activate(releaseId)).toBe(0)
    expect((await readRegistry(store))?.history[0]).toMatchObject({ parts: ['remote-scan'], by: 'ann', reason: 'mend; unchecked: people cannot sign in' })
  })

  it('refuses with 3 what cannot work with the live host, and changes nothing', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three', { kit: '^9.0.0' })
    for (const command of ['check', 'activate', 'canary']) expect(await release([command, 'remote-scan', '--release', releaseId, '--store', store.folder], place)).toBe(3)
    expect(printed.at(-1)).toMatch(/needs @dmp\/kit \^9\.0\.0; .* Build remote-scan against/)
    expect(await registryVersion(store)).toBe(2)
  })

  it('makes a part live when only the part is named', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    expect(await release(['remote-scan', '--release', releaseId, '--store', store.folder, '--json'], place)).toBe(0)
    expect(answered()).toMatchObject({ command: 'activate', ok: true, move: { parts: ['remote-scan'] } })
  })

  it('says what is wrong, with exit code 1 for a failure', async () => {
    expect(await release(['status', '--store', aStore().folder], place)).toBe(1)
    expect(printed.at(-1)).toMatch(/Nothing is live in this store yet/)
    expect(await release(['publish', 'remote-nothing', '--store', aStore().folder], place)).toBe(1)
    expect(printed.at(-1)).toMatch(/^Name a part: host, /)
  })

  it.each([
    [['destroy'], /There is no "destroy"/],
    [['constructor'], /There is no "constructor"/],
    [['status', '--jsn'], /There is no option --jsn/],
    [['rollback', 'remote-scan', '--reason'], /--reason wants a value/],
    [['rollback', 'remote-scan', 'because'], /"because" is too much/],
    [['canary', 'remote-scan', '--percent', 'all'], /--percent is a number/],
    [['canary', 'remote-scan', '--percent', '0'], /--percent is a number above 0 and up to 100/],
    [['canary', 'remote-scan', '--percent', '100.5'], /--percent is a number above 0 and up to 100/],
  ])('does not understand %j: exit code 2, and what could have been meant', async (words, said) => {
    expect(await release(words, place)).toBe(2)
    expect(printed.at(-1)).toMatch(said)
    expect(await release(['--json', ...words], place)).toBe(2)
    expect(answered()).toMatchObject({ ok: false, error: expect.stringMatching(said) as unknown, refusals: [] })
  })
})
