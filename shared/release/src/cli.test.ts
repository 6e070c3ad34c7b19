import { activate } from './activate.ts'
import { release, type Defaults } from './cli.ts'
import type { Candidate } from './commands/command.ts'
import { publish } from './publish.ts'
import { readRegistry, registryVersion, releaseKey } from './store/ReleaseStore.ts'
import type { FolderStore } from './store/folderStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'

const place: Defaults = { store: '/nowhere', by: 'ann' }

const scan = (store: FolderStore, code: string, over = {}) =>
  publish(store, aBuild('remote-scan', code, over), { commit: 'abc' })

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
      parts: [
        { name: 'host', by: 'test', known: 1, previous: null },
        { name: 'remote-scan', by: 'test', known: 2, previous: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown },
      ],
    })
  })

  it('status for people has its columns below one another', async () => {
    const { folder } = await twoMoves()
    await release(['status', '--store', folder], place)
    const [headings = '', ...rows] = printed.join('').trimEnd().split('\n')
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      expect(row.slice(headings.indexOf('VERSION'))).toMatch(/^1\.0\.0 /)
      expect(row.slice(headings.indexOf('LIVE SINCE'))).toMatch(/^\d\d \w+,? \d\d:\d\d /)
    }
  })

  it('rollback puts one part back, with author and reason in the history', async () => {
    const store = await twoMoves()
    expect(
      await release(['rollback', 'remote-scan', '--store', store.folder, '--reason', 'rows were missing'], place),
    ).toBe(0)
    expect((await readRegistry(store))?.history[0]).toMatchObject({
      change: 'rollback',
      parts: ['remote-scan'],
      by: 'ann',
      reason: 'rows were missing',
    })
    expect(await release(['history', '--store', store.folder, '--json'], place)).toBe(0)
    expect(answered().moves).toHaveLength(3)
    await activate(
      store,
      {
        parts: await Promise.all(
          ['remote-a', 'remote-b', 'remote-c', 'remote-d', 'remote-e'].map((name) =>
            publish(store, aBuild(name, 'one'), { commit: 'abc' }),
          ),
        ),
      },
      { by: 'test' },
    )
    await release(['history', '--store', store.folder], place)
    expect(printed.at(-1)).toMatch(/activate +remote-a remote-b and 3 more +test/)
  })

  it('history for people names three parts of a move, and counts more', async () => {
    const store = aStore()
    const parts = ['host', 'remote-audit', 'remote-scan', 'remote-user']
    for (const count of [3, 4]) {
      const releases = await Promise.all(
        parts.slice(0, count).map((name) => publish(store, aBuild(name, `${count}`), { commit: 'abc' })),
      )
      await activate(store, { parts: releases.map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
    }
    expect(await release(['history', '--store', store.folder], place)).toBe(0)
    expect(printed.join('')).toMatch(/ host remote-audit and 2 more .*\n.* host remote-audit remote-scan /)
  })

  it('history for people says who got a canary: a share, somebody by name, or how many', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const say = (...words: string[]) =>
      release(['canary', 'remote-scan', '--release', releaseId, ...words, '--store', store.folder], place)
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

  it('canary goes to one percent where nobody says to whom', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    expect(await release(['canary', 'remote-scan', '--release', releaseId, '--store', store.folder], place)).toBe(0)
    expect((await readRegistry(store))?.canaries).toEqual([{ name: 'remote-scan', releaseId, percent: 1, users: [] }])
    expect(printed.at(-1)).toMatch(/^Not tried in a browser\.\n.* goes to 1 % of users, /)
  })

  it('canary wants the part named unless there is exactly one', async () => {
    const store = await twoMoves()
    const stop = () => release(['canary', '--stop', '--store', store.folder], place)
    expect([await stop(), printed.at(-1)]).toEqual([1, 'There is no canary.'])
    for (const name of ['remote-scan', 'remote-user']) {
      const { releaseId } = await publish(store, aBuild(name, 'three'), { commit: 'abc' })
      await release(['canary', name, '--release', releaseId, '--store', store.folder], place)
    }
    expect([await stop(), printed.at(-1)]).toEqual([1, 'Name the part: remote-scan, remote-user.'])
  })

  it('status says who began each canary, whoever promoted it since', async () => {
    const store = await twoMoves()
    const say = (by: string, ...words: string[]) =>
      release(['canary', 'remote-scan', ...words, '--by', by, '--store', store.folder], place)
    const [first, second] = [await scan(store, 'three'), await scan(store, 'four')]
    await say('bob', '--release', first.releaseId)
    await say('eve', '--release', second.releaseId)
    await say('joe', '--promote')
    await release(['status', '--store', store.folder, '--json'], place)
    expect(answered().canaries).toMatchObject([{ releaseId: second.releaseId, percent: 10, by: 'eve' }])
  })

  it('promote asks the preflight once more: what stands beside it may have changed', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    await release(['canary', 'remote-scan', '--release', releaseId, '--store', store.folder], place)
    const preflight: Defaults['preflight'] = async ({ changed, by }) => ({
      candidates: [...changed],
      others: [],
      passed: false,
      findings: [],
      by,
      at: '2026-01-01T00:00:00.000Z',
    })
    expect(
      await release(['canary', 'remote-scan', '--promote', '--store', store.folder], { ...place, preflight }),
    ).toBe(3)
    expect((await readRegistry(store))?.canaries?.[0]?.percent).toBe(1)
  })

  it('canary goes to named users and can be stopped; what is live stays', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const before = (await readRegistry(store))?.live
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
      place,
    )
    expect((await readRegistry(store))?.canaries).toEqual([
      { name: 'remote-scan', releaseId, percent: 0, users: ['ada@north.example', 'bob@north.example'] },
    ])
    expect(await release(['canary', '--stop', '--store', store.folder], place)).toBe(0)
    const registry = await readRegistry(store)
    expect(registry).toMatchObject({
      live: before,
      history: [{ change: 'stop', canary: { releaseId } }, { change: 'canary' }, {}, {}],
    })
    expect(registry?.canaries).toBeUndefined()
  })

  it('asks the preflight about exactly what would be live, and refuses with 3 what it refuses', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const tried: Candidate[] = []
    const preflight: Defaults['preflight'] = async (candidate) => {
      tried.push(candidate)
      return {
        candidates: [...candidate.changed],
        others: [],
        passed: false,
        findings: [
          {
            check: 'journey remote-scan',
            passed: false,
            says: 'The list stays empty.',
            cure: 'Look at the screenshot.',
            seconds: 1,
          },
        ],
        by: candidate.by,
        at: '2026-01-01T00:00:00.000Z',
      }
    }
    const activate = ['activate', 'remote-scan', '--release', releaseId, '--store', store.folder]
    expect(await release([...activate, '--json'], { ...place, preflight })).toBe(3)
    expect(tried[0]).toMatchObject({ changed: [{ name: 'remote-scan', releaseId }], by: 'ann', isAfresh: false })
    expect(tried[0]?.snapshot.remotes).toEqual([expect.objectContaining({ name: 'remote-scan', releaseId })])
    expect(answered()).toMatchObject({
      command: 'activate',
      ok: false,
      refusals: [
        {
          parties: ['remote-scan', 'journey remote-scan'],
          reason: 'The list stays empty.',
          cure: 'Look at the screenshot.',
        },
      ],
      verdict: { passed: false },
    })
    expect(await registryVersion(store)).toBe(2)
    await release(['check', 'remote-scan', '--release', releaseId, '--store', store.folder], { ...place, preflight })
    expect(printed.at(-1)).toMatch(
      /✗ journey remote-scan {2}The list stays empty\. \(1\.0 s\)\n +→ Look at the screenshot\./,
    )
    expect(tried[1]?.isAfresh).toBe(true)
  })

  it('goes around the preflight with --unchecked, which stands in the history, and never around what the documents refuse', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const other = await scan(store, 'four', { kit: '^9.0.0' })
    const preflight: Defaults['preflight'] = async () => {
      throw new Error('it was tried')
    }
    const activate = (id: string) =>
      release(
        [
          'activate',
          'remote-scan',
          '--release',
          id,
          '--store',
          store.folder,
          '--unchecked',
          'people cannot sign in',
          '--reason',
          'mend',
        ],
        { ...place, preflight },
      )
    expect(await activate(other.releaseId)).toBe(3)
    expect(await activate(releaseId)).toBe(0)
    expect((await readRegistry(store))?.history[0]).toMatchObject({
      parts: ['remote-scan'],
      by: 'ann',
      reason: 'mend; unchecked: people cannot sign in',
    })
  })

  it('refuses with 3 what cannot work with the live host, and changes nothing', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three', { kit: '^9.0.0' })
    for (const command of ['check', 'activate', 'canary'])
      expect(await release([command, 'remote-scan', '--release', releaseId, '--store', store.folder], place)).toBe(3)
    expect(printed.at(-1)).toMatch(/needs @dmp\/kit \^9\.0\.0; .* Build remote-scan against/)
    expect(await registryVersion(store)).toBe(2)
  })

  it('activate says whether anything became live by it', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    const activate = () => release(['activate', 'remote-scan', '--release', releaseId, '--store', store.folder], place)
    await activate()
    expect(printed.at(-1)).toMatch(/^Not tried in a browser\.\nremote-scan \w+ is live: the next page /)
    await activate()
    expect(printed.at(-1)).toMatch(/^Nothing to try: .*\nremote-scan \w+ was live already; nothing was changed\./)
  })

  it('makes a part live when only the part is named', async () => {
    const store = await twoMoves()
    const { releaseId } = await scan(store, 'three')
    expect(await release(['remote-scan', '--release', releaseId, '--store', store.folder, '--json'], place)).toBe(0)
    expect(answered()).toMatchObject({ command: 'activate', ok: true, move: { parts: ['remote-scan'] } })
  })

  it('diff shows what is live beside another release: its files and what it needs', async () => {
    const store = await twoMoves()
    const live = (await readRegistry(store))!
    const other = await scan(store, 'three and more', { record: { consumes: { react: '^19.1.0' } } })
    const diff = (part: string, id: string, ...more: string[]) =>
      release(['diff', part, '--release', id, '--store', store.folder, ...more], place)
    expect(await diff('remote-scan', other.releaseId, '--json')).toBe(0)
    const size = expect.any(Number) as number
    expect(answered()).toMatchObject({
      live: { name: 'remote-scan', commit: 'abc' },
      here: { releaseId: other.releaseId },
      files: [
        { path: 'App.js', live: size, here: size },
        { path: 'remoteEntry.js', live: size, here: size },
      ],
      needs: [{ module: 'react', live: '^19.0.0', here: '^19.1.0' }],
    })
    const { releaseId } = answered().live as { releaseId: string }
    await diff('remote-scan', other.releaseId)
    expect(printed.at(-1)).toMatch(
      new RegExp(`\nlive +${releaseId} +abc +.* KB\nhere +${other.releaseId} +abc +.* KB\n`),
    )
    await diff('remote-scan', releaseId)
    expect(printed.at(-1)).toMatch(/ is live already: there is no difference\.$/m)
    const user = await publish(store, aBuild('remote-user', 'one'), { commit: 'abc' })
    await diff('remote-user', user.releaseId)
    expect(printed.at(-1)).toMatch(/\nlive +– +– +–\nhere +\w{16} +abc +.* KB\n[^]*needs react: nothing → \^19\.0\.0\n/)
    expect(await registryVersion(store)).toBe(live.version)
  })

  it('keep is about what is live, or one part of it, and never the viewer', async () => {
    const store = await twoMoves()
    await activate(store, { parts: [await publish(store, aBuild('viewer', 'one'), { commit: 'abc' })] }, { by: 'test' })
    const keep = (...words: string[]) => release(['keep', ...words, '--store', store.folder], place)
    // What is kept would be put into this repository: a store that has lost its releases stops it before.
    for (const name of ['host', 'remote-scan', 'viewer'])
      for (const id of await store.list(name)) await store.remove(releaseKey(name, id, 'release.json'))
    for (const part of ['remote-user', 'viewer'])
      expect([await keep(part), printed.at(-1)]).toEqual([1, `${part} is not live. Live are host, remote-scan.`])
    expect([await keep(), printed.at(-1)]).toEqual([
      1,
      expect.stringMatching(/^The release store has no release \w+ of host /),
    ])
    expect([await keep('remote-scan'), printed.at(-1)]).toEqual([
      1,
      expect.stringMatching(/^The release store has no release \w+ of remote-scan /),
    ])
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
