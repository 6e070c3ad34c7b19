import { activate } from '@dmp/release/activate'
import { startCanary } from '@dmp/release/canary'
import { listReleaseRefs } from '@dmp/release/move'
import { readRegistry, readSnapshot } from '@dmp/release/store/ReleaseStore'
import { byTests, createTestReleases, type TestReleases } from '../../testing/releases.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { checkForRollback } from './autoRollback.ts'

let server: TestServer
let releases: TestReleases
beforeEach(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
})
afterEach(() => server.close())

const part = 'remote-scan'
/** Two pages of two people each could not load it. */
async function failOnPages(releaseId: string, name = part): Promise<void> {
  for (const email of ['staff@north.example', 'admin@north.example'])
    await releases.report(email, { part: name, releaseId, what: 'http' }, { part: name, releaseId, what: 'http' })
  await checkForRollback(server.deps, releases.store, { name, releaseId })
}
/** Waits for the live release, since background work may still be moving it. */
async function waitForLive(
  isExpected: (releaseId: string | undefined) => boolean,
  wanted = part,
): Promise<string | undefined> {
  for (let tries = 0; ; tries += 1) {
    const registry = await readRegistry(releases.store)
    const releaseId =
      registry &&
      listReleaseRefs(await readSnapshot(releases.store, registry.live)).find(({ name }) => name === wanted)?.releaseId
    if (isExpected(releaseId) || tries === 200) return releaseId
    await new Promise((again) => setTimeout(again, 20))
  }
}

describe('a release that fails on pages', () => {
  it('is taken back itself, where a canary of the same part is under way [P31]', async () => {
    const [first, second, third] = [
      await releases.put(part, 'one'),
      await releases.put(part, 'two'),
      await releases.put(part, 'three'),
    ]
    for (const published of [first, second]) await activate(releases.store, { parts: [published] }, byTests)
    await startCanary(releases.store, third, { percent: 0, users: ['nobody@north.example'] }, byTests)
    await failOnPages(second.releaseId)
    expect(await waitForLive((releaseId) => releaseId === first.releaseId)).toBe(first.releaseId)
    expect((await readRegistry(releases.store))?.canaries).toMatchObject([{ releaseId: third.releaseId }])
  })

  it('is taken back itself where it is the image viewer, whose pages count by themselves [P31]', async () => {
    const [first, second] = [
      await releases.put('viewer', 'one', ['/viewer']),
      await releases.put('viewer', 'two', ['/viewer']),
    ]
    for (const published of [first, second]) await activate(releases.store, { parts: [published] }, byTests)
    await failOnPages(second.releaseId, 'viewer')
    expect(await waitForLive((releaseId) => releaseId === first.releaseId, 'viewer')).toBe(first.releaseId)
  })

  it('is stopped as a canary of a part that was never live [P31]', async () => {
    await activate(releases.store, { parts: [await releases.put(part, 'one')] }, byTests)
    const fresh = await releases.put('remote-fresh', 'one', ['/fresh'])
    await startCanary(releases.store, fresh, { percent: 100 }, byTests)
    await failOnPages(fresh.releaseId, fresh.name)
    const canaries = async () => (await readRegistry(releases.store))?.canaries ?? []
    for (let tries = 0; tries < 200 && (await canaries()).length > 0; tries += 1)
      await new Promise((again) => setTimeout(again, 20))
    expect(await canaries()).toEqual([])
    const { reason } = (await readRegistry(releases.store))?.history[0] ?? {}
    expect(reason).toContain('there are no figures for the previous release')
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
    expect(await waitForLive(() => true)).toBe(narrow.releaseId)
    expect(server.logs.join('')).toContain('a failing release could not be rolled back automatically')
    expect(await server.deps.db.selectFrom('mails').select('id').execute()).toEqual([])
  })
})
