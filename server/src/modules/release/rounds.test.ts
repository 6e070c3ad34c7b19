import { audit, release } from '@dmp/contract'
import type { JourneyResult, Round } from '@dmp/contract/releaseRounds'
import { activate, rollback } from '@dmp/release/activate'
import { keepRelease } from '@dmp/release/kept'
import { startCanary } from '@dmp/release/canary'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import { sql } from 'kysely'
import { byTests, createTestReleases, type TestReleases } from '../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { makeApiToken } from '../apiToken/apiTokenInTests.ts'
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

const makeLive = async (code: string): Promise<string> => {
  const published = await remote.put(code)
  await activate(releases.store, { parts: [published] }, byTests)
  return published.releaseId
}

const aJourney = (over: Partial<JourneyResult> = {}): JourneyResult => ({
  title: `${remote.name} starts [2.58]`,
  outcome: 'failed',
  area: 'use',
  parts: [remote.name],
  clauses: ['2.58'],
  sentence: 'its first screen shows no error',
  ...over,
})

const toRound = async (releaseId: string, journeys: JourneyResult[], over: Partial<Round> = {}): Promise<Round> => ({
  kind: 'monitor',
  startedDate: new Date(Date.now() - 40_000).toISOString(),
  endedDate: new Date().toISOString(),
  snapshot: (await readRegistry(releases.store))?.live ?? '',
  parts: [{ name: remote.name, releaseId }],
  journeys,
  ...over,
})

/** A monitor as the deployment meets it: an API token, and nothing else. */
async function startMonitor(name = `Watch ${Math.random().toString(36).slice(2)}`) {
  const { token } = await makeApiToken(root, { scopes: ['monitor'], name })
  return { name, ...createTeller(token) }
}

function createTeller(secret: string) {
  const post = async <T>(path: string, payload: object) => {
    const headers = { authorization: `Bearer ${secret}` }
    const reply = await server.app.inject({ method: 'POST', url: `/api/Release/${path}`, headers, payload })
    return { status: reply.statusCode, ...reply.json<{ data: T; message?: string }>() }
  }
  return {
    tell: (round: Round) =>
      post<{ id: string; trials: { part: string; releaseId: string; previous: string; cookie: string }[] }>(
        'addRound',
        round,
      ),
    judge: (id: string, passed: string[], part = remote.name) =>
      post<{ isTakenBack: boolean; because: string }>('judgeRound', { id, part, passed }),
  }
}

const findVerdict = async (id: string): Promise<string | null | undefined> =>
  (await root.call(release.getQuality, {})).data.rounds.find((round) => round.id === id)?.verdict

describe('a monitor', () => {
  it('takes back a release that fails its journey twice, which passes with the release before [P31, P52]', async () => {
    const [first, second] = [(await remote.stranger.openPage())!, await makeLive('two')]
    const monitor = await startMonitor()
    const told = await monitor.tell(await toRound(second, [aJourney()]))
    expect(told.data.trials).toMatchObject([{ part: remote.name, releaseId: second, previous: first }])
    // What it tries is the release before, for nobody else and without an account.
    expect(await remote.createBrowser(told.data.trials[0]!.cookie).openPage()).toBe(first)
    expect(await remote.stranger.openPage()).toBe(second)
    const judged = await monitor.judge(told.data.id, [aJourney().title])
    expect(judged.data).toEqual({ isTakenBack: true, because: expect.stringContaining('rolled back') as unknown })
    expect(await remote.stranger.openPage()).toBe(first)
    expect((await remote.listMoves())?.[0]).toBe(`rollback by monitor ${monitor.name}`)
    const reason = (await readRegistry(releases.store))?.history[0]?.reason
    expect(reason).toBe(
      `“${aJourney().title}” failed twice with it (its first screen shows no error), and passes with the release before.`,
    )
    const { subject, text } = await server.mailTo('super@dmp.example')
    expect(subject).toBe(`${remote.name} was rolled back`)
    expect(text).toContain(`failed the journeys of the monitor ${monitor.name}`)
    const { data } = await root.call(audit.list, { event: 'ReleaseRolledBack', pageSize: 1 })
    expect(data[0]?.subject).toContainEqual({ key: 'by', value: `monitor ${monitor.name}` })
    expect(await findVerdict(told.data.id)).toContain('passes with the release before')
  })

  it('stops a canary that breaks its journeys, and leaves what is live [P31, P52]', async () => {
    const [first, second] = [(await remote.stranger.openPage())!, (await remote.put('two')).releaseId]
    await startCanary(releases.store, { name: remote.name, releaseId: second }, { percent: 100 }, byTests)
    const monitor = await startMonitor()
    const { data } = await monitor.tell(await toRound(second, [aJourney()]))
    expect(data.trials).toMatchObject([{ previous: first }])
    expect((await monitor.judge(data.id, [aJourney().title])).data.isTakenBack).toBe(true)
    expect((await remote.listMoves())?.[0]).toBe(`stop by monitor ${monitor.name}`)
  })

  it('takes back nothing where the journey fails with the release before as well [P52]', async () => {
    const second = await makeLive('two')
    const monitor = await startMonitor()
    const { data } = await monitor.tell(await toRound(second, [aJourney(), aJourney({ title: 'another', parts: [] })]))
    // That of a journey which does not name the part proves nothing, nor does one that was not told of.
    const judged = await monitor.judge(data.id, ['another', 'never told'])
    expect(judged.data).toEqual({ isTakenBack: false, because: expect.stringContaining('as well') as unknown })
    expect(await remote.stranger.openPage()).toBe(second)
    expect(await findVerdict(data.id)).toBe(judged.data.because)
  })

  it('is asked to try nothing that passed at the second try, that no failure names, or that is not watched', async () => {
    const first = (await remote.stranger.openPage())!
    const monitor = await startMonitor()
    const trialsOf = async (releaseId: string, journeys: JourneyResult[], over: Partial<Round> = {}) =>
      (await monitor.tell(await toRound(releaseId, journeys, over))).data.trials.length
    // What is live was never anything else.
    expect(await trialsOf(first, [aJourney()])).toBe(0)
    const second = await makeLive('two')
    expect(await trialsOf(second, [aJourney({ outcome: 'flaky' })])).toBe(0)
    expect(await trialsOf(second, [aJourney({ parts: ['host'] })])).toBe(0)
    expect(await trialsOf(first, [aJourney()])).toBe(0)
    expect(await trialsOf(second, [aJourney()], { kind: 'suite' })).toBe(0)
    expect(await trialsOf(second, [aJourney()])).toBe(1)
    await rollback(releases.store, { ...byTests, part: remote.name })
    expect(await trialsOf(first, [aJourney()])).toBe(0)
    // Some of its pages had the canary: nobody knows which of the two failed.
    const [third, fourth] = [await makeLive('three'), (await remote.put('four')).releaseId]
    await startCanary(releases.store, { name: remote.name, releaseId: fourth }, { percent: 50 }, byTests)
    expect([await trialsOf(third, [aJourney()]), await trialsOf(fourth, [aJourney()])]).toEqual([0, 1])
  })

  it('is asked to try three parts at most, however many its failures name', async () => {
    const parts = []
    for (let count = 0; count < 4; count += 1) {
      remote = await addRemote(server, releases, root)
      parts.push({ name: remote.name, releaseId: await makeLive('two') })
    }
    const round = await toRound('', [aJourney({ parts: parts.map(({ name }) => name) })], { parts })
    const { trials } = (await (await startMonitor()).tell(round)).data
    expect(trials.map(({ part }) => part)).toEqual(parts.slice(0, 3).map(({ name }) => name))
  })

  it('leaves a kept release, one that is no longer watched, and one that somebody exchanged meanwhile', async () => {
    const second = await makeLive('two')
    const monitor = await startMonitor()
    const round = await toRound(second, [aJourney()])
    const before = await monitor.tell(round)
    const again = await monitor.tell(round)
    await keepRelease(releases.store, { name: remote.name, releaseId: second }, byTests)
    expect((await monitor.tell(round)).data.trials).toEqual([])
    expect(server.logs.join('')).toContain('a release that is kept fails the journeys of a monitor')
    expect((await monitor.judge(before.data.id, [aJourney().title])).data.isTakenBack).toBe(false)
    expect(await remote.stranger.openPage()).toBe(second)
    const third = await makeLive('three')
    expect((await monitor.judge(again.data.id, [aJourney().title])).data.isTakenBack).toBe(false)
    expect(await remote.stranger.openPage()).toBe(third)
  })
})

describe('who may tell', () => {
  it('is a machine with the scope monitor, which only a super administrator gives [P35, P52]', async () => {
    for (const role of ['sys_admin', 'admin'] as const) {
      const who = await server.signIn(role)
      await expect(makeApiToken(who, { scopes: ['monitor'] })).rejects.toThrow('Only a super administrator')
    }
    const round = await toRound(await makeLive('two'), [aJourney()])
    const other = await makeApiToken(root, { scopes: ['read', 'upload', 'delete'] })
    const refused = await createTeller(other.token).tell(round)
    expect([refused.status, refused.message]).toEqual([403, expect.stringContaining('needs the scope "monitor"')])
    expect((await createTeller(`${other.token}x`).tell(round)).status).toBe(401)
    for (const role of ['sys_admin', 'admin', 'staff'] as const)
      expect((await (await server.signIn(role)).call(release.addRound, round)).status).toBe(403)
    expect((await server.call(release.addRound, round)).status).toBe(401)
  })

  it('opens nothing else with it: no scans, no releases [P35]', async () => {
    const { token } = await makeApiToken(root, { scopes: ['monitor'] })
    const headers = { authorization: `Bearer ${token}` }
    const ask = async (method: 'GET' | 'POST', url: string) =>
      (await server.app.inject({ method, url, headers, ...(method === 'POST' ? { payload: {} } : {}) })).statusCode
    const reads = ['Changes', 'Release/status', 'Release/getQuality', 'Audit/list'].map((path) => `/api/${path}`)
    for (const url of ['/dicom-web/studies', ...reads]) expect(await ask('GET', url)).toBe(403)
    // Two of them are open to machines, with another scope.
    for (const path of ['Release/keep', 'Override/add', 'Release/rollback', 'Release/activate'])
      expect(await ask('POST', `/api/${path}`)).toBe(403)
  })

  it('judges its own rounds alone, each part once, and only for some minutes', async () => {
    const second = await makeLive('two')
    const [monitor, thief] = [await startMonitor(), await startMonitor()]
    const round = await toRound(second, [aJourney()])
    const { data } = await monitor.tell(round)
    const passed = [aJourney().title]
    expect((await thief.judge(data.id, passed)).status).toBe(409)
    expect((await monitor.judge(data.id, passed, 'remote-other')).status).toBe(409)
    expect((await monitor.judge(data.id, [])).data.isTakenBack).toBe(false)
    expect((await monitor.judge(data.id, passed)).status).toBe(409)
    const late = (await monitor.tell(round)).data.id
    await server.deps.db
      .updateTable('release_rounds')
      .set({ created_date: sql<Date>`now() - interval '16 minutes'` })
      .where('id', '=', late)
      .execute()
    expect((await monitor.judge(late, passed)).status).toBe(409)
    expect(await remote.stranger.openPage()).toBe(second)
  })

  it('ends with the token, also in the middle of a round [P35]', async () => {
    const second = await makeLive('two')
    const { token, id } = await makeApiToken(root, { scopes: ['monitor'] })
    const monitor = createTeller(token)
    const { data } = await monitor.tell(await toRound(second, [aJourney()]))
    await server.app.inject({ method: 'PUT', url: `/api/ApiToken/end/${id}`, headers: { ...root.headers } })
    expect((await monitor.judge(data.id, [aJourney().title])).status).toBe(401)
    expect(await remote.stranger.openPage()).toBe(second)
  })
})

describe('the quality of what is live', () => {
  it('shows the newest result of each journey, and one that could not run hides no earlier one [P52]', async () => {
    const second = await makeLive('two')
    const monitor = await startMonitor()
    const seen = aJourney({ title: 'seen', outcome: 'passed' })
    await monitor.tell(await toRound(second, [seen, aJourney({ title: 'mended' })]))
    const untried = ['2.01']
    const suite = { kind: 'suite' as const, untried }
    const skipped = aJourney({ title: 'seen', outcome: 'skipped', sentence: 'it writes' })
    await root.call(
      release.addRound,
      await toRound(second, [skipped, aJourney({ title: 'mended', outcome: 'passed' })], suite),
    )
    const { data } = await root.call(release.getQuality, {})
    expect(data.snapshot).toBe((await readRegistry(releases.store))?.live)
    expect(data.journeys.map(({ title, outcome }) => [title, outcome]).sort()).toEqual([
      ['mended', 'passed'],
      ['seen', 'passed'],
    ])
    expect(data.untried).toEqual(untried)
    expect(data.rounds.slice(0, 2)).toMatchObject([
      { kind: 'suite', by: 'super@dmp.example', passed: 1, skipped: 1, failed: 0, verdict: null },
      { kind: 'monitor', by: `monitor ${monitor.name}`, passed: 1, failed: 1, seconds: 40 },
    ])
    // Another release is another product: nothing is known of it yet.
    await makeLive('three')
    expect((await root.call(release.getQuality, {})).data).toMatchObject({ journeys: [], untried: null })
    for (const role of ['sys_admin', 'admin', 'staff'] as const)
      expect((await (await server.signIn(role)).call(release.getQuality, {})).status).toBe(403)
  })

  it('keeps a bounded number of rounds, and takes none that is too long', async () => {
    const second = await makeLive('two')
    const monitor = await startMonitor()
    const round = await toRound(second, [aJourney({ outcome: 'passed' })])
    await sql`insert into release_rounds (teller_id, teller, kind, snapshot, started_date, ended_date, passed, failed,
      flaky, skipped, parts, journeys, trials)
      select gen_random_uuid(), 'old', 'monitor', ${round.snapshot}, now(), now(), 0, 0, 0, 0, '[]', '[]', '[]'
      from generate_series(1, 510)`.execute(server.deps.db)
    expect((await monitor.tell(round)).status).toBe(200)
    const { count } = await server.deps.db
      .selectFrom('release_rounds')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('kind', '=', 'monitor')
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(500)
    const many = Array.from({ length: 401 }, () => aJourney({ outcome: 'passed' }))
    const [long, broken] = [aJourney({ sentence: 'x'.repeat(301) }), aJourney({ title: 'two\nlines' })]
    for (const journeys of [many, [long], [broken]])
      expect((await monitor.tell({ ...round, journeys })).status).toBe(400)
  })
})
