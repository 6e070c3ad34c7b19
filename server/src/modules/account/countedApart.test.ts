import { account, businessUser } from '@dmp/contract'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { addUser } from '../businessUser/businessUserInTests.ts'
import { demoPassword } from './demoAccounts.ts'

/** What an account may have mailed is counted by its person, its kind and its time. */
let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const [own, other] = ['staff@north.example', 'mfa@north.example']
const login = (email: string) => server.call(account.login, { ClientId: 'dmp-web', email, password: demoPassword })
const mailsOf = async (recipient: string): Promise<number> =>
  (await server.deps.db.selectFrom('mails').select('id').where('recipient', '=', recipient).execute()).length
/** Asked for one after the other, and each time until it is mailed: the answer does not wait. */
async function forgot(email: string): Promise<void> {
  const before = await mailsOf(email)
  await server.call(account.forgotPassword, { Email: email, ClientId: 'dmp-web' })
  while ((await mailsOf(email)) === before) await new Promise((again) => setTimeout(again, 10))
}

it('three codes of one person are open at once, whatever is open of others or of another kind [P04, P05]', async () => {
  expect((await staff.call(account.updatePreferences, { mfaEnabled: true })).status).toBe(200)
  const ask = async (email: string, times: number) => {
    const statuses: number[] = []
    for (let n = 0; n < times; n += 1) statuses.push((await login(email)).status)
    return statuses
  }
  await forgot(own)
  expect(await ask(other, 4)).toEqual([200, 200, 200, 429])
  expect(await ask(own, 4)).toEqual([200, 200, 200, 429])
  // Their minutes are over.
  await sql`update challenges set expires_date = now() where user_id = ${staff.userId}`.execute(server.deps.db)
  expect(await ask(own, 1)).toEqual([200])
})

it('five links are mailed within an hour, and those of before do not count [P06]', async () => {
  for (let n = 0; n < 4; n += 1) await forgot(other)
  await sql`update challenges set created_date = created_date - interval '1 hour'`.execute(server.deps.db)
  // The second would be one too many while the first is open.
  for (let n = 0; n < 3; n += 1) await forgot(other)
})

it('five temporary passwords are mailed within an hour, whatever else is [7.19, P19]', async () => {
  const admin = await server.signIn('admin')
  const { id, email } = await addUser(admin)
  const again = async () => (await admin.call(businessUser.resetTemporaryPassword, { id })).status
  await forgot(email)
  for (let n = 0; n < 4; n += 1) expect(await again()).toBe(200)
  expect(await again()).toBe(429)
  await sql`update mails set created_date = created_date - interval '1 hour'`.execute(server.deps.db)
  expect(await again()).toBe(200)
})

it('the sessions that somebody sees are those that go on [P73]', async () => {
  const admin = await server.signIn('admin')
  const count = async () => (await admin.call(account.listSessions, {})).data.length
  const before = await count()
  const elsewhere = await server.signIn('admin')
  expect(await count()).toBe(before + 1)
  await sql`update sessions set expires_date = now() where id = (select session_id from refresh_tokens
    where hash = ${server.deps.keys.digest('refresh', elsewhere.tokens.refreshToken ?? '')})`.execute(server.deps.db)
  expect(await count()).toBe(before)
})
