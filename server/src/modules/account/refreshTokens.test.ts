import { account } from '@dmp/contract'
import { anId } from '@dmp/contract/examples'
import { demoPassword } from './demoAccounts.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ DMP_RENEW_GRACE_SECONDS: '30' })
})
afterAll(() => server.close())

const renew = (refreshToken: string, clientId = 'dmp-web') =>
  server.call(account.renewToken, { clientId, refreshToken })
const findSession = async (who: SignedIn) =>
  server.deps.db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', who.userId)
    .orderBy('started_date', 'desc')
    .executeTakeFirstOrThrow()
/** As if the first use lay this far back. */
const age = async (sessionId: string, seconds: number) => {
  await server.deps.db
    .updateTable('refresh_tokens')
    .set({ used_date: new Date(Date.now() - seconds * 1000) })
    .where('session_id', '=', sessionId)
    .where('used_date', 'is not', null)
    .execute()
}

describe('renewing', () => {
  it('answers new tokens of the same session, which work [4.12, 7.06, P08]', async () => {
    const staff = await server.signIn('staff')
    const { status, data } = await renew(staff.tokens.refreshToken ?? '')
    expect(status).toBe(200)
    expect(data.refreshToken).not.toBe(staff.tokens.refreshToken)
    // Rounded up to whole seconds.
    expect([data.expiresIn! > 800, data.expiresIn! <= 15 * 60 + 1]).toEqual([true, true])
    expect(
      (await server.call(account.profile, {}, { headers: { authorization: `Bearer ${data.accessToken}` } })).data.id,
    ).toBe(staff.userId)
    expect((await renew(data.refreshToken ?? '')).status).toBe(200)
  })

  it('gives a repeat within 30 s the same successor: an answer may get lost [P08]', async () => {
    const staff = await server.signIn('staff')
    const first = await renew(staff.tokens.refreshToken ?? '')
    const again = await renew(staff.tokens.refreshToken ?? '')
    expect(again.data.refreshToken).toBe(first.data.refreshToken)
  })

  it('has one successor for fifty renewals at once [P08]', async () => {
    const staff = await server.signIn('staff')
    const all = await Promise.all(Array.from({ length: 50 }, () => renew(staff.tokens.refreshToken ?? '')))
    expect(new Set(all.map((reply) => reply.status))).toEqual(new Set([200]))
    expect(new Set(all.map((reply) => reply.data.refreshToken)).size).toBe(1)
    const session = await findSession(staff)
    const tokens = await server.deps.db
      .selectFrom('refresh_tokens')
      .select('hash')
      .where('session_id', '=', session.id)
      .execute()
    expect(tokens).toHaveLength(2)
  })

  it('ends the whole session when a used token comes later, records it and tells the user [P08]', async () => {
    const admin = await server.signIn('admin')
    const session = await findSession(admin)
    const { data } = await renew(admin.tokens.refreshToken ?? '')
    await age(session.id, 31)
    const reuse = await renew(admin.tokens.refreshToken ?? '')
    expect([reuse.status, reuse.code, reuse.message]).toEqual([
      401,
      'RENEWAL_FAILED',
      'Your session renewal has failed. Please Login again.',
    ])
    expect((await renew(data.refreshToken ?? '')).status).toBe(401)
    expect((await admin.call(account.profile, {})).status).toBe(401)
    expect((await server.mailTo('admin@north.example')).subject).toBe('We signed one of your devices out')
    const row = await server.deps.db
      .selectFrom('audit')
      .selectAll()
      .where('event', '=', 'RefreshTokenReused')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ actor_id: admin.userId, outcome: 'refused', subject: { sessionId: session.id } })
  })

  it.each([
    ['an unknown token', async () => renew('x'.repeat(43))],
    ['another client', async () => renew((await server.signIn('staff')).tokens.refreshToken ?? '', 'dmp-uploader')],
    ['an access token', async () => renew((await server.signIn('staff')).tokens.accessToken ?? '')],
  ])('refuses %s with the words of the catalogue [8.06, P08]', async (_what, attempt) => {
    const reply = await attempt()
    expect([reply.status, reply.message]).toEqual([401, 'Your session renewal has failed. Please Login again.'])
  })

  it('refuses when the pause was too long, or the session too old', async () => {
    for (const change of [
      { table: 'refresh_tokens', column: 'created_date' },
      { table: 'sessions', column: 'expires_date' },
    ] as const) {
      const staff = await server.signIn('staff')
      const session = await findSession(staff)
      const past = new Date(Date.now() - 9 * 3_600_000)
      if (change.table === 'sessions')
        await server.deps.db.updateTable('sessions').set({ expires_date: past }).where('id', '=', session.id).execute()
      else
        await server.deps.db
          .updateTable('refresh_tokens')
          .set({ created_date: past })
          .where('session_id', '=', session.id)
          .execute()
      expect((await renew(staff.tokens.refreshToken ?? '')).status).toBe(401)
    }
  })

  it.each([
    ['users', 'the person'],
    ['organizations', 'their organization'],
  ] as const)('refuses where %s of the database say that %s is deactivated [4.03]', async (table, _whose) => {
    const staff = await server.signIn('staff')
    const organizationId = await server.organizationOf(staff)
    const set = (status: 'Activated' | 'Deactivated') =>
      server.deps.db
        .updateTable(table as 'users')
        .set({ status })
        .where('id', '=', table === 'users' ? staff.userId : organizationId)
        .execute()
    await set('Deactivated')
    const refused = await renew(staff.tokens.refreshToken ?? '')
    await set('Activated')
    expect([refused.status, (await renew(staff.tokens.refreshToken ?? '')).status]).toEqual([401, 200])
  })

  it('refuses a browser whose person has been away for longer than the idle flow allows [4.13]', async () => {
    const browser = { origin: 'http://localhost:4000', host: 'localhost:4000' }
    const signedIn = await server.call(
      account.login,
      { ClientId: 'dmp-web', email: 'staff@north.example', password: demoPassword },
      { headers: browser },
    )
    const cookie = `dmp-binding=${signedIn.raw.cookies.find((one) => one.name === 'dmp-binding')?.value ?? ''}`
    const again = (refreshToken: string) =>
      server.call(account.renewToken, { clientId: 'dmp-web', refreshToken }, { headers: { ...browser, cookie } })
    const renewed = await again(signedIn.data.refreshToken ?? '')
    const { data } = renewed
    // Its next pages are still made for this person, and may open the image viewer; an app has no pages.
    expect(renewed.raw.cookies.map(({ name, path, maxAge }) => [name, path, maxAge])).toEqual([
      ['dmp-binding', '/api/account', 0],
      ['dmp-binding', '/', 86_400],
      ['dmp-audience', '/', 30 * 86_400],
    ])
    expect(renewed.raw.cookies[1]?.value).toBe(cookie.split('=')[1])
    expect((await renew((await server.signIn('staff')).tokens.refreshToken ?? '')).raw.cookies).toEqual([])
    await server.deps.db
      .updateTable('sessions')
      .set({ active_date: new Date(Date.now() - 31 * 60_000) })
      .where('binding_hash', 'is not', null)
      .execute()
    expect((await again(data.refreshToken ?? '')).status).toBe(401)
    // 10 minutes idle, 5 to answer the question, 15 of a token.
    await server.deps.db
      .updateTable('sessions')
      .set({ active_date: new Date(Date.now() - 29 * 60_000) })
      .where('binding_hash', 'is not', null)
      .execute()
    expect((await again(data.refreshToken ?? '')).status).toBe(200)
    // Where nobody has to be watched for activity, nobody is away.
    await server.deps.db
      .updateTable('sessions')
      .set({ active_date: new Date(Date.now() - 300 * 60_000) })
      .where('binding_hash', 'is not', null)
      .execute()
    Object.assign(server.deps.settings, { idleRequired: false })
    const unwatched = await again(data.refreshToken ?? '')
    Object.assign(server.deps.settings, { idleRequired: true })
    expect([unwatched.status, (await again(data.refreshToken ?? '')).status]).toEqual([200, 401])
  })

  it('needs no grace for its first use [P08]', async () => {
    const { settings } = server.deps
    const staff = await server.signIn('staff')
    Object.assign(settings, { renewGraceSeconds: 0 })
    const first = await renew(staff.tokens.refreshToken ?? '')
    Object.assign(settings, { renewGraceSeconds: 30 })
    expect(first.status).toBe(200)
  })

  it('says of a token that is over at once that a second is left of it', async () => {
    const { settings } = server.deps
    const staff = await server.signIn('staff')
    Object.assign(settings, { accessTokenMinutes: 0 })
    const { data } = await renew(staff.tokens.refreshToken ?? '')
    Object.assign(settings, { accessTokenMinutes: 15 })
    expect(data.expiresIn).toBe(1)
  })

  it('keeps tokens as hashes only', async () => {
    const staff = await server.signIn('staff')
    const rows = await server.deps.db.selectFrom('refresh_tokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(staff.tokens.refreshToken)
  })
})

describe('what ends sessions at once', () => {
  it('signing out: token and renewal are worth nothing, and doing it twice is fine [7.05]', async () => {
    const staff = await server.signIn('staff')
    for (let time = 0; time < 2; time += 1)
      expect((await server.call(account.logout, { refreshToken: staff.tokens.refreshToken ?? '' })).status).toBe(200)
    expect((await staff.call(account.profile, {})).status).toBe(401)
    expect((await renew(staff.tokens.refreshToken ?? '')).status).toBe(401)
  })

  it('signing out one: it ends, the others go on; neither this one nor that of somebody else can be named [P02, P73]', async () => {
    const [here, there, third] = await Promise.all([1, 2, 3].map(() => server.signIn('super_admin')))
    const stranger = await server.signIn('staff')
    const idOf = async ({ call }: typeof stranger) =>
      (await call(account.listSessions, {})).data.find((row) => row.isCurrent)?.id ?? ''
    const foreign = await here!.call(account.signOutSession, { id: await idOf(stranger) })
    const unknown = await here!.call(account.signOutSession, { id: anId(77) })
    const own = await here!.call(account.signOutSession, { id: await idOf(here!) })
    expect([foreign, unknown, own].map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await stranger.call(account.profile, {})).status).toBe(200)
    const ended = await idOf(there!)
    const after = await here!.call(account.signOutSession, { id: ended })
    expect(after.data.map(({ id }) => id)).not.toContain(ended)
    expect((await there!.call(account.profile, {})).status).toBe(401)
    for (const { call } of [here!, third!]) expect((await call(account.profile, {})).status).toBe(200)
  })

  it('signing out others: they end, this one goes on, and the list shows it', async () => {
    const [one, two] = [await server.signIn('sys_admin'), await server.signIn('sys_admin')]
    const before = await one.call(account.listSessions, {})
    expect(before.data.filter((row) => row.isCurrent)).toHaveLength(1)
    expect(before.data.length).toBeGreaterThanOrEqual(2)
    const after = await one.call(account.signOutOthers, {})
    expect(after.data).toHaveLength(1)
    expect((await two.call(account.profile, {})).status).toBe(401)
    expect((await one.call(account.profile, {})).status).toBe(200)
  })
})
