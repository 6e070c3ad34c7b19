import { audit, release, webhook } from '@dmp/contract'
import { activate, rollback } from '@dmp/release/activate'
import { startCanary, stopCanary } from '@dmp/release/canary'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { byTests, createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { demoPassword } from '../../account/demoAccounts.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { startReceiver, type Receiver } from '../../webhook/webhookInTests.ts'
import { createMachine } from '../door/doorInTests.ts'
import { addRemote, type TestRemote } from '../remoteInTests.ts'
import { tellNews } from './newsRounds.ts'

const team = 'team@elsewhere.example'

let server: TestServer
let releases: TestReleases
let root: SignedIn
let remote: TestRemote
let receiver: Receiver
beforeAll(async () => {
  server = await startServer({ DMP_WEBHOOK_HOSTS: '127.0.0.1' })
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
})
beforeEach(async () => {
  remote = await addRemote(server, releases, root)
  receiver = await startReceiver()
})
afterEach(async () => {
  await server.deps.db.deleteFrom('release_notices').execute()
  await server.deps.db.deleteFrom('webhooks').execute()
  await receiver.close()
})
afterAll(() => server.close())

const register = (more: object = {}) =>
  root.call(release.setNotices, { part: remote.name, emails: [team], url: null, password: demoPassword, ...more })
/** The round that each server makes by itself. */
const round = () => tellNews(server.deps, releases.store)
const mails = () =>
  server.deps.db
    .selectFrom('mails')
    .select(['subject', 'text'])
    .where('recipient', '=', team)
    .orderBy('created_date')
    .execute()
const rest = (minutes: number) =>
  server.deps.db
    .updateTable('release_notices')
    .set({ told_date: new Date(Date.now() - minutes * 60_000) })
    .execute()

async function makeLive(code: string): Promise<string> {
  const { releaseId } = await remote.put(code)
  await activate(releases.store, { parts: [{ name: remote.name, releaseId }] }, byTests)
  return releaseId
}

async function throwError(name: string, releaseId: string, line = 1): Promise<void> {
  const { cookie } = await remote.openBrowser('staff@north.example')
  const frames = [{ file: 'App.js', line, column: 7 }]
  const error = { part: remote.name, releaseId, name, message: '… is not iterable', frames }
  const headers = { cookie: `dmp-audience=${cookie?.value}` }
  expect((await server.call(release.reportErrors, { errors: [error] }, { headers })).status).toBe(200)
}

describe('the team of a part is told [P85]', () => {
  it('of errors that are new, in one mail with their places, and once', async () => {
    const releaseId = await makeLive('two')
    await throwError('SyntaxError', releaseId)
    await register()
    await round()
    expect(await mails()).toEqual([])
    for (const name of ['TypeError', 'RangeError', 'TypeError']) await throwError(name, releaseId)
    for (const again of [1, 2, 3]) await round().then(() => again)
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.subject).toBe(`News of ${remote.name}`)
    expect(mail?.text).toContain(`Pages told of 2 errors of ${remote.name} that are new.`)
    expect(mail?.text).toMatch(/TypeError: … is not iterable \(App\.js:1:7\)/)
    expect(mail?.text).toContain(`/platform/part/${remote.name}`)
    expect(mail?.text).not.toContain('SyntaxError')
  })

  it('of twelve that are new by their number and ten of them, and never of the others as new ones', async () => {
    const releaseId = await makeLive('two')
    await register()
    for (let line = 1; line <= 12; line += 1) await throwError('TypeError', releaseId, line)
    await round()
    await rest(61)
    await round()
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.text).toContain(`Pages told of 12 errors of ${remote.name} that are new.`)
    expect(mail?.text.match(/TypeError: … is not iterable \(App\.js:\d+:7\)/g)).toHaveLength(10)
  })

  it('once an hour at most, however much happens, and then of all of it', async () => {
    const releaseId = await makeLive('two')
    await register()
    await throwError('TypeError', releaseId)
    await round()
    await rest(59)
    await throwError('RangeError', releaseId)
    await round()
    expect(await mails()).toHaveLength(1)
    await rest(61)
    await round()
    expect((await mails())[1]?.text).toContain('RangeError')
  })

  it('at once of a release that was taken back, and not by whom or why', async () => {
    const releaseId = await makeLive('two')
    await register()
    await throwError('TypeError', releaseId)
    await round()
    await rollback(releases.store, { part: remote.name, by: 'ada@operator.example', reason: 'North Clinic complained' })
    await round()
    await round()
    const [, mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.subject).toBe(`A release of ${remote.name} was taken back`)
    expect(mail?.text).toContain(`Somebody rolled ${remote.name} back to the release before.`)
    expect(mail?.text).not.toMatch(/ada|operator|North Clinic/)
  })

  it('of a time that is over its budget, once for each release', async () => {
    const releaseId = await makeLive('two')
    await register()
    const setBudget = (p75: number) =>
      root.call(release.setBudgets, { part: remote.name, budgets: [{ what: 'start', p75 }] })
    await setBudget(1000)
    const slow = { part: remote.name, release_id: releaseId, day: '2026-11-26', what: 'start' as const }
    await server.deps.db
      .insertInto('release_times')
      .values({ ...slow, step: 2000, pages: 19 })
      .execute()
    await round()
    expect(await mails()).toEqual([])
    await server.deps.db.updateTable('release_times').set({ pages: 20 }).where('release_id', '=', releaseId).execute()
    // Just as long as it may.
    await setBudget(2000)
    await round()
    expect(await mails()).toEqual([])
    await setBudget(1000)
    await round()
    await rest(61)
    await round()
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.text).toContain(
      `Three in four pages need up to 2000 ms until release ${releaseId} stands; its budget is 1000 ms.`,
    )
  })

  it('of a canary that failed on more pages than its budget, and that it was stopped by itself', async () => {
    await makeLive('two')
    await register()
    const { releaseId } = await remote.put('three')
    await startCanary(releases.store, { name: remote.name, releaseId }, { percent: 50 }, byTests)
    const told = { part: remote.name, release_id: releaseId, minute: new Date() }
    await server.deps.db
      .insertInto('release_reports')
      .values([
        { ...told, what: 'loaded', pages: 100 },
        { ...told, what: 'error', pages: 4 },
      ])
      .execute()
    await round()
    expect((await mails()).map(({ text }) => text)).toEqual([
      expect.stringContaining(`Release ${releaseId} failed on 4 % of its pages; its budget is 1 %.`),
    ])
    await stopCanary(releases.store, remote.name, { by: 'automatic', reason: 'North Clinic complained' })
    await round()
    const [, mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.text).toContain(`The canary of ${remote.name} failed on people's pages and was stopped automatically.`)
    expect(mail?.text).not.toContain('North Clinic')
  })

  it('by a webhook that the package of Standard Webhooks verifies, and that names nobody', async () => {
    const releaseId = await makeLive('two')
    const { data } = await register({ emails: [], url: receiver.url })
    await throwError('TypeError', releaseId)
    await round()
    const [message] = await receiver.count(1)
    const verified = new StandardWebhook(data.secret ?? '').verify(
      message?.body ?? '',
      message?.headers as Record<string, string>,
    )
    expect(verified).toMatchObject({
      type: 'ReleaseNews',
      data: { part: remote.name, takenBack: [], spent: [], errorCount: 1, errors: [{ name: 'TypeError' }] },
    })
    expect(message?.body).not.toMatch(/staff|north|@/)
    // It stays with the webhooks of whoever registered it, who sees each delivery there.
    const { data: deliveries } = await root.call(webhook.listDeliveries, { webhookId: data.webhook?.id ?? '' })
    expect(deliveries).toMatchObject([{ type: 'ReleaseNews' }])
  })
})

describe('whom the news of a part go to [P85]', () => {
  it('is said by super administrators with their password, and read by the tokens of the part', async () => {
    for (const role of ['sys_admin', 'admin', 'staff'] as const) {
      const wanted = { part: remote.name, emails: [team], url: null, password: demoPassword }
      expect((await (await server.signIn(role)).call(release.setNotices, wanted)).status).toBe(403)
    }
    expect((await register({ password: 'Wrong one 12!' })).status).toBe(400)
    const { token } = await makeApiToken(root, { scopes: ['publish'], parts: [remote.name] })
    const machine = createMachine(server, token)
    const wanted = { part: remote.name, emails: [team], url: null, password: demoPassword }
    expect((await machine(release.setNotices, wanted)).status).toBe(403)
    expect((await machine(release.getNotices, { part: remote.name })).data).toMatchObject({ isOn: false, emails: [] })
    await register()
    expect((await machine(release.getNotices, { part: remote.name })).data).toMatchObject({
      isOn: true,
      emails: [team],
    })
    expect((await machine(release.getNotices, { part: 'remote-other' })).status).toBe(403)
    const [record] = (await root.call(audit.list, { event: 'ReleaseNoticesSet' })).data
    expect(JSON.stringify(record)).toContain(remote.name)
  })

  it.each([
    ['more than five addresses', { emails: Array.from({ length: 6 }, (_one, index) => `a${index}@elsewhere.example`) }],
    ['what is no address', { emails: ['team'] }],
    ['a webhook into the network of the server', { url: 'https://10.0.0.1/hook' }],
  ])('refuses %s', async (_what, more) => {
    expect((await register(more)).status).toBe(400)
  })

  it('is ended by the team, who goes on later with what is new then', async () => {
    const releaseId = await makeLive('two')
    const { token } = await makeApiToken(root, { scopes: ['publish'], parts: [remote.name] })
    const machine = createMachine(server, token)
    expect((await machine(release.switchNotices, { part: remote.name, isOn: false })).status).toBe(404)
    await register()
    expect((await machine(release.switchNotices, { part: remote.name, isOn: false })).status).toBe(200)
    await throwError('TypeError', releaseId)
    await rollback(releases.store, { part: remote.name, by: 'tests' })
    await round()
    await machine(release.switchNotices, { part: remote.name, isOn: true })
    await round()
    expect(await mails()).toEqual([])
    expect((await root.call(audit.list, { event: 'ReleaseNoticesSwitched' })).data).toHaveLength(2)
  })

  it('keeps a webhook’s secret while its address stays, and lets nobody make it tell of scans', async () => {
    const made = await register({ url: receiver.url })
    const again = await register({ url: receiver.url })
    expect([again.data.secret, again.data.webhook?.id]).toEqual([null, made.data.webhook?.id])
    const changed = await root.call(webhook.update, {
      id: made.data.webhook?.id ?? '',
      name: 'Scans',
      url: receiver.url,
      kinds: ['SeriesCreated'],
      password: demoPassword,
    })
    expect(changed.status).toBe(409)
    await register()
    expect((await root.call(release.getNotices, { part: remote.name })).data.webhook).toBeNull()
  })
})
