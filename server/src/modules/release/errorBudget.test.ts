import { release } from '@dmp/contract'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import { startCanary } from '@dmp/release/canary'
import { byTests, createTestReleases, type TestReleases } from '../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { addRemote, type TestRemote } from './remoteInTests.ts'

let server: TestServer
let releases: TestReleases
let root: SignedIn
let remote: TestRemote
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  remote = await addRemote(server, releases, root)
})

/** What pages told, as `release_reports` counts it. */
type Told = readonly [what: string, pages: number]

/** A canary of half of the people that pages told these things of. */
async function aCanary(...told: readonly Told[]): Promise<string> {
  const { releaseId } = await remote.put('two')
  await startCanary(releases.store, { name: remote.name, releaseId }, { percent: 50 }, byTests)
  await server.deps.db
    .insertInto('release_reports')
    .values(
      told.map(([what, pages]) => ({ part: remote.name, release_id: releaseId, what, pages, minute: new Date() })),
    )
    .execute()
  return releaseId
}
const promote = async (releaseId: string) => {
  const { status, raw } = await root.call(release.promoteCanary, { part: remote.name, releaseId })
  return { status, message: raw.json<{ message?: string }>().message }
}
const shareOf = async () =>
  (await readRegistry(releases.store))?.canaries?.find(({ name }) => name === remote.name)?.percent

describe('the error budget of a canary [P84]', () => {
  it('stops it from going to more people once it is used up, with a sentence, until somebody keeps it', async () => {
    const releaseId = await aCanary(['loaded', 190], ['error', 3], ['chunk', 1])
    const { status, message } = await promote(releaseId)
    expect([status, message]).toEqual([
      409,
      `The canary of ${remote.name} failed on 2.1 % of 191 pages; its error budget is 1 %. Look at its errors and bring a release without them, or keep this one on the platform screen.`,
    ])
    expect(await shareOf()).toBe(50)
    const activated = await root.call(release.activate, { part: remote.name, releaseId, unchecked: 'for once' })
    expect(activated.status).toBe(409)
    await root.call(release.keep, { part: remote.name, releaseId, isKept: true, reason: 'known' })
    expect((await promote(releaseId)).status).toBe(200)
    expect(await shareOf()).toBeUndefined()
  })

  it('is used up by just as many pages as it takes', async () => {
    expect((await promote(await aCanary(['loaded', 299], ['error', 3]))).status).toBe(409)
  })

  it.each<[string, Told[]]>([
    [
      'it failed on few pages',
      [
        ['loaded', 10],
        ['error', 2],
      ],
    ],
    [
      'it failed on just the share of its budget',
      [
        ['loaded', 300],
        ['error', 3],
      ],
    ],
    [
      'it failed on a small share',
      [
        ['loaded', 990],
        ['error', 5],
      ],
    ],
    [
      'a bad network failed',
      [
        ['loaded', 100],
        ['network', 20],
        ['timeout', 20],
      ],
    ],
    [
      'strangers told of failures',
      [
        ['loaded', 100],
        ['stranger', 50],
      ],
    ],
  ])('lets it go on where %s', async (_what, told) => {
    expect((await promote(await aCanary(...told))).status).toBe(200)
  })
})
