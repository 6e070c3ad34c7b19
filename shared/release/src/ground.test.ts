import type { BuildRecord } from '@dmp/contract/release'
import { activate } from './activate.ts'
import { compose } from './composition.ts'
import type { Candidate } from './commands/command.ts'
import { listReleaseRefs } from './move.ts'
import { getVerdict } from './preflight/preflight.ts'
import { publish } from './publish.ts'
import { readRegistry, readSnapshot } from './store/ReleaseStore.ts'
import type { FolderStore } from './store/folderStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'
import { captureOutput, printed, printedJson, runOn } from './testing/releaseCommand.ts'

captureOutput()

/** Seven remotes, as the product has. */
const remotes = ['account', 'audit', 'complaint', 'organization', 'registration', 'scan', 'user'].map(
  (name) => `remote-${name}`,
)
const ground = (react: string): Partial<BuildRecord> => ({
  provides: { react: `${react}.1.0`, '@dmp/kit': '1.12.0', '@dmp/contract': '1.12.0' },
})
const standing = (react: string): Partial<BuildRecord> => ({ consumes: { react: `^${react}.0.0` } })

/** Everything stands on React 19; what a React 20 needs is published, and not live. */
async function betweenMajors() {
  const store = aStore()
  const put = (name: string, react: string) =>
    publish(store, aBuild(name, react, { record: name === 'host' ? ground(react) : standing(react) }), {
      commit: react,
    })
  const [host, ...others] = await Promise.all(['host', ...remotes].map((name) => put(name, '19')))
  await activate(store, { parts: [host!, ...others] }, { by: 'test' })
  const [nextHost, ...nextOthers] = await Promise.all(['host', ...remotes].map((name) => put(name, '20')))
  return { store, host: nextHost!, others: nextOthers, before: await live(store) }
}

const live = async (store: FolderStore): Promise<Record<string, string>> => {
  const snapshot = await readSnapshot(store, (await readRegistry(store))!.live)
  return Object.fromEntries(listReleaseRefs(snapshot).map(({ name, releaseId }) => [name, releaseId]))
}
const join = (releases: readonly { name: string; releaseId: string }[]): string =>
  releases.map(({ name, releaseId }) => `${name}@${releaseId}`).join()

describe('another major version of React', () => {
  it('of the host alone is refused, by the name of each part that it would leave behind [P90]', async () => {
    const { store, host, before } = await betweenMajors()
    expect(await runOn(store, ['activate', 'host', '--release', host.releaseId])).toBe(3)
    for (const name of remotes)
      expect(printed.at(-1)).toContain(
        `${name} needs react ^19.0.0; the host ${host.releaseId} provides 20.1.0. Build ${name} against`,
      )
    expect(await live(store)).toEqual(before)
  })

  it('of one part alone is refused by its name, with the command that moves it together with a host [P90]', async () => {
    const { store, others, before } = await betweenMajors()
    const [first] = others
    expect(await runOn(store, ['activate', first!.name, '--release', first!.releaseId])).toBe(3)
    expect(printed.at(-1)).toContain(`activate host --release <id> --with ${first!.name}@${first!.releaseId}`)
    expect(await live(store)).toEqual(before)
  })

  it('goes live in one move of all, no page gets a mixture, and one rollback takes all of it back [P90]', async () => {
    const { store, host, others, before } = await betweenMajors()
    const { version } = (await readRegistry(store))!
    const together = ['host', '--release', host.releaseId, '--with', join(others)]
    expect(await runOn(store, ['activate', ...together, '--reason', 'React 20', '--json'])).toBe(0)
    const after = Object.fromEntries([host, ...others].map(({ name, releaseId }) => [name, releaseId]))
    expect(await live(store)).toEqual(after)
    expect(printedJson()).toMatchObject({ version: version + 1, move: { parts: ['host', ...remotes] } })

    // A host that cannot carry what it would fall back to has nothing to fall back to.
    const { page } = await compose(store, (await readRegistry(store))!.live)
    expect(page.remotes.map(({ previous }) => previous)).toEqual(remotes.map(() => undefined))

    // Alone no part goes back: the page would be a mixture.
    expect(await runOn(store, ['rollback', 'remote-scan'])).toBe(3)
    expect(await live(store)).toEqual(after)
    expect(await runOn(store, ['rollback', '--reason', 'too early'])).toBe(0)
    expect(await live(store)).toEqual(before)
    const back = await compose(store, (await readRegistry(store))!.live)
    expect(back.host.provides.react).toBe('19.1.0')
  })

  it('is no matter for a part that takes no React from the page: it is live before, during and after [P90]', async () => {
    const { store, host, others } = await betweenMajors()
    const build = aBuild('remote-other', 'own', { record: { consumes: { '@dmp/kit': '^1.12.0' } } })
    const own = await publish(store, build, { commit: 'own' })
    await activate(store, { parts: [own] }, { by: 'test' })
    expect(await runOn(store, ['activate', 'host', '--release', host.releaseId, '--with', join(others)])).toBe(0)
    expect(await live(store)).toMatchObject({ host: host.releaseId, 'remote-other': own.releaseId })
  })

  it('is tried together, and what was seen together counts for exactly that [P90]', async () => {
    const { store, host, others } = await betweenMajors()
    const together = ['host', '--release', host.releaseId, '--with', join(others)]
    const tried: string[][] = []
    const preflight = ({ store: ofCandidate, snapshot, changed, by }: Candidate) =>
      getVerdict(
        ofCandidate,
        snapshot,
        changed.map(({ name }) => name),
        {
          by,
          trial: async (composed, parts) => {
            tried.push([...parts])
            expect(composed.remotes.map(({ releaseId }) => releaseId)).toEqual(others.map(({ releaseId }) => releaseId))
            return { findings: [] }
          },
        },
      )
    expect(await runOn(store, ['check', ...together], { preflight })).toBe(0)
    expect(printed.at(-1)).toContain(`can go live together with ${join(others)}`)
    expect(await runOn(store, ['activate', ...together], { preflight })).toBe(0)
    expect(tried).toEqual([['host', ...remotes]])
  })

  it.each([
    [['check', 'host', '--with', 'remote-scan'], '--with needs other parts with their releases'],
    [['check', 'host', '--with', 'host@0123456789abcdef'], '--with needs other parts with their releases'],
    [['canary', 'host', '--with', 'remote-scan@0123456789abcdef'], '--with is for check and activate'],
  ])('%j is not understood, and changes nothing', async (words, says) => {
    const { store, before } = await betweenMajors()
    expect(await runOn(store, words)).toBe(2)
    expect(printed.at(-1)).toContain(says)
    expect(await live(store)).toEqual(before)
  })
})
