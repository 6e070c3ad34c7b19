import { activate } from '@dmp/release/activate'
import { startCanary } from '@dmp/release/canary'
import { readRegistry, readSnapshot } from '@dmp/release/store'
import { byTests, releasesOf, type TestReleases } from '../../testing/releases.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { checkForRollback } from './autoRollback.ts'

let server: TestServer
let releases: TestReleases
beforeEach(async () => {
  server = await startServer()
  releases = await releasesOf(server)
})
afterEach(() => server.close())

const part = 'remote-scan'
/** Two pages of two people each could not load it. */
async function failOnPages(releaseId: string): Promise<void> {
  for (const email of ['staff@north.example', 'admin@north.example'])
    await releases.report(email, { part, releaseId, what: 'http' }, { part, releaseId, what: 'http' })
  await checkForRollback(server.deps, releases.store, { name: part, releaseId })
}
/** What was begun behind an answer may be the one that does it. */
async function live(until: (releaseId: string | undefined) => boolean): Promise<string | undefined> {
  for (let tries = 0; ; tries += 1) {
    const registry = await readRegistry(releases.store)
    const found =
      registry &&
      (await readSnapshot(releases.store, registry.live)).remotes.find(({ name }) => name === part)?.releaseId
    if (until(found) || tries === 200) return found
    await new Promise((again) => setTimeout(again, 20))
  }
}

describe('a release that fails on pages', () => {
  it('is taken back itself, where a canary of the same part is under way [P31]', async () => {
    const [one, two, three] = [
      await releases.put(part, 'one'),
      await releases.put(part, 'two'),
      await releases.put(part, 'three'),
    ]
    for (const made of [one, two]) await activate(releases.store, { parts: [made] }, byTests)
    await startCanary(releases.store, three, { percent: 0, users: ['nobody@north.example'] }, byTests)
    await failOnPages(two.releaseId)
    expect(await live((found) => found === one.releaseId)).toBe(one.releaseId)
    expect((await readRegistry(releases.store))?.canaries).toMatchObject([{ releaseId: three.releaseId }])
  })

  it('stays where the one before does not fit any more, and the log says so', async () => {
    const wide = await releases.put(part, 'wide', ['/scan', '/scan-more'])
    await activate(releases.store, { parts: [wide] }, byTests)
    const [narrow, neighbour] = [
      await releases.put(part, 'narrow', ['/scan']),
      await releases.put('remote-more', 'one', ['/scan-more']),
    ]
    await activate(releases.store, { parts: [narrow, neighbour] }, byTests)
    await failOnPages(narrow.releaseId)
    expect(await live(() => true)).toBe(narrow.releaseId)
    expect(server.logs.join('')).toContain('a bad release could not be taken back by itself')
    expect(await server.deps.db.selectFrom('mails').select('id').execute()).toEqual([])
  })
})
