import { account, businessUser } from '@dmp/contract'
import { rightsOfRole } from '@dmp/contract/policy'
import { demoPassword } from './demoAccounts.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const login = (email: string, password = demoPassword, headers: Record<string, string> = {}) =>
  server.call(account.login, { ClientId: 'dmp-web', email, password }, { headers })
const browser = { origin: 'http://localhost:4000', host: 'localhost:4000' }

describe('signing in', () => {
  it('answers tokens and the profile with the policy of the role [3.01, 3.04, 7.03, 7.09]', async () => {
    const { status, data } = await login('staff@north.example')
    expect(status).toBe(200)
    expect(data).toMatchObject({ challengeName: null, session: null })
    expect(data.expiresIn).toBeGreaterThan(800)
    const profile = await server.call(account.profile, {}, { headers: { authorization: `Bearer ${data.accessToken}` } })
    expect(profile.data).toMatchObject({
      email: 'staff@north.example',
      fullName: 'Mr Noah Weber',
      organization: { name: 'North-Clinic' },
      role: { role: 'staff', roleDisplayName: 'Staff' },
    })
    expect(profile.data.policy.find((entry) => entry.module === 'Scan')?.actions).toEqual(rightsOfRole.staff.Scan)
  })

  it('takes the email in any case and refuses a wrong password and an unknown address alike [7.03, P07]', async () => {
    expect((await login('Staff@North.EXAMPLE')).status).toBe(200)
    const wrong = await login('staff@north.example', 'not-the-password')
    const unknown = await login('nobody@north.example', 'not-the-password')
    expect([wrong.status, wrong.code, wrong.message]).toEqual([
      401,
      'WRONG_CREDENTIALS',
      'The email or the password is not correct.',
    ])
    expect([unknown.status, unknown.code, unknown.message]).toEqual([wrong.status, wrong.code, wrong.message])
  })

  it('lets a service user in on the server, for the uploader [1.11, 6.01]', async () => {
    expect((await login('service@north.example')).data.accessToken).toEqual(expect.any(String))
  })

  it('refuses a client id that is not known', async () => {
    const { status, fields } = await server.call(account.login, {
      ClientId: 'elsewhere',
      email: 'staff@north.example',
      password: demoPassword,
    })
    expect([status, fields?.[0]?.path]).toEqual([400, 'ClientId'])
  })
})

describe('the second step', () => {
  it('mails a code of six digits that works once [2.42, 4.10, 5.03, 7.11, P05]', async () => {
    const { data } = await login('mfa@north.example')
    expect(data).toMatchObject({ challengeName: 'MFA', accessToken: null })
    const { code } = await server.mailTo('mfa@north.example')
    expect(code).toMatch(/^\d{6}$/)
    const answer = { clientId: 'dmp-web', session: data.session ?? '', userId: data.userId ?? '', mfaCode: code ?? '' }
    const wrong = await server.call(account.respondToMFA, {
      ...answer,
      mfaCode: code === '000000' ? '000001' : '000000',
    })
    expect([wrong.status, wrong.code]).toEqual([401, 'WRONG_CODE'])
    expect((await server.call(account.respondToMFA, answer)).data.accessToken).toEqual(expect.any(String))
    const again = await server.call(account.respondToMFA, answer)
    expect([again.status, again.code]).toEqual([401, 'CHALLENGE_OVER'])
  })
})

describe('the first sign-in', () => {
  it('asks for a new password and then signs in with it [2.43, 4.10, 5.01, 7.04]', async () => {
    const { data } = await login('new@north.example')
    expect(data).toMatchObject({ challengeName: 'new-password-required', accessToken: null })
    const choose = (newPassword: string) =>
      server.call(account.setNewPassword, {
        challengeResponse: { userName: data.userId ?? '', newPassword },
        clientId: 'dmp-web',
        session: data.session ?? '',
      })
    expect(await choose('short')).toMatchObject({ status: 400, fields: [{ path: 'challengeResponse.newPassword' }] })
    expect(await choose(demoPassword)).toMatchObject({ status: 400, code: 'SAME_PASSWORD' })
    expect((await choose('Chosen-by-me 1!'.replaceAll('-', ' '))).data.accessToken).toEqual(expect.any(String))
    expect((await choose('Other words 12!')).code).toBe('CHALLENGE_OVER')
    expect((await login('new@north.example')).status).toBe(401)
    expect((await login('new@north.example', 'Chosen by me 1!')).data.challengeName).toBeNull()
  })
})

describe('the first sign-in, at once', () => {
  it('takes one of the passwords that are chosen [2.43, 7.04]', async () => {
    await server.deps.db
      .updateTable('users')
      .set({ temporary_until: new Date(Date.now() + 3_600_000), is_confirmed: false })
      .where('email', '=', 'staff@north.example')
      .execute()
    const { data } = await login('staff@north.example')
    const choose = (newPassword: string) =>
      server.call(account.setNewPassword, {
        challengeResponse: { userName: data.userId ?? '', newPassword },
        clientId: 'dmp-web',
        session: data.session ?? '',
      })
    const replies = await Promise.all(['One of mine 1!', 'Two of mine 2!', 'Three of mine 3!'].map(choose))
    expect(replies.map(({ status, code }) => code ?? status).sort()).toEqual([200, 'CHALLENGE_OVER', 'CHALLENGE_OVER'])
    // Whoever chose one is sent no temporary one any more.
    const admin = await server.signIn('admin')
    expect((await admin.call(businessUser.resetTemporaryPassword, { id: data.userId ?? '' })).code).toBe(
      'ALREADY_CONFIRMED',
    )
    await server.deps.db
      .updateTable('users')
      .set({ password_hash: await server.deps.hasher.hash(demoPassword) })
      .where('email', '=', 'staff@north.example')
      .execute()
  })
})

describe('over HTTPS', () => {
  it('cookies carry names that the browser binds to this host [P10]', async () => {
    const secure = await startServer({ DMP_PUBLIC_URL: 'https://dmp.example.org' })
    try {
      const { raw, data } = await secure.call(
        account.login,
        { ClientId: 'dmp-web', email: 'staff@north.example', password: demoPassword },
        { headers: { origin: 'https://dmp.example.org' } },
      )
      expect(raw.cookies.map((one) => one.name).sort()).toEqual([
        '__Host-dmp-audience',
        '__Host-dmp-binding',
        '__Host-dmp-device',
      ])
      // What only chooses releases goes along where a page is opened from a mail, too.
      for (const one of raw.cookies)
        expect(one).toMatchObject({
          secure: true,
          httpOnly: true,
          sameSite: one.name.endsWith('audience') ? 'Lax' : 'Strict',
          path: '/',
        })
      const cookie = raw.cookies.map((one) => `${one.name}=${one.value}`).join('; ')
      expect(
        (
          await secure.call(
            account.renewToken,
            { clientId: 'dmp-web', refreshToken: data.refreshToken ?? '' },
            { headers: { cookie } },
          )
        ).status,
      ).toBe(200)
    } finally {
      await secure.close()
    }
  })
})

describe('without HTTPS', () => {
  it('no browser is told to ask for nothing else from now on', async () => {
    expect((await server.app.inject('/healthz')).headers['strict-transport-security']).toBeUndefined()
  })
})

describe('a browser', () => {
  it('gets a refresh token that is useless without its cookie', async () => {
    const signedIn = await login('staff@north.example', demoPassword, browser)
    const cookie = signedIn.raw.cookies.find((one) => one.name === 'dmp-binding')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    const renew = (headers: Record<string, string>) =>
      server.call(
        account.renewToken,
        { clientId: 'dmp-web', refreshToken: signedIn.data.refreshToken ?? '' },
        { headers },
      )
    expect((await renew({})).status).toBe(401)
    expect((await renew({ ...browser, cookie: `dmp-binding=${'x'.repeat(43)}` })).status).toBe(401)
    expect((await renew({ ...browser, cookie: `dmp-binding=${cookie?.value ?? ''}` })).data.accessToken).toEqual(
      expect.any(String),
    )
  })

  it('that signs in again has another session, and its cookie renews the one before no more', async () => {
    const first = await login('staff@north.example', demoPassword, browser)
    const cookieOf = ({ raw }: typeof first) => raw.cookies.findLast((one) => one.name === 'dmp-binding')?.value ?? ''
    const headers = { ...browser, cookie: `dmp-binding=${cookieOf(first)}` }
    const second = await login('staff@north.example', demoPassword, headers)
    expect(cookieOf(second)).not.toBe(cookieOf(first))
    const sessionOf = ({ data }: typeof first): unknown =>
      (JSON.parse(Buffer.from(data.accessToken?.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid
    expect(sessionOf(second)).not.toBe(sessionOf(first))
    const renew = ({ data }: typeof first) =>
      server.call(
        account.renewToken,
        { clientId: 'dmp-web', refreshToken: data.refreshToken ?? '' },
        { headers: { ...browser, cookie: `dmp-binding=${cookieOf(second)}` } },
      )
    expect([(await renew(first)).status, (await renew(second)).status]).toEqual([401, 200])
  })
})
