import { account, businessUser } from '@dmp/contract'
import { demoPassword } from './demoAccounts.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

/** Honest people get in while a stranger guesses (P04, P05). */
let server: TestServer
beforeEach(async () => {
  server = await startServer({ DMP_LIMIT_FACTOR: '1' })
})
afterEach(() => server.close())

const clinic = '203.0.113.7'
const stranger = '198.51.100.9'
const login = (email: string, password: string, remoteAddress = clinic, headers: Record<string, string> = {}) =>
  server.call(account.login, { ClientId: 'dmp-web', email, password }, { headers, remoteAddress })
const browser = { origin: 'http://localhost:4000', host: 'localhost:4000' }
const cookieOf = ({ raw }: Pick<Awaited<ReturnType<typeof login>>, 'raw'>): string =>
  `dmp-device=${raw.cookies.find(({ name }) => name === 'dmp-device')?.value ?? ''}`

/** As if every wait had begun just now, however slow this machine is. */
const holdUp = () =>
  server.deps.db
    .updateTable('login_attempts')
    .set({ blocked_until: new Date(Date.now() + 60_000) })
    .whereRef('blocked_until', '>', 'updated_date')
    .execute()
const guessAtAddress = async (remoteAddress: string) => {
  for (let n = 0; n < 30; n += 1) await login(`person${n}@north.example`, `wrong ${n}`, remoteAddress)
  await holdUp()
}
const guessAtAccount = async (email: string) => {
  for (let n = 0; n < 5; n += 1) await login(email, `wrong ${n}`, stranger)
  await holdUp()
}

describe('a stranger who knows the user id', () => {
  it('spends none of the attempts on a mailed code [P05]', async () => {
    const email = 'mfa@north.example'
    const { data } = await login(email, demoPassword)
    const { code } = await server.mailTo(email)
    const respond = (session: string, mfaCode: string, remoteAddress: string) =>
      server.call(
        account.respondToMFA,
        { session, userId: data.userId ?? '', mfaCode, clientId: 'dmp-web' },
        { remoteAddress },
      )
    for (let n = 0; n < 10; n += 1)
      expect((await respond(`made up ${n}`, '000000', stranger)).code).toBe('CHALLENGE_OVER')
    expect((await respond(data.session ?? '', code ?? '', clinic)).status).toBe(200)
  })

  it('spends none of the attempts on a new password or a reset link [P05, P06]', async () => {
    const newPassword = 'Another one 12!'
    const { data } = await login('new@north.example', demoPassword)
    await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })
    const [link = ''] = (await server.mailTo('staff@north.example')).links
    const [, UserId = '', code = ''] = /\/reset-password\/([^/]+)\/([^/]+)$/.exec(link) ?? []
    const choose = (session: string, userName: string) =>
      server.call(account.setNewPassword, {
        challengeResponse: { userName, newPassword },
        clientId: 'dmp-web',
        session,
      })
    const reset = (ConfirmationCode: string) =>
      server.call(account.resetForgotPassword, {
        UserId,
        ConfirmationCode,
        NewPassword: newPassword,
        ConfirmNewPassword: newPassword,
        ClientId: 'dmp-web',
      })
    for (let n = 0; n < 8; n += 1) {
      expect((await choose(`made up ${n}`, data.userId ?? '')).code).toBe('CHALLENGE_OVER')
      expect((await reset(`made up ${n}`)).code).toBe('LINK_OVER')
    }
    expect((await choose(data.session ?? '', 'new@north.example')).status).toBe(200)
    expect((await reset(code)).status).toBe(200)
  })

  it('does not keep the owner from a link: once the newest has ended, another one is mailed [P06]', async () => {
    const forgot = async () => {
      await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })
      await new Promise((pause) => setTimeout(pause, 60))
    }
    const countMails = async () => (await server.deps.db.selectFrom('mails').select('id').execute()).length
    // The answer does not wait for the mail, so that it says nothing of whether there is one (P07).
    const untilMailed = async (count: number) => {
      while ((await countMails()) < count) await new Promise((again) => setTimeout(again, 20))
      expect(await countMails()).toBe(count)
    }
    for (let n = 0; n < 7; n += 1) await forgot()
    await untilMailed(5)
    await server.deps.db
      .updateTable('challenges')
      .set({ expires_date: new Date(Date.now() - 1) })
      .execute()
    await forgot()
    await untilMailed(6)
  })
})

describe('a clinic behind one address', () => {
  it('lets a browser in that signed in before, however many guess beside it [P04]', async () => {
    const cookie = cookieOf(await login('staff@north.example', demoPassword, clinic, browser))
    await guessAtAddress(clinic)
    expect((await login('admin@north.example', demoPassword)).status).toBe(429)
    expect((await login('staff@north.example', demoPassword, clinic, { ...browser, cookie })).status).toBe(200)
    // The cookie of one person opens nothing for another.
    expect((await login('admin@north.example', demoPassword, clinic, { ...browser, cookie })).status).toBe(429)
  })

  it('is not held up by an uploader that goes on with an old password [P04]', async () => {
    for (let n = 0; n < 40; n += 1) {
      await login('service@north.example', 'the password of last year')
      await server.deps.db
        .updateTable('login_attempts')
        .set({ blocked_until: new Date(Date.now() - 1000) })
        .execute()
    }
    expect((await login('staff@north.example', demoPassword)).status).toBe(200)
  })

  it('has to wait at its address without its people having to wait on their accounts [P04]', async () => {
    await guessAtAddress(clinic)
    for (let n = 0; n < 8; n += 1) expect((await login('staff@north.example', demoPassword)).status).toBe(429)
    expect((await login('staff@north.example', demoPassword, '203.0.113.99')).status).toBe(200)
  })
})

it('counts the addresses of one IPv6 network together, and IPv4 in the form of IPv6 as IPv4 [P04]', async () => {
  for (let n = 0; n < 30; n += 1)
    await login(`person${n}@north.example`, 'wrong', `2001:db8:1:2::${(n + 1).toString(16)}`)
  await holdUp()
  expect((await login('admin@north.example', demoPassword, '2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await login('admin@north.example', demoPassword, '2001:db8:1:3::1')).status).toBe(200)
  await guessAtAddress(`::ffff:${clinic}`)
  expect((await login('admin@north.example', demoPassword, clinic)).status).toBe(429)
})

describe('a lockout', () => {
  it('does not reach an app that kept the cookie of its last sign-in [P04]', async () => {
    const uploader = (headers = {}) =>
      server.call(
        account.login,
        { ClientId: 'dmp-uploader', email: 'service@north.example', password: demoPassword },
        { headers, remoteAddress: clinic },
      )
    const cookie = cookieOf(await uploader())
    await guessAtAccount('service@north.example')
    expect((await uploader()).status).toBe(429)
    expect((await uploader({ cookie })).status).toBe(200)
    // It is no session: such an app has no browser to bind one to.
    const { binding_hash: binding } = await server.deps.db
      .selectFrom('sessions')
      .select('binding_hash')
      .orderBy('started_date', 'desc')
      .executeTakeFirstOrThrow()
    expect(binding).toBeNull()
  })

  it('is seen among the audit rows, with how long it lasts [P24]', async () => {
    await guessAtAccount('staff@north.example')
    const rows = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'SignInFailed')
      .orderBy('position')
      .execute()
    expect(rows.map(({ subject }) => subject)).toEqual([
      ...Array<object>(4).fill({ reason: 'wrong password' }),
      { reason: 'wrong password', waitSeconds: 1 },
    ])
  })

  it('ends with a link from the own mailbox, and with a new temporary password [P04, P06]', async () => {
    await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })
    const [link = ''] = (await server.mailTo('staff@north.example')).links
    const [, UserId = '', ConfirmationCode = ''] = /\/reset-password\/([^/]+)\/([^/]+)$/.exec(link) ?? []
    const staff = await server.signIn('staff')
    const confirm = ({ authorization }: Record<string, string>) =>
      server.call(
        account.changePassword,
        { oldPassword: 'wrong', newPassword: demoPassword, confirmNewPassword: demoPassword },
        { headers: { authorization } },
      )
    for (let n = 0; n < 5; n += 1) await confirm(staff.headers)
    await holdUp()
    expect((await confirm(staff.headers)).status).toBe(429)
    await guessAtAccount('staff@north.example')
    await guessAtAccount('new@north.example')
    const NewPassword = 'Brand new 1234!'
    const chosen = { UserId, ConfirmationCode, NewPassword, ConfirmNewPassword: NewPassword, ClientId: 'dmp-web' }
    expect((await server.call(account.resetForgotPassword, chosen)).status).toBe(200)
    const { status, data } = await login('staff@north.example', NewPassword)
    expect(status).toBe(200)
    // It was counted apart, and is over with the rest.
    expect((await confirm({ authorization: `Bearer ${data.accessToken}` })).status).toBe(400)

    const admin = await server.signIn('admin')
    const { id } = await server.deps.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'new@north.example')
      .executeTakeFirstOrThrow()
    expect((await login('new@north.example', 'wrong')).status).toBe(429)
    expect((await admin.call(businessUser.resetTemporaryPassword, { id })).status).toBe(200)
    expect((await login('new@north.example', 'wrong')).status).toBe(401)
  })

  it('does not come back on the browser that opened the link, however long the stranger goes on [P04, P06]', async () => {
    await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })
    const [link = ''] = (await server.mailTo('staff@north.example')).links
    const [, UserId = '', ConfirmationCode = ''] = /\/reset-password\/([^/]+)\/([^/]+)$/.exec(link) ?? []
    const NewPassword = 'Brand new 1234!'
    const chosen = { UserId, ConfirmationCode, NewPassword, ConfirmNewPassword: NewPassword, ClientId: 'dmp-web' }
    const wrongLink = { ...chosen, ConfirmationCode: 'x'.repeat(43) }
    const open = (input: typeof chosen) =>
      server.call(account.resetForgotPassword, input, { headers: browser, remoteAddress: clinic })
    expect(cookieOf(await open(wrongLink))).toBe('dmp-device=')
    const cookie = cookieOf(await open(chosen))
    await guessAtAccount('staff@north.example')
    expect((await login('staff@north.example', NewPassword, clinic, browser)).status).toBe(429)
    expect((await login('staff@north.example', NewPassword, clinic, { ...browser, cookie })).status).toBe(200)
  })
})
