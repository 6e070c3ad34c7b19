import { audit, release } from '@dmp/contract'
import type { PageTime } from '@dmp/contract/releaseFigures'
import { activate } from '@dmp/release/activate'
import { byTests, createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { createMachine } from '../door/doorInTests.ts'
import { addRemote, type TestRemote } from '../remoteInTests.ts'

let server: TestServer
let releases: TestReleases
let root: SignedIn
let remote: TestRemote
let first: string
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
})
beforeEach(async () => {
  remote = await addRemote(server, releases, root)
  first = (await remote.stranger.openPage())!
})
afterAll(() => server.close())

const cookieOf = async (email: string) => (await remote.openBrowser(email)).cookie?.value
const aTime = (more: Partial<PageTime> = {}): PageTime => ({
  part: remote.name,
  releaseId: first,
  what: 'start',
  value: 100,
  ...more,
})
async function tell(cookie: string | undefined, ...times: PageTime[]): Promise<number> {
  const headers = cookie === undefined ? {} : { cookie: `dmp-audience=${cookie}` }
  return (await server.call(release.reportTimes, { times }, { headers })).status
}
const getFigures = async () => (await root.call(release.getFigures, { part: remote.name })).data
const timesOf = async (releaseId: string) =>
  (await getFigures()).releases.find((shown) => shown.releaseId === releaseId)?.times

describe('how long people wait for a part [P85]', () => {
  it('is shown by release as what three of four and nineteen of twenty pages needed', async () => {
    const staff = await cookieOf('staff@north.example')
    for (const value of [90, 95, 120, 2600]) await tell(staff, aTime({ value }), aTime({ what: 'cls', value: 12 }))
    const second = (await remote.put('two')).releaseId
    await activate(releases.store, { parts: [{ name: remote.name, releaseId: second }] }, byTests)
    await tell(staff, aTime({ releaseId: second, what: 'inp', value: 40 }))

    expect((await getFigures()).releases).toEqual([
      {
        releaseId: second,
        version: '1.0.0',
        state: 'live',
        openPages: 0,
        mostOpenPages: 0,
        times: [{ what: 'inp', p75: 50, p95: 50, pages: 1 }],
      },
      {
        releaseId: first,
        version: '1.0.0',
        state: 'earlier',
        openPages: 0,
        mostOpenPages: 0,
        times: [
          { what: 'start', p75: 150, p95: 3000, pages: 4 },
          { what: 'cls', p75: 25, p95: 25, pages: 4 },
        ],
      },
    ])
  })

  it('counts the word of those who may sign in, about releases that their pages can have', async () => {
    const staff = await cookieOf('staff@north.example')
    const draft = (await remote.put('a draft')).releaseId
    expect(await tell(undefined, aTime())).toBe(200)
    expect(await tell(staff?.replace(/.$/, 'x'), aTime())).toBe(200)
    await tell(staff, aTime({ releaseId: draft }), aTime({ releaseId: draft, what: 'open', value: 0 }))
    await tell(staff, aTime({ part: 'remote-unknown' }))
    expect((await getFigures()).releases).toMatchObject([{ releaseId: first, times: [], openPages: 0 }])
  })

  it.each([
    ['a time of nothing', { what: 'ttfb' }],
    ['a time that is too long', { value: 60_001 }],
    ['half a millisecond', { value: 0.5 }],
    ['more than the contract knows', { user: 'ada' }],
  ])('refuses %s', async (_what, more) => {
    expect(await tell(await cookieOf('staff@north.example'), aTime(more as Partial<PageTime>))).toBe(400)
  })

  it('ends at a thousand times of a session in a day', async () => {
    const staff = await cookieOf('staff@north.example')
    const forty = Array.from({ length: 40 }, (_one, index) => aTime({ value: index }))
    for (let calls = 0; calls < 27; calls += 1) await tell(staff, ...forty)
    // One page tells each kind once: what comes twice in one report counts once.
    const { rows } = await countRows()
    expect(rows).toBeLessThanOrEqual(25)
    expect(await tell(staff, aTime({ what: 'inp' }))).toBe(200)
    expect((await timesOf(first))?.map(({ what }) => what)).toEqual(['start'])
  })

  const countRows = async () => {
    const rows = await server.deps.db
      .selectFrom('release_times')
      .select('pages')
      .where('part', '=', remote.name)
      .execute()
    return { rows: rows.reduce((sum, { pages }) => sum + pages, 0) }
  }
})

describe('who still has which release [P85]', () => {
  it('is how many pages say so within an hour, also of a release that nobody gets any more', async () => {
    const open = (releaseId: string) => aTime({ releaseId, what: 'open', value: 0 })
    const [staff, admin] = [await cookieOf('staff@north.example'), await cookieOf('admin@south.example')]
    const second = (await remote.put('two')).releaseId
    await activate(releases.store, { parts: [{ name: remote.name, releaseId: second }] }, byTests)
    for (const cookie of [staff, admin]) await tell(cookie, open(first))
    await server.deps.db
      .updateTable('release_reports')
      .set({ minute: new Date(Date.now() - 5 * 3_600_000) })
      .where('part', '=', remote.name)
      .execute()
    await tell(staff, open(first), open(second))
    await tell(admin, open(second))
    expect((await getFigures()).releases).toMatchObject([
      { releaseId: second, state: 'live', openPages: 2, mostOpenPages: 2 },
      { releaseId: first, state: 'earlier', openPages: 1, mostOpenPages: 2 },
    ])
  })

  it('is told without anybody’s name or address', async () => {
    await tell(await cookieOf('staff@north.example'), aTime(), aTime({ what: 'open', value: 0 }))
    const { db } = server.deps
    const kept = [
      await db.selectFrom('release_times').selectAll().where('part', '=', remote.name).execute(),
      await db.selectFrom('release_reports').selectAll().where('what', '=', 'open').execute(),
    ]
    expect(kept.map((rows) => rows.length)).toEqual([1, 1])
    expect(JSON.stringify(kept)).not.toMatch(/staff|north|@|127\.0/)
  })
})

describe('budgets of a part [P85]', () => {
  it('are set by its team’s token and by super administrators, in the audit trail, and by nobody else', async () => {
    const budgets = [{ what: 'start' as const, p75: 1500 }]
    const token = async (...scopes: ('publish' | 'rollback')[]) =>
      createMachine(server, (await makeApiToken(root, { scopes, parts: [remote.name] })).token)
    const [publisher, other] = [await token('publish'), await token('rollback')]
    expect((await other(release.setBudgets, { part: remote.name, budgets })).status).toBe(403)
    expect((await publisher(release.setBudgets, { part: 'remote-other', budgets })).status).toBe(403)
    for (const role of ['sys_admin', 'admin', 'staff'] as const)
      expect((await (await server.signIn(role)).call(release.setBudgets, { part: remote.name, budgets })).status).toBe(
        403,
      )
    const set = await publisher(release.setBudgets, { part: remote.name, budgets })
    expect([set.status, set.data.budgets]).toEqual([200, budgets])
    const twice = [...budgets, ...budgets]
    expect((await root.call(release.setBudgets, { part: remote.name, budgets: twice })).status).toBe(400)
    await root.call(release.setBudgets, { part: remote.name, budgets: [] })
    expect((await getFigures()).budgets).toEqual([])
    expect((await root.call(audit.list, { event: 'ReleaseBudgetsSet' })).data).toHaveLength(2)
  })
})
