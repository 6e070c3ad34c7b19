import { activate } from '../activate.ts'
import { release, type Defaults } from '../cli.ts'
import { findKept } from '../kept.ts'
import { publish } from '../publish.ts'
import { readRegistry, registryVersion } from '../store/ReleaseStore.ts'
import { aBuild } from '../testing/aBuild.ts'
import {
  captureOutput,
  defaults,
  printed,
  printedJson,
  publishScan,
  storeWithTwoMoves,
} from '../testing/releaseCommand.ts'
import { type Candidate } from './command.ts'

captureOutput()

describe('npm run release: going live and back', () => {
  it('rollback puts one part back, with author and reason in the history', async () => {
    const store = await storeWithTwoMoves()
    expect(
      await release(['rollback', 'remote-scan', '--store', store.folder, '--reason', 'rows were missing'], defaults),
    ).toBe(0)
    expect((await readRegistry(store))?.history[0]).toMatchObject({
      change: 'rollback',
      parts: ['remote-scan'],
      by: 'ann',
      reason: 'rows were missing',
    })
    expect(await release(['history', '--store', store.folder, '--json'], defaults)).toBe(0)
    expect(printedJson().moves).toHaveLength(3)
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
    await release(['history', '--store', store.folder], defaults)
    expect(printed.at(-1)).toMatch(/activate +remote-a remote-b and 3 more +test/)
  })

  it('keeps a release so that no server withdraws it by itself, also one that is live, and ends that [P31]', async () => {
    const store = await storeWithTwoMoves()
    const live = (await publishScan(store, 'three')).releaseId
    const run = (...words: string[]) =>
      release(['remote-scan', '--release', live, '--store', store.folder, ...words], defaults)
    expect(await run('--keep', '--reason', 'closes a hole')).toBe(0)
    expect(printed.at(-1)).toContain('It is kept: no server withdraws it by itself.')
    expect(await findKept(store, { name: 'remote-scan', releaseId: live })).toMatchObject({
      by: 'ann',
      reason: 'closes a hole',
    })
    await release(['status', '--store', store.folder], defaults)
    expect(printed.at(-1)).toMatch(new RegExp(`Kept, .*\\n {2}remote-scan ${live} by ann, .*: closes a hole`))
    expect(await run('--no-keep')).toBe(0)
    expect(await findKept(store, { name: 'remote-scan', releaseId: live })).toBeUndefined()
    await release(['status', '--store', store.folder, '--json'], defaults)
    expect(JSON.stringify(printedJson())).toContain('"kept":null')
  })

  it('asks the preflight about exactly what would be live, and refuses with 3 what it refuses', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
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
    expect(await release([...activate, '--json'], { ...defaults, preflight })).toBe(3)
    expect(tried[0]).toMatchObject({ changed: [{ name: 'remote-scan', releaseId }], by: 'ann', isAfresh: false })
    expect(tried[0]?.snapshot.remotes).toEqual([expect.objectContaining({ name: 'remote-scan', releaseId })])
    expect(printedJson()).toMatchObject({
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
    await release(['check', 'remote-scan', '--release', releaseId, '--store', store.folder], { ...defaults, preflight })
    expect(printed.at(-1)).toMatch(
      /✗ journey remote-scan {2}The list stays empty\. \(1\.0 s\)\n +→ Look at the screenshot\./,
    )
    expect(tried[1]?.isAfresh).toBe(true)
  })

  it('goes around the preflight with --unchecked, which stands in the history, and never around what the documents refuse', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
    const other = await publishScan(store, 'four', { kit: '^9.0.0' })
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
        { ...defaults, preflight },
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
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three', { kit: '^9.0.0' })
    for (const command of ['check', 'activate', 'canary'])
      expect(await release([command, 'remote-scan', '--release', releaseId, '--store', store.folder], defaults)).toBe(3)
    expect(printed.at(-1)).toMatch(/needs @dmp\/kit \^9\.0\.0; .* Build remote-scan against/)
    expect(await registryVersion(store)).toBe(2)
  })

  it('activate says whether anything became live by it', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
    const activate = () =>
      release(['activate', 'remote-scan', '--release', releaseId, '--store', store.folder], defaults)
    await activate()
    expect(printed.at(-1)).toMatch(
      /^Not checked in a browser\.\nremote-scan \w+ is live: every page opened from now on /,
    )
    await activate()
    expect(printed.at(-1)).toMatch(/^Nothing to check: .*\nremote-scan \w+ was live already; nothing changed\./)
  })

  it('makes a part live when only the part is named', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
    expect(await release(['remote-scan', '--release', releaseId, '--store', store.folder, '--json'], defaults)).toBe(0)
    expect(printedJson()).toMatchObject({ command: 'activate', ok: true, move: { parts: ['remote-scan'] } })
  })
})
