import { account, audit, businessUser, release } from '@dmp/contract'
import type { Observation } from '@dmp/contract/releaseReport'
import { activate, rollback } from '@dmp/release/activate'
import { startCanary } from '@dmp/release/canary'
import { readRegistry, swapRegistry } from '@dmp/release/store/ReleaseStore'
import { sql } from 'kysely'
import { byTests, createTestReleases, type TestReleases } from '../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { checkForRollback } from './autoRollback.ts'
import { addRemote, type TestRemote } from './remoteInTests.ts'

let server: TestServer
let releases: TestReleases
let root: SignedIn
let remote: TestRemote
let second: string
beforeEach(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
  remote = await addRemote(server, releases, root)
  // Two customers are at work.
  await remote.openBrowser('admin@south.example')
  second = await makeLive()
})
afterEach(() => server.close())

async function makeLive(): Promise<string> {
  const published = await remote.put('two')
  await activate(releases.store, { parts: [published] }, byTests)
  return published.releaseId
}
type Browser = Awaited<ReturnType<TestRemote['openBrowser']>>
const openBrowsers = (...emails: string[]) => Promise.all(emails.map((email) => remote.openBrowser(email)))
async function failOn(
  browsers: readonly Browser[],
  pages: number,
  releaseId = second,
  what: Observation['what'] = 'error',
): Promise<void> {
  for (let page = 0; page < pages; page += 1) for (const browser of browsers) await browser.report({ releaseId, what })
  await checkForRollback(server.deps, releases.store, { name: remote.name, releaseId })
}
const figures = async () => (await remote.findPart())?.live.figures
const newestMove = async () => (await remote.listMoves())?.[0]

describe('a release that is live for the people of several customers [P31]', () => {
  it('is not taken back by one customer’s former users, whatever cookies they kept', async () => {
    const browsers = await openBrowsers('staff@north.example', 'admin@north.example')
    for (const { userId } of browsers)
      expect((await root.call(businessUser.deactivateUser, { id: userId })).status).toBe(200)
    await failOn(browsers, 3)
    expect(await newestMove()).toBe('activate by a pipeline')
    expect(await figures()).toMatchObject({ failures: 0, errors: 0, strangers: 6 })
  })

  it('is not taken back by one customer’s people who are signed in', async () => {
    await failOn(await openBrowsers('staff@north.example', 'admin@north.example'), 5)
    expect(await figures()).toMatchObject({ errors: 10 })
    expect(await newestMove()).toBe('activate by a pipeline')
  })

  it.each([
    ['one network failure of another on 51 pages', ['network'], 50, 'error'],
    ['one error of another on 51 pages', ['error'], 50, 'error'],
    ['too small a share of another’s pages', ['error', 'error'], 50, 'error'],
    ['failures of another kind', ['http', 'http'], 0, 'error'],
    ['a bad network of both', ['network', 'network'], 0, 'network'],
    ['a slow network of both', ['timeout', 'timeout', 'timeout'], 0, 'timeout'],
  ] as const)('is not taken back by one customer’s failures beside %s', async (_what, seen, loaded, told) => {
    const [north, south] = (await openBrowsers('staff@north.example', 'admin@south.example')) as [Browser, Browser]
    for (const what of seen) await south.report({ releaseId: second, what })
    for (let page = 0; page < loaded; page += 1) await south.report({ releaseId: second, what: 'loaded' })
    await failOn([north], 5, second, told)
    expect((await figures())?.badShare).toBeGreaterThan(0.05)
    expect(await newestMove()).toBe('activate by a pipeline')
  })

  it('is taken back by the faults that both met, whatever their network did besides', async () => {
    const browsers = await openBrowsers('staff@north.example', 'admin@south.example')
    await failOn(browsers, 2, second, 'network')
    await failOn(browsers, 1, second, 'chunk')
    expect(await newestMove()).toBe('activate by a pipeline')
    await failOn(browsers, 1, second, 'chunk')
    await remote.waitForMove('rollback')
  })

  it('is not taken back by a fault that one of the two customers met as often before', async () => {
    const first = (await remote.findPart())?.before?.releaseId ?? ''
    const [north, south] = (await openBrowsers('staff@north.example', 'admin@south.example')) as [Browser, Browser]
    await rollback(releases.store, { ...byTests, part: remote.name })
    for (const what of ['error', 'loaded', 'loaded', 'loaded', 'loaded'] as const)
      await south.report({ releaseId: first, what })
    for (let page = 0; page < 5; page += 1) await north.report({ releaseId: first, what: 'loaded' })
    await activate(releases.store, { parts: [{ name: remote.name, releaseId: second }] }, byTests)
    for (let page = 0; page < 4; page += 1) await south.report({ releaseId: second, what: 'loaded' })
    await failOn([south], 2)
    await failOn([north], 5)
    expect(await newestMove()).toBe('activate by a pipeline')
  })

  it('is taken back for what the release before has met only since it gave way', async () => {
    const first = (await remote.findPart())?.before?.releaseId ?? ''
    const registry = await readRegistry(releases.store)
    if (!registry) throw new Error('no registry')
    const at = new Date(Date.now() - 600_000).toISOString()
    const history = registry.history.map((move) => ({ ...move, at }))
    await swapRegistry(releases.store, { ...registry, history, version: registry.version + 1 })
    // Pages that stay open go on with it, and fail as those of the second do.
    for (const { ago, what } of [
      { ago: '20 minutes', what: 'loaded' },
      { ago: '0 minutes', what: 'error' },
    ])
      await sql`insert into release_reports (part, release_id, minute, what, pages)
        select ${remote.name}, ${first}, date_trunc('minute', now() - ${ago}::interval), told, 50
        from (select ${what} as told union all select ${`${what}@`} || id from organizations) all_of_them`.execute(
        server.deps.db,
      )
    await failOn(await openBrowsers('staff@north.example', 'admin@south.example'), 2)
    await remote.waitForMove('rollback')
  })

  it('is taken back at once when the people of two customers meet failures, and the history names those', async () => {
    await failOn(await openBrowsers('staff@north.example', 'admin@south.example'), 2)
    await remote.waitForMove('rollback')
    const reason = (await readRegistry(releases.store))?.history[0]?.reason ?? ''
    expect(reason).toContain('Reported by 2 people of North-Clinic, South-Clinic.')
    expect((await root.call(release.history, {})).data[0]?.reason).toBe(reason)
    expect(reason).not.toMatch(/staff|@/)
    expect((await server.mailTo('super@dmp.example')).text).toContain('of North-Clinic, South-Clinic.')
  })

  it('is taken back where the provider’s own staff meet failures as well', async () => {
    await failOn(await openBrowsers('staff@north.example', 'sys@dmp.example'), 2)
    await remote.waitForMove('rollback')
  })

  it('is judged by no more pages than the gateway served to those who tell', async () => {
    const browsers = await openBrowsers('staff@north.example', 'admin@south.example')
    for (let times = 0; times < 10; times += 1)
      for (const browser of browsers) await browser.tell({ releaseId: second, what: 'error' })
    // The page of the sign-in, and none besides.
    expect(await figures()).toMatchObject({ errors: 2 })
    expect(await newestMove()).toBe('activate by a pipeline')
  })

  it('is judged by shares of all pages that were served, also of those that tell nothing', async () => {
    const silent = await remote.openBrowser('admin@north.example')
    await silent.openPage()
    await (await remote.openBrowser('admin@south.example')).report({ releaseId: second, what: 'error' })
    const { pages = 0, badShare } = (await figures()) ?? {}
    expect([pages, badShare]).toEqual([2, 0.5])
  })

  it('is not judged by cookies that are old, or of another’s session', async () => {
    const [browser] = await openBrowsers('staff@north.example')
    const [place, proof, , at, sessionProof] = browser?.cookie?.value.split('.') ?? []
    const [other] = await openBrowsers('admin@south.example')
    const [, , otherSession] = other?.cookie?.value.split('.') ?? []
    for (const forged of [
      [place, proof],
      [place, proof, otherSession, at, sessionProof],
      [place, proof, otherSession, String(Number(at) + 9), sessionProof],
    ])
      await remote.createBrowser(`dmp-audience=${forged.join('.')}`).report({ releaseId: second, what: 'error' })
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31 * 86_400_000)
    expect(await browser?.tell({ releaseId: second, what: 'error' })).toBe(200)
    jest.restoreAllMocks()
    const { db } = server.deps
    const told = db.selectFrom('release_reports').where('release_id', '=', second).where('what', '!=', 'served')
    const byKind = await told
      .select(['what', sql<number>`sum(pages)::int`.as('pages')])
      .groupBy('what')
      .execute()
    expect(byKind).toEqual([{ what: 'stranger', pages: 4 }])
    expect(await db.selectFrom('affected_users').select('part').execute()).toEqual([])
  })

  it('is kept where somebody marked it so, until the mark is taken away; the mark is recorded [P24]', async () => {
    const mark = (isKept: boolean) =>
      root.call(release.keep, { part: remote.name, releaseId: second, isKept, reason: 'closes a hole' })
    expect((await mark(true)).status).toBe(200)
    expect((await remote.findPart())?.live.kept).toMatchObject({ by: 'super@dmp.example', reason: 'closes a hole' })
    const browsers = await openBrowsers('staff@north.example', 'admin@south.example')
    await failOn(browsers, 3)
    expect(await newestMove()).toBe('activate by a pipeline')
    expect(server.logs.join('')).toContain('a release that is kept fails on pages')
    expect((await mark(false)).status).toBe(200)
    await failOn(browsers, 1)
    await remote.waitForMove('rollback')
    expect((await root.call(audit.list, { event: 'ReleaseKept' })).data).toMatchObject([
      { actorEmail: 'super@dmp.example' },
    ])
    expect((await root.call(release.keep, { part: remote.name, releaseId: second, isKept: true })).status).toBe(409)
    expect(
      (
        await (
          await server.signIn('sys_admin')
        ).call(release.keep, { part: remote.name, releaseId: second, isKept: true })
      ).status,
    ).toBe(403)
  })
})

describe('a release that keeps everybody from signing in [P31]', () => {
  const failHost = async (releaseId: string, ...browsers: Browser[]) => {
    for (let page = 0; page < 2; page += 1)
      for (const browser of browsers) await browser.report({ part: 'host', releaseId, what: 'http' })
  }

  it('is found by browsers of several customers on which people signed in before', async () => {
    const browsers = await openBrowsers('staff@north.example', 'admin@south.example')
    await sql`update sessions set ended_date = now(), end_reason = 'signed out' where binding_hash is not null`.execute(
      server.deps.db,
    )
    const host = await releases.put('host', 'broken')
    await activate(releases.store, { parts: [host] }, byTests)
    await failHost(host.releaseId, ...browsers)
    // A remote that nobody sees before the sign-in is not judged by them.
    for (const browser of browsers) await browser.report({ releaseId: second, what: 'http' })
    for (let tries = 0; tries < 200; tries += 1) {
      const move = (await readRegistry(releases.store))?.history[0]
      if (move?.by === 'automatic') {
        expect(move).toMatchObject({ change: 'rollback', parts: ['host'] })
        expect(await figures()).toMatchObject({ failures: 0, strangers: 2 })
        return
      }
      await new Promise((again) => setTimeout(again, 20))
    }
    throw new Error('The host was not rolled back.')
  })

  it('is shown to the operator, and not taken back, where only strangers tell of it', async () => {
    const host = await releases.put('host', 'broken')
    await activate(releases.store, { parts: [host] }, byTests)
    for (let page = 0; page < 9; page += 1)
      await remote.stranger.report({ part: 'host', releaseId: host.releaseId, what: 'http' })
    const shown = (await root.call(release.status, {})).data.parts.find(({ name }) => name === 'host')
    expect(shown?.live).toMatchObject({ releaseId: host.releaseId, figures: { failures: 0, strangers: 9 } })
  })
})

describe('a canary [P31]', () => {
  it('that reached several customers is not stopped by one of them', async () => {
    const { releaseId } = await remote.put('three')
    await startCanary(
      releases.store,
      { name: remote.name, releaseId },
      { percent: 0, users: ['staff@north.example', 'admin@south.example'] },
      byTests,
    )
    const [north, south] = (await openBrowsers('staff@north.example', 'admin@south.example')) as [Browser, Browser]
    await south.report({ releaseId, what: 'loaded' })
    await south.report({ releaseId, what: 'network' })
    await failOn([north], 4, releaseId)
    expect(await newestMove()).toBe('canary by a pipeline')
    await failOn([south], 2, releaseId)
    await remote.waitForMove('stop')
  })
})

it('is renewed with the session, so that reports go on counting while a person works', async () => {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const login = await server.call(
    account.login,
    { ClientId: 'dmp-web', email: 'staff@north.example', password: 'DemoPassw0rd!' },
    { headers },
  )
  const cookies = login.raw.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const renewed = await server.call(
    account.renewToken,
    { clientId: 'dmp-web', refreshToken: login.data.refreshToken ?? '' },
    { headers: { ...headers, cookie: cookies } },
  )
  const session = (reply: typeof login) =>
    reply.raw.cookies.find(({ name }) => name === 'dmp-audience')?.value.split('.')[2]
  expect([renewed.status, session(renewed)]).toEqual([200, session(login)])
})
