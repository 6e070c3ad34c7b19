import { AsyncLocalStorage } from 'node:async_hooks'
import { account, registration } from '@dmp/contract'
import { demoPassword } from './demoAccounts.ts'
import { startServer, type Reply, type TestServer } from '../../testing/server.ts'

/**
 * P07: what a stranger can ask with an address answers alike and does the same work, whoever it belongs to. Times are
 * measured by `npm run bench:identity`; here the work is counted, because a busy machine must not decide a test.
 */
let server: TestServer
let hashings = 0
let rows = 0

beforeAll(async () => {
  server = await startServer()
  const { db, hasher } = server.deps
  await db.updateTable('users').set({ status: 'Deactivated' }).where('email', '=', 'admin@south.example').execute()
  await db
    .updateTable('users')
    .set({ temporary_until: new Date(Date.now() - 1000) })
    .where('email', '=', 'new@north.example')
    .execute()
  await db.updateTable('users').set({ password_hash: null }).where('email', '=', 'sys@dmp.example').execute()
  const isRight = hasher.isRight.bind(hasher)
  Object.assign(hasher, {
    isRight: (password: string, hashed: string | undefined) => {
      hashings += 1
      return isRight(password, hashed)
    },
  })
})
afterAll(() => server.close())

const recorded = async (): Promise<number> =>
  (
    await server.deps.db
      .selectFrom('audit')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
  ).count as unknown as number

beforeEach(async () => {
  await server.deps.db.deleteFrom('login_attempts').execute()
  hashings = 0
  rows = Number(await recorded())
})

/** Everything that a stranger sees, but what is new in every answer. */
const seen = (reply: Reply<unknown>) => ({
  status: reply.status,
  headers: Object.keys(reply.headers).sort(),
  length: reply.headers['content-length'],
  body: reply.raw.body.replace(/"requestId":"[^"]*"/, ''),
})

const nobody = 'nobody@nowhere.example'

describe('signing in', () => {
  const asNobody = () => server.call(account.login, { ClientId: 'dmp-web', email: nobody, password: 'wrong' })
  it.each([
    ['a wrong password', 'staff@north.example', 'wrong'],
    ['a wrong password in other letters', 'STAFF@North.Example', 'wrong'],
    ['a wrong password of somebody with a second step', 'mfa@north.example', 'wrong'],
    ['a wrong password of a service account', 'service@north.example', 'wrong'],
    ['a deactivated user with the right password', 'admin@south.example', demoPassword],
    ['a temporary password that is over', 'new@north.example', demoPassword],
    ['an account that never had a password', 'sys@dmp.example', demoPassword],
    ['a user of a deactivated organization', 'joel.amsler@west.example', demoPassword],
  ])('%s answers and costs the same as an unknown address [P07]', async (_what, email, password) => {
    const unknown = seen(await asNobody())
    const [costOfUnknown, rowsOfUnknown] = [hashings, Number(await recorded()) - rows]
    await server.deps.db.deleteFrom('login_attempts').execute()
    const known = await server.call(account.login, { ClientId: 'dmp-web', email, password })
    expect(seen(known)).toEqual(unknown)
    expect(unknown.status).toBe(401)
    expect([hashings - costOfUnknown, Number(await recorded()) - rows - rowsOfUnknown]).toEqual([
      costOfUnknown,
      rowsOfUnknown,
    ])
    expect(costOfUnknown).toBe(1)
  })

  it('slows down alike [P04, P07]', async () => {
    const answers = async (email: string) => {
      const all = []
      for (let n = 0; n < 7; n += 1)
        all.push(seen(await server.call(account.login, { ClientId: 'dmp-web', email, password: 'wrong' })).status)
      return all
    }
    expect(await answers('admin@north.example')).toEqual(await answers('nobody.else@nowhere.example'))
  })
})

/** Holds back whatever is done after the answer, so that it is certain that the answer did not wait for it. */
async function withoutAftermath<T>(work: () => Promise<T>): Promise<{ answer: T; aftermath: number }> {
  const { background } = server.deps
  const held: Promise<unknown>[] = []
  Object.assign(server.deps, { background: (one: Promise<unknown>) => void held.push(one) })
  try {
    const answer = await work()
    return { answer, aftermath: held.length }
  } finally {
    Object.assign(server.deps, { background })
    await Promise.all(held)
  }
}

describe('a forgotten password', () => {
  it.each([
    ['somebody', 'staff@north.example'],
    ['somebody in other letters', 'Staff@NORTH.example'],
    ['a deactivated user', 'admin@south.example'],
    ['an account without a password', 'sys@dmp.example'],
    ['a user of a deactivated organization', 'joel.amsler@west.example'],
    ['a service account', 'service@north.example'],
  ])('of %s answers before anything is looked up, as for an unknown address [P07]', async (_who, Email) => {
    const ask = (email: string) =>
      withoutAftermath(() => server.call(account.forgotPassword, { Email: email, ClientId: 'dmp-web' }))
    const unknown = await ask(nobody)
    const known = await ask(Email)
    expect(seen(known.answer)).toEqual(seen(unknown.answer))
    expect(known.answer.status).toBe(200)
    // One piece of work each, begun and not waited for.
    expect([known.aftermath, unknown.aftermath]).toEqual([1, 1])
    expect(hashings).toBe(0)
  })
})

describe('a registration', () => {
  let fresh = 0
  const draft = (email: string, organizationName: string) => ({
    civility: 'Ms',
    firstName: 'Eve',
    lastName: 'Asks',
    organizationName,
    email,
    mobile: null,
    landline: null,
    fax: null,
  })
  it.each([
    ['somebody', 'staff@north.example'],
    ['somebody in other letters', 'STAFF@north.example'],
    ['a deactivated user', 'admin@south.example'],
    ['a user of a deactivated organization', 'joel.amsler@west.example'],
    ['who waits already', 'ingrid.fjeldstad@nordlys.example'],
  ])(
    'with the address of %s answers as one with a new address, before its owner is told [P07]',
    async (_who, email) => {
      fresh += 1
      const unknown = await withoutAftermath(() =>
        server.call(registration.add, draft(`fresh.${fresh}@new.example`, 'Fresh-Clinic')),
      )
      const between = Number(await recorded())
      const known = await withoutAftermath(() => server.call(registration.add, draft(email, 'Fresh-Clinic')))
      expect(seen(known.answer)).toEqual(seen(unknown.answer))
      expect(known.answer.status).toBe(200)
      expect([unknown.aftermath, known.aftermath]).toEqual([0, 1])
      // One row each, then one more of what was told afterwards.
      expect([between - rows, Number(await recorded()) - between]).toEqual([1, 2])
    },
  )

  it.each([
    ['taken', 'staff@north.example'],
    ['pending', 'ingrid.fjeldstad@nordlys.example'],
    ['of a deactivated user', 'admin@south.example'],
  ])('the check before it says of an address that is %s the same words [P07]', async (_what, email) => {
    const { data } = await server.call(registration.emailAvailable, { email })
    expect(data).toEqual({ available: false, message: 'This email cannot be used for a registration.' })
  })
})

describe('links and codes', () => {
  const over = async (UserId: string) =>
    seen(
      await server.call(account.resetForgotPassword, {
        UserId,
        ConfirmationCode: 'x'.repeat(43),
        NewPassword: 'A new password 1!',
        ConfirmNewPassword: 'A new password 1!',
        ClientId: 'dmp-web',
      }),
    )
  it('a wrong reset link answers alike for a user and for nobody [P07]', async () => {
    const staff = (
      await server.deps.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', 'staff@north.example')
        .executeTakeFirstOrThrow()
    ).id
    expect(await over(staff)).toEqual(await over('00000000-0000-4000-8000-00000000dead'))
  })

  it('a wrong session of the second step answers alike for a user and for nobody [P07]', async () => {
    const mfa = (
      await server.deps.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', 'mfa@north.example')
        .executeTakeFirstOrThrow()
    ).id
    const ask = async (userId: string) =>
      seen(
        await server.call(account.respondToMFA, {
          clientId: 'dmp-web',
          session: 'x'.repeat(43),
          userId,
          mfaCode: '123456',
        }),
      )
    expect(await ask(mfa)).toEqual(await ask('00000000-0000-4000-8000-00000000dead'))
  })

  it('a wrong session of the new-password step answers alike for a user and for nobody [P07]', async () => {
    const ask = async (userName: string) =>
      seen(
        await server.call(account.setNewPassword, {
          challengeResponse: { userName, newPassword: 'A new password 1!' },
          clientId: 'dmp-web',
          session: 'x'.repeat(43),
        }),
      )
    expect(await ask('new@north.example')).toEqual(await ask(nobody))
  })

  it('a wrong session of the new-password step asks the database as often for a user as for nobody [P07]', async () => {
    const executor = server.deps.db.getExecutor()
    const executeQuery = executor.executeQuery.bind(executor)
    // What the server does by itself meanwhile is not of the call.
    const ofCall = new AsyncLocalStorage<string[]>()
    const executed = jest.spyOn(executor, 'executeQuery').mockImplementation((query, ...rest) => {
      ofCall.getStore()?.push(query.sql)
      return executeQuery(query, ...rest)
    })
    const ask = async (userName: string) => {
      const statements: string[] = []
      await ofCall.run(statements, () =>
        server.call(account.setNewPassword, {
          challengeResponse: { userName, newPassword: 'A new password 1!' },
          clientId: 'dmp-web',
          session: 'x'.repeat(43),
        }),
      )
      return statements
    }
    // The first request of all makes the server ready.
    await ask(nobody)
    const unknown = await ask(nobody)
    expect(unknown).toHaveLength(2)
    expect(await ask('new@north.example')).toEqual(unknown)
    executed.mockRestore()
  })
})
