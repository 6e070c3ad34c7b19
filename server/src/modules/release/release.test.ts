import { audit, release } from '@dmp/contract'
import type { Observation } from '@dmp/contract/releaseReport'
import { activate } from '@dmp/release/activate'
import { startCanary } from '@dmp/release/canary'
import { publish } from '@dmp/release/publish'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import { sql } from 'kysely'
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

describe('reports of pages', () => {
  it('are counted by release and kind; the load time is that of three in four', async () => {
    const first = (await remote.stranger.openPage())!
    const staff = await remote.openBrowser('staff@north.example')
    for (const ms of [40, 90, 180, 4000]) expect(await staff.report({ releaseId: first, what: 'loaded', ms })).toBe(200)
    await staff.report({ releaseId: first, what: 'timeout' })
    await staff.report({ releaseId: first, what: 'error' })
    expect((await remote.findPart())?.live.figures).toEqual({
      pages: 5,
      failures: 1,
      errors: 1,
      badShare: 0.4,
      loadMsP75: 200,
      strangers: 0,
      faults: [{ fault: 'timeout', pages: 1 }],
    })
    // Only reports of the last day count, and a page counts once however often it failed.
    await server.deps.db
      .updateTable('release_reports')
      .set({ minute: sql`minute - interval '25 hours'` })
      .execute()
    for (const [what, bad] of [
      ['loaded', 0],
      ['error', 1],
      ['error', 1],
    ] as const)
      expect([
        await staff.report({ releaseId: first, what }),
        (await remote.findPart())?.live.figures.badShare,
      ]).toEqual([200, bad])
  })

  it('say nothing about anybody: what is kept are counts by the minute [P23]', async () => {
    const first = (await remote.stranger.openPage())!
    await (await remote.openBrowser('staff@north.example')).report({ releaseId: first, what: 'http' })
    const { db } = server.deps
    const storedText = JSON.stringify([
      await db.selectFrom('release_reports').selectAll().execute(),
      await db.selectFrom('affected_users').selectAll().execute(),
    ])
    expect(storedText).not.toMatch(/staff|north|\/scan/)
  })

  it('of strangers, of releases that were not offered, and of other people’s canaries count for nothing [P31]', async () => {
    const [first, second] = [(await remote.stranger.openPage())!, (await remote.put('two')).releaseId]
    await startCanary(
      releases.store,
      { name: remote.name, releaseId: second },
      { percent: 0, users: ['staff@north.example'] },
      byTests,
    )
    const admin = await remote.openBrowser('admin@north.example')
    expect(await remote.stranger.report({ releaseId: first, what: 'error' })).toBe(200)
    expect(await admin.report({ releaseId: second, what: 'error' }, { releaseId: 'f'.repeat(16), what: 'error' })).toBe(
      200,
    )
    // A stranger's failures of what is live are shown to the operator.
    expect(
      await server.deps.db
        .selectFrom('release_reports')
        .select(['release_id', 'what', 'pages'])
        .where('what', '!=', 'served')
        .execute(),
    ).toEqual([{ release_id: first, what: 'stranger', pages: 1 }])
    expect(
      await server.deps.db.selectFrom('affected_users').select('part').where('part', '=', remote.name).execute(),
    ).toEqual([])
    expect((await remote.findPart())?.live.figures).toMatchObject({ failures: 0, errors: 0, strangers: 1 })
  })

  it.each([
    ['words of their own', { what: 'Ms Ada Berg' }],
    ['an address', { url: '/scan/detail/1' }],
    ['a name that is no part', { part: '../registry' }],
    ['a time that nobody waits for', { what: 'loaded', ms: 1e9 }],
  ])('with %s are refused', async (_what, overrides) => {
    expect(await remote.stranger.report({ releaseId: 'a'.repeat(16), what: 'http', ...overrides } as Observation)).toBe(
      400,
    )
  })

  it('are few and small', async () => {
    const observation = { releaseId: 'a'.repeat(16), what: 'http' } as const
    expect(await remote.stranger.report(...Array.from({ length: 41 }, () => observation))).toBe(400)
    expect(await remote.stranger.report(...Array.from({ length: 400 }, () => observation))).toBe(413)
  })
})

describe('the calls of whoever decides', () => {
  it('show what is live and what is a canary, and every move', async () => {
    const two = await remote.put('two')
    await startCanary(releases.store, two, { percent: 10, users: ['staff@north.example'] }, byTests)
    const { data } = await root.call(release.status, {})
    expect(data.parts[0]?.name).toBe('host')
    for (const { live } of data.parts) expect(live.brotliBytes).toBeGreaterThan(0)
    expect(data.parts.find((part) => part.name === remote.name)).toMatchObject({
      title: remote.name,
      live: { version: '1.0.0', by: 'a pipeline' },
      canary: { releaseId: two.releaseId, percent: 10, users: ['staff@north.example'] },
      before: null,
    })
    expect((await root.call(release.history, {})).data.slice(0, 2)).toMatchObject([
      { change: 'canary', parts: [remote.name], percent: 10 },
      { change: 'activate' },
    ])
  })

  it('say how far a part is trusted: a super administrator alone, of what is live, and recorded [P24, P30]', async () => {
    const find = async () => (await root.call(release.status, {})).data.parts.find(({ name }) => name === remote.name)
    const releaseId = (await find())!.live.releaseId
    const say = (isGuest: boolean, more = {}) =>
      root.call(release.setTrust, { part: remote.name, releaseId, isGuest, reason: 'another company', ...more })
    expect((await find())?.isGuest).toBe(false)
    expect((await say(true)).status).toBe(200)
    expect((await find())?.isGuest).toBe(true)
    expect((await root.call(release.history, {})).data[0]).toMatchObject({
      parts: [remote.name],
      by: 'super@dmp.example',
      reason: 'a guest from now on: another company',
    })
    for (const [who, status] of [
      ['sys_admin', 403],
      ['admin', 403],
    ] as const) {
      const other = await server.signIn(who)
      expect((await other.call(release.setTrust, { part: remote.name, releaseId, isGuest: false })).status).toBe(status)
    }
    expect((await say(false, { releaseId: 'f'.repeat(16) })).status).toBe(409)
    expect((await root.call(release.setTrust, { part: 'host', releaseId, isGuest: true })).status).toBe(404)
    expect((await find())?.isGuest).toBe(true)
    expect((await say(false)).status).toBe(200)
    expect((await find())?.isGuest).toBe(false)
    for (const event of ['PartMadeGuest', 'PartTrusted'])
      expect((await root.call(audit.list, { event })).data).toMatchObject([{ actorEmail: 'super@dmp.example' }])
  })

  it('keep since when a release is live, and that it came back, when its part becomes a guest [P30, P31]', async () => {
    const find = () => remote.findPart()
    await activate(releases.store, { parts: [await remote.put('two')] }, byTests)
    const part = remote.name
    const say = async (isGuest: boolean) =>
      root.call(release.setTrust, { part, releaseId: (await find())!.live.releaseId, isGuest, reason: 'a trial' })
    const made = (await find())!
    expect((await say(true)).status).toBe(200)
    expect(await find()).toMatchObject({ live: { since: made.live.since, by: made.live.by }, isRolledBack: false })
    expect((await root.call(release.rollback, { part, releaseId: made.live.releaseId })).status).toBe(200)
    const back = (await find())!
    expect((await say(false)).status).toBe(200)
    // Else a server could take it back once more, to the release that was taken back.
    expect(await find()).toMatchObject({ live: { since: back.live.since }, isRolledBack: true, isGuest: false })
  })

  it('grow and stop a canary and roll one part back, recorded under the name of who did it [P24]', async () => {
    const first = (await remote.stranger.openPage())!
    const [two, three] = [await remote.put('two'), await remote.put('three')]
    const toInput = ({ releaseId }: { releaseId: string }) => ({ part: remote.name, releaseId })
    await startCanary(releases.store, two, { percent: 50 }, byTests)
    expect((await root.call(release.promoteCanary, toInput(two))).status).toBe(200)
    expect(await remote.stranger.openPage()).toBe(two.releaseId)
    await startCanary(releases.store, three, { percent: 1 }, byTests)
    expect((await root.call(release.stopCanary, { ...toInput(three), reason: 'not yet' })).status).toBe(200)
    const isRolledBack = async () =>
      (await root.call(release.status, {})).data.parts.find(({ name }) => name === remote.name)?.isRolledBack
    expect(await isRolledBack()).toBe(false)
    expect((await root.call(release.rollback, { ...toInput(two), reason: 'rows were missing' })).status).toBe(200)
    expect(await isRolledBack()).toBe(true)
    expect(await remote.stranger.openPage()).toBe(first)
    const events = (await root.call(audit.list, { sort: 'at', direction: 'desc' })).data.filter(({ event }) =>
      /^(?:Canary|Release)/.test(event),
    )
    expect(events.slice(0, 3).map(({ event, actorEmail }) => `${event} ${actorEmail}`)).toEqual([
      'ReleaseRolledBack super@dmp.example',
      'CanaryStopped super@dmp.example',
      'CanaryPromoted super@dmp.example',
    ])
    expect((await readRegistry(releases.store))?.history[0]).toMatchObject({
      change: 'rollback',
      by: 'super@dmp.example',
      reason: 'rows were missing',
    })
  })

  it('refuse to go back to what would not fit what is live by now, with the reason', async () => {
    const route = `/${remote.name.slice(7)}`
    const wide = await publish(releases.store, aBuild(remote.name, 'wide', { routes: [route, `${route}-more`] }), {
      commit: 'abc',
    })
    await activate(releases.store, { parts: [wide] }, byTests)
    const narrow = await remote.put('narrow')
    const neighbour = await publish(releases.store, aBuild(`${remote.name}x`, 'one', { routes: [`${route}-more`] }), {
      commit: 'abc',
    })
    await activate(releases.store, { parts: [narrow, neighbour] }, byTests)
    const reply = await root.call(release.rollback, { part: remote.name, releaseId: narrow.releaseId })
    expect([reply.status, reply.code, reply.message]).toEqual([
      409,
      'DOES_NOT_FIT',
      expect.stringContaining(`both claim ${route}-more`),
    ])
    expect(await remote.stranger.openPage()).toBe(narrow.releaseId)
    await activate(releases.store, { parts: [], remove: [neighbour.name] }, byTests)
  })

  it('answer 409 where something else is there by now, and record nothing', async () => {
    const staleInput = { part: remote.name, releaseId: 'f'.repeat(16) }
    const countRecords = async () =>
      (await root.call(audit.list, {})).data.filter(({ event }) => /^(?:Canary|Release)/.test(event)).length
    const previousCount = await countRecords()
    for (const call of [release.rollback, release.promoteCanary, release.stopCanary])
      expect(await root.call(call, staleInput)).toMatchObject({ status: 409 })
    const liveInput = { part: remote.name, releaseId: (await remote.stranger.openPage())! }
    expect(await root.call(release.rollback, liveInput)).toMatchObject({
      status: 409,
      code: 'NOT_POSSIBLE',
      message: expect.stringContaining(`nothing to roll ${remote.name} back to`) as unknown,
    })
    expect(await countRecords()).toBe(previousCount)
  })
})
