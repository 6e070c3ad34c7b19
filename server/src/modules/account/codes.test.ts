import { account } from '@dmp/contract'
import { demoPassword } from './demoAccounts.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer({ DMP_PUBLIC_URL: 'https://dmp.example.org' })
})
afterEach(() => server.close())

const mfa = 'mfa@north.example'
const login = (email = mfa, password = demoPassword, clientId = 'dmp-web') =>
  server.call(account.login, { ClientId: clientId, email, password })

/** A challenge with the code that was mailed for it. */
const challenge = async () => {
  const { data } = await login()
  const { code } = await server.mailTo(mfa)
  return { session: data.session ?? '', userId: data.userId ?? '', code: code ?? '' }
}
const wrongFor = (code: string): string => (code === '000000' ? '111111' : '000000')
const respond = ({ session, userId }: { session: string; userId: string }, mfaCode: string, clientId = 'dmp-web') =>
  server.call(account.respondToMFA, { session, userId, mfaCode, clientId })

describe('a verification code', () => {
  it('belongs to its challenge: the code of one sign-in opens no other [P05]', async () => {
    const older = await challenge()
    await server.deps.db.deleteFrom('mails').execute()
    const newer = await challenge()
    if (older.code !== newer.code) expect((await respond(newer, older.code)).code).toBe('WRONG_CODE')
    expect((await respond(newer, newer.code)).status).toBe(200)
  })

  it('stays good when somebody else who knows the password signs in, who gets two mails and a wait [P04, P05]', async () => {
    const own = await challenge()
    const others = []
    for (let n = 0; n < 5; n += 1) others.push(await login())
    expect(others.map((reply) => reply.status)).toEqual([200, 200, 429, 429, 429])
    expect(Number(others[4]?.headers['retry-after'])).toBeLessThanOrEqual(180)
    expect(await server.deps.db.selectFrom('mails').select('id').execute()).toHaveLength(3)
    expect((await respond(own, own.code)).status).toBe(200)
  })

  it('reaches a device that signed in before, and is taken from it, whatever others use up [P04, P05]', async () => {
    const first = await challenge()
    const cookies = (await respond(first, first.code)).raw.cookies
    const device = cookies.find(({ name }) => name.endsWith('dmp-device'))
    const guessed = await challenge()
    for (let n = 0; n < 5; n += 1) await respond(guessed, wrongFor(guessed.code))
    await login()
    await login()
    expect((await login()).status).toBe(429)
    await server.deps.db.deleteFrom('mails').execute()
    const headers = { cookie: `${device?.name}=${device?.value}` }
    const { data } = await server.call(
      account.login,
      { ClientId: 'dmp-web', email: mfa, password: demoPassword },
      { headers },
    )
    const { code } = await server.mailTo(mfa)
    expect((await respond({ session: data.session ?? '', userId: data.userId ?? '' }, code ?? '')).status).toBe(200)
  })

  it('belongs to its user and its client [P05]', async () => {
    const given = await challenge()
    expect((await respond({ ...given, userId: '00000000-0000-4000-8000-000000000804' }, given.code)).status).toBe(401)
    expect((await respond({ ...given, userId: 'no id at all' }, given.code)).status).toBe(401)
    expect((await respond(given, given.code, 'dmp-uploader')).status).toBe(401)
    expect((await respond(given, given.code)).status).toBe(200)
  })

  it('belongs to its purpose: its session opens neither a new password nor a reset [P05]', async () => {
    const given = await challenge()
    const newPassword = 'Another one 12!'
    expect(
      (
        await server.call(account.setNewPassword, {
          challengeResponse: { userName: given.userId, newPassword },
          clientId: 'dmp-web',
          session: given.session,
        })
      ).status,
    ).toBe(401)
    expect(
      (
        await server.call(account.resetForgotPassword, {
          UserId: given.userId,
          ConfirmationCode: given.session,
          NewPassword: newPassword,
          ConfirmNewPassword: newPassword,
          ClientId: 'dmp-web',
        })
      ).status,
    ).toBe(400)
  })

  it('bears five wrong tries, and a resend does not refill them [9.05, P05]', async () => {
    const first = await challenge()
    for (let n = 0; n < 3; n += 1) expect((await respond(first, wrongFor(first.code))).code).toBe('WRONG_CODE')
    await server.deps.db.deleteFrom('mails').execute()
    const second = await challenge()
    for (let n = 0; n < 2; n += 1) expect((await respond(second, wrongFor(second.code))).code).toBe('WRONG_CODE')
    const slowed = await respond(second, second.code)
    expect([slowed.status, Number(slowed.headers['retry-after'])]).toEqual([429, 1])
  })

  it('is worth nothing after five wrong tries, also when the account has waited [9.05, P05]', async () => {
    const given = await challenge()
    for (let n = 0; n < 5; n += 1) {
      expect((await respond(given, wrongFor(given.code))).code).toBe('WRONG_CODE')
      await server.deps.db.deleteFrom('login_attempts').execute()
    }
    expect((await respond(given, given.code)).code).toBe('CHALLENGE_OVER')
  })

  it('is used once by parallel answers [P05]', async () => {
    const given = await challenge()
    const replies = await Promise.all(Array.from({ length: 4 }, () => respond(given, given.code)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  it('is what the sign-in is recorded with [P24]', async () => {
    const given = await challenge()
    await respond(given, given.code)
    const rows = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'SignedIn')
      .where('actor_id', '=', given.userId)
      .orderBy('position')
      .execute()
    expect(rows.map(({ subject }) => subject)).toEqual([
      { step: 'verification code sent' },
      { sessionId: expect.any(String), clientId: 'dmp-web', step: 'verification code' },
    ])
  })

  it('ends after its minutes [9.05, P05]', async () => {
    const given = await challenge()
    const { created_date, expires_date } = await server.deps.db
      .selectFrom('challenges')
      .select(['created_date', 'expires_date'])
      .executeTakeFirstOrThrow()
    expect(Number(expires_date) - Number(created_date)).toBe(3 * 60_000)
    await server.deps.db
      .updateTable('challenges')
      .set({ expires_date: new Date(Date.now() - 1) })
      .execute()
    expect((await respond(given, given.code)).code).toBe('CHALLENGE_OVER')
  })

  it('is refused to a user who was deactivated meanwhile [4.03]', async () => {
    const given = await challenge()
    await server.deps.db.updateTable('users').set({ status: 'Deactivated' }).where('email', '=', mfa).execute()
    expect((await respond(given, given.code)).status).toBe(401)
  })
})

describe('a forgotten password', () => {
  const forgot = (Email: string, headers: Record<string, string> = {}) =>
    server.call(account.forgotPassword, { Email, ClientId: 'dmp-web' }, { headers })
  const linkFor = async (email: string) => {
    await forgot(email)
    const [link] = (await server.mailTo(email)).links
    const [, userId, code] = /\/reset-password\/([^/]+)\/([^/]+)$/.exec(link ?? '') ?? []
    return { link: link ?? '', userId: userId ?? '', code: code ?? '' }
  }
  const reset = (
    { userId, code }: { userId: string; code: string },
    password = 'Brand new 1234!',
    confirm = password,
  ) =>
    server.call(account.resetForgotPassword, {
      UserId: userId,
      ConfirmationCode: code,
      NewPassword: password,
      ConfirmNewPassword: confirm,
      ClientId: 'dmp-web',
    })

  it('mails a link to the address of the settings, whatever the request says it came to [2.06, 7.07, P06]', async () => {
    await forgot('staff@north.example', { host: '203.0.113.66', 'x-forwarded-host': 'evil.example' })
    const mail = await server.mailTo('staff@north.example')
    expect(mail.links[0]).toMatch(/^https:\/\/dmp\.example\.org\/reset-password\/[0-9a-f-]{36}\/[\w-]{43}$/)
    expect(mail.text + mail.html).not.toMatch(/evil\.example|203\.0\.113\.66/)
  })

  it('chooses the password once, ends every session, and says so by mail [2.44, 7.08, P06]', async () => {
    const before = await server.signIn('staff')
    const link = await linkFor('staff@north.example')
    await server.deps.db.deleteFrom('mails').execute()
    expect((await reset(link, 'Brand new 1234!', 'Brand new 1234?')).fields).toEqual([
      { path: 'ConfirmNewPassword', message: 'Please ensure the passwords match!' },
    ])
    expect((await reset(link, 'too short')).status).toBe(400)
    expect((await reset(link)).status).toBe(200)
    expect((await before.call(account.profile, {})).status).toBe(401)
    expect((await login('staff@north.example')).status).toBe(401)
    expect((await login('staff@north.example', 'Brand new 1234!')).status).toBe(200)
    expect((await server.mailTo('staff@north.example')).subject).toBe('Your password was changed')
    expect((await reset(link, 'Once again 1234!')).code).toBe('LINK_OVER')
  })

  it('is chosen by one of many who use the link at once [P06]', async () => {
    const link = await linkFor('staff@north.example')
    const replies = await Promise.all(Array.from({ length: 4 }, (_, n) => reset(link, `Brand new ${n}234!`)))
    expect(replies.map(({ status, code }) => code ?? status).sort()).toEqual([
      200,
      'LINK_OVER',
      'LINK_OVER',
      'LINK_OVER',
    ])
  })

  it('does not get around the second step [P06]', async () => {
    await reset(await linkFor(mfa))
    expect((await login(mfa, 'Brand new 1234!')).data).toMatchObject({ challengeName: 'MFA', accessToken: null })
  })

  it('leaves every step of a sign-in that is under way as it is, and is left as it is by one [P05, P06]', async () => {
    const begin = async (email: string) => {
      await server.deps.db
        .updateTable('users')
        .set({ temporary_until: new Date(Date.now() + 3_600_000) })
        .where('email', '=', email)
        .execute()
      return (await login(email)).data
    }
    const given = await challenge()
    const step = await begin('staff@north.example')
    for (const email of [mfa, 'staff@north.example']) await forgot(email)
    await server.mailTo('staff@north.example')
    expect((await respond(given, given.code)).status).toBe(200)
    const chosen = await server.call(account.setNewPassword, {
      challengeResponse: { userName: step.userId, newPassword: 'Another one 12!' },
      clientId: 'dmp-web',
      session: step.session,
    })
    expect(chosen.status).toBe(200)
    const link = await linkFor('admin@north.example')
    await begin('admin@north.example')
    expect((await reset(link)).status).toBe(200)
  })

  it('is not used up by opening the link: only the call does that [P06]', async () => {
    const link = await linkFor('staff@north.example')
    await server.app.inject({ method: 'GET', url: new URL(link.link).pathname })
    expect((await reset(link)).status).toBe(200)
  })

  it('ends when its time is over, when a newer one was mailed, and for somebody else [P06]', async () => {
    const older = await linkFor('staff@north.example')
    await server.deps.db.deleteFrom('mails').execute()
    const newer = await linkFor('staff@north.example')
    expect((await reset(older)).code).toBe('LINK_OVER')
    expect((await reset({ ...newer, userId: '00000000-0000-4000-8000-000000000803' })).code).toBe('LINK_OVER')
    await server.deps.db
      .updateTable('challenges')
      .set({ expires_date: new Date(Date.now() - 1) })
      .execute()
    expect((await reset(newer)).code).toBe('LINK_OVER')
  })

  it('answers alike for unknown, deactivated and known addresses, and mails only the last [7.07, P07]', async () => {
    await server.deps.db
      .updateTable('users')
      .set({ status: 'Deactivated' })
      .where('email', '=', 'admin@south.example')
      .execute()
    const replies = [
      await forgot('nobody@nowhere.example'),
      await forgot('admin@south.example'),
      await forgot('staff@north.example'),
    ]
    expect(new Set(replies.map((reply) => reply.status + reply.raw.body)).size).toBe(1)
    await server.mailTo('staff@north.example')
    const mails = await server.deps.db.selectFrom('mails').select('recipient').execute()
    expect(mails).toEqual([{ recipient: 'staff@north.example' }])
  })

  it.each([
    ['one after the other', 1],
    ['at once', 8],
  ])('mails one account at most five times an hour, asked %s [P19]', async (_how, atOnce) => {
    const works: Promise<unknown>[] = []
    jest.spyOn(server.deps, 'background').mockImplementation((work) => void works.push(work))
    for (let n = 0; n < 8; n += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, () => forgot('staff@north.example')))
      await Promise.all(works)
    }
    expect(await server.deps.db.selectFrom('mails').select('id').execute()).toHaveLength(5)
  })
})
