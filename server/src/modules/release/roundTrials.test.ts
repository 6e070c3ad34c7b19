import type { Round } from '@dmp/contract/releaseRounds'
import { activate } from '@dmp/release/activate'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import { byTests, createTestReleases, type TestReleases } from '../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { openGrant } from '../override/grant.ts'
import { addRemote, type TestRemote } from './remoteInTests.ts'
import { roundHandlers } from './rounds.ts'

let server: TestServer
let releases: TestReleases
let root: SignedIn
let remote: TestRemote
let releaseId: string
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  remote = await addRemote(server, releases, root)
  const published = await remote.put('two')
  await activate(releases.store, { parts: [published] }, byTests)
  releaseId = published.releaseId
})

/** A round of a monitor in which the journey of the part failed, told with these settings. */
async function tell(change: object = {}) {
  const handlers = withSettings(change)
  const viewer = (await server.deps.viewers.of(root.headers.authorization.replace('Bearer ', '')))!
  const context = { viewer: { ...viewer, fullName: 'x' } } as Parameters<typeof handlers.addRound>[1]
  const title = `${remote.name} starts [2.58]`
  const round: Round = {
    kind: 'monitor',
    startedDate: new Date(Date.now() - 40_000).toISOString(),
    endedDate: new Date().toISOString(),
    snapshot: (await readRegistry(releases.store))?.live ?? '',
    parts: [{ name: remote.name, releaseId }],
    journeys: [{ title, outcome: 'failed', area: 'use', parts: [remote.name], clauses: ['2.58'] }],
  }
  const told = await handlers.addRound(round, context)
  const judge = (later: object) =>
    withSettings(later).judgeRound({ id: told.id, part: remote.name, passed: [title] }, context)
  return { ...told, judge }
}
const withSettings = (change: object) =>
  roundHandlers({ ...server.deps, settings: { ...server.deps.settings, ...change } }, releases.store)

describe('the trial of a release by a monitor [P31, P52]', () => {
  it('is for a quarter of an hour, and for the release before alone', async () => {
    const [trial] = (await tell()).trials
    const grant = openGrant(server.deps.keys, trial?.cookie.split('=').slice(1).join('='))
    expect(grant).toMatchObject({ overrides: { [remote.name]: trial?.previous }, isTrial: true })
    expect(Math.round(((grant?.expires ?? 0) - Date.now()) / 60_000)).toBe(15)
  })

  it.each([{ releaseWatch: false }, { releaseWatchMinutes: 0 }])(
    'is not asked for where the operator switched the watch off, or the release is live for long: %j',
    async (change) => {
      expect((await tell(change)).trials).toEqual([])
    },
  )

  it.each([{ releaseWatch: false }, { releaseWatchMinutes: 0 }])(
    'takes nothing back where that came to be during the trial: %j',
    async (change) => {
      const { trials, judge } = await tell()
      expect(trials).toHaveLength(1)
      expect(await judge(change)).toMatchObject({ isTakenBack: false })
      expect(await remote.stranger.openPage()).toBe(releaseId)
    },
  )
})
