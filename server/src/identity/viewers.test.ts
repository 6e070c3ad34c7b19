import { account } from '@dmp/contract'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

let server: TestServer
/** By which tokens end, and by which memory does. */
let clock: jest.SpiedFunction<typeof Date.now>
let stopwatch: jest.SpiedFunction<typeof performance.now>
const began = Date.now()
const started = Math.ceil(performance.now())
const after = (ms: number): void => void stopwatch.mockReturnValue(started + ms)

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(() => {
  clock = jest.spyOn(Date, 'now').mockReturnValue(began)
  stopwatch = jest.spyOn(performance, 'now').mockReturnValue(started)
})
afterEach(() => {
  clock.mockRestore()
  stopwatch.mockRestore()
})

/** A change that no news tells of, as somebody makes it with the database's own tools. */
const change = (who: SignedIn, columns: { first_name?: string; status?: 'Activated' | 'Deactivated' }) =>
  server.deps.db.updateTable('users').set(columns).where('id', '=', who.userId).execute()

describe('who a token belongs to', () => {
  it('is read again after a minute at the latest, however quiet it is [P11]', async () => {
    const staff = await server.signIn('staff')
    expect((await staff.call(account.validateToken, {})).status).toBe(200)
    await change(staff, { status: 'Deactivated' })
    after(59_999)
    expect((await staff.call(account.validateToken, {})).status).toBe(200)
    after(60_000)
    expect((await staff.call(account.validateToken, {})).status).toBe(401)
    await change(staff, { status: 'Activated' })
  })

  it('is read once with its profile, until news come [4.15]', async () => {
    const admin = await server.signIn('admin')
    const name = async () => (await admin.call(account.profile, {})).data.firstName
    const before = await name()
    await change(admin, { first_name: 'Another' })
    expect(await name()).toBe(before)
    server.deps.bus.publish({ kind: 'viewersChanged', userIds: [admin.userId] })
    expect(await name()).toBe('Another')
    await change(admin, { first_name: before })
    server.deps.bus.publish({ kind: 'missed' })
    expect(await name()).toBe(before)
  })

  it('is not remembered when news came while it was read [P11]', async () => {
    const admin = await server.signIn('admin')
    const { viewers, bus } = server.deps
    const token = admin.tokens.accessToken ?? ''
    const reading = viewers.of(token)
    const executor = server.deps.db.getExecutor()
    const original = executor.executeQuery.bind(executor)
    const queries = jest.spyOn(executor, 'executeQuery').mockImplementationOnce(async (query) => {
      const rows = await original(query)
      await change(admin, { first_name: 'Late' })
      bus.publish({ kind: 'viewersChanged', userIds: [admin.userId] })
      return rows as never
    })
    await reading
    queries.mockRestore()
    expect((await viewers.of(token))?.fullName).toContain('Late')
  })

  it('is nobody from the instant on at which the token ends [7.40]', async () => {
    const staff = await server.signIn('staff')
    expect((await staff.call(account.validateToken, {})).status).toBe(200)
    const ends = server.deps.viewers.expiryOf(staff.tokens.accessToken ?? '') ?? 0
    clock.mockReturnValue(ends - 1)
    expect((await staff.call(account.validateToken, {})).status).toBe(200)
    clock.mockReturnValue(ends)
    expect((await staff.call(account.validateToken, {})).status).toBe(401)
  })
})
