import { account } from '@dmp/contract'
import { demoPassword } from './demoAccounts.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const login = (email: string) =>
  server.call(account.login, { ClientId: 'dmp-web', email, password: demoPassword }).then(({ data }) => data)

/** Each step with which somebody enters who began to before. */
const steps = {
  code: async () => {
    const email = 'mfa@north.example'
    const { session, userId } = await login(email)
    const { code } = await server.mailTo(email)
    return {
      email,
      go: () => server.call(account.respondToMFA, { session, userId, mfaCode: code, clientId: 'dmp-web' }),
    }
  },
  'new password': async () => {
    const email = 'new@north.example'
    const { session, userId } = await login(email)
    const challengeResponse = { userName: userId, newPassword: 'Chosen by me 1!' }
    return {
      email,
      go: () => server.call(account.setNewPassword, { challengeResponse, clientId: 'dmp-web', session }),
    }
  },
  link: async () => {
    const email = 'staff@north.example'
    await server.call(account.forgotPassword, { Email: email, ClientId: 'dmp-web' })
    const [link = ''] = (await server.mailTo(email)).links
    const [ConfirmationCode, UserId] = link.split('/').reverse()
    const NewPassword = 'Chosen by me 1!'
    const passwords = { NewPassword, ConfirmNewPassword: NewPassword }
    return {
      email,
      go: () =>
        server.call(account.resetForgotPassword, { UserId, ConfirmationCode, ...passwords, ClientId: 'dmp-web' }),
    }
  },
}

const passwordOf = (email: string) =>
  server.deps.db.selectFrom('users').select('password_hash').where('email', '=', email).executeTakeFirstOrThrow()

it.each([
  ['code', 'users', 'CHALLENGE_OVER'],
  ['code', 'organizations', 'CHALLENGE_OVER'],
  ['new password', 'users', 'CHALLENGE_OVER'],
  ['new password', 'organizations', 'CHALLENGE_OVER'],
  ['link', 'users', 'LINK_OVER'],
  ['link', 'organizations', 'LINK_OVER'],
] as const)(
  'a %s is refused, and changes nothing, once the row of %s is deactivated [4.03]',
  async (step, table, code) => {
    const { email, go } = await steps[step]()
    const before = await passwordOf(email)
    await server.deps.db.updateTable(table).set({ status: 'Deactivated' }).execute()
    expect((await go()).code).toBe(code)
    expect(await passwordOf(email)).toEqual(before)
    expect(await server.deps.db.selectFrom('sessions').select('id').execute()).toEqual([])
    await server.deps.db.updateTable(table).set({ status: 'Activated' }).execute()
    expect((await go()).status).toBe(200)
  },
)
