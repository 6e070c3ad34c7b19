import { inspectDeployment } from '../../e2e/support/inspect.ts'
import { startServer, type TestServer } from '../../server/src/testing/server.ts'
import { demoPassword } from '../../shared/contract/src/demoAccounts.ts'
import { aPage, aSnapshot, withPage, type Listening } from './deploymentInTests.ts'

const clientId = 'lakeside-web'

/** A whole server whose client id is another than the demo's; its accounts are those of the demo. */
let server: TestServer
let product: Listening
let isDemo = false

beforeAll(async () => {
  server = await startServer({ DMP_CLIENT_ID: clientId })
  product = await withPage(await server.listen(), ({ headers }) =>
    aPage(
      { clientId, isDemo },
      headers.cookie?.includes('dmp-overrides=')
        ? { ...aSnapshot('1.3.0', 'd'.repeat(16)), overrides: [{ part: 'remote-scan' }] }
        : aSnapshot(),
    ),
  )
})
afterAll(async () => {
  await product.close()
  await server.close()
})
beforeEach(() => (isDemo = false))

const inspect = (env: Record<string, string> = {}, cookie = '') =>
  inspectDeployment({ address: product.address, env, cookie })

const named = (email: string, password = demoPassword) => `${email}:${password}`

describe('a deployment that is asked what it is', () => {
  it('signs the named accounts in with its own client id, and says where they belong', async () => {
    const { settings, accounts } = await inspect({ E2E_STAFF: named('staff@north.example') })
    expect(settings.clientId).toBe(clientId)
    expect(accounts.staff).toMatchObject({ isReady: true, role: 'staff', organization: 'North-Clinic' })
  })

  it('tries no account of the demo in production, and says which variable names one', async () => {
    const before = server.logs.filter((line) => line.includes('/account/login')).length
    const { accounts, mayWrite } = await inspect()
    expect(Object.values(accounts).every(({ isReady }) => !isReady)).toBe(true)
    expect(accounts.sys).toMatchObject({ isNamed: false, because: expect.stringContaining('E2E_SYS=email:password') })
    expect(server.logs.filter((line) => line.includes('/account/login'))).toHaveLength(before)
    expect(mayWrite).toBe(false)
  })

  it('tries those of the demo in a demo', async () => {
    isDemo = true
    const deployment = await inspect()
    expect(Object.values(deployment.accounts).map(({ isReady }) => isReady)).toEqual(Array(7).fill(true))
    expect(deployment).toMatchObject({
      mayWrite: true,
      hasMailbox: true,
      hasDrawnPages: false,
      canTransfer: true,
      seededOrganization: 'West-Clinic',
      organizationsWithScans: [],
    })
    expect(deployment.rows.complaints).toBeGreaterThan(0)
  })

  it('says once, with its own sentence, that an account is refused', async () => {
    const { accounts } = await inspect({ E2E_STAFF: named('staff@north.example', 'Wrong-Passw0rd!') })
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/account/login',
      payload: { ClientId: clientId, email: 'staff@north.example', password: 'Wrong-Passw0rd!' },
    })
    const { message } = answer.json<{ message: string }>()
    expect(message.length).toBeGreaterThan(10)
    expect(accounts.staff).toMatchObject({
      isReady: false,
      isNamed: true,
      because: `E2E_STAFF (staff@north.example) was refused: “${message}”`,
    })
  })

  it.each([
    ['E2E_ADMIN', named('staff@north.example'), /has the role staff, and the journeys need admin/],
    ['E2E_ADMIN', named('mfa@north.example'), /signs in with a second step, which only E2E_MFA may/],
    ['E2E_MFA', named('staff@north.example'), /signs in without a second step/],
    ['E2E_STAFF', named('new@north.example'), /has to choose a password of its own first/],
  ])('does not take %s=%s for what it is not', async (variable, value, sentence) => {
    const { accounts } = await inspect({ [variable]: value })
    const state = Object.values(accounts).find((account) => account.email !== null)
    expect(state).toMatchObject({ isReady: false, because: expect.stringMatching(sentence) })
  })

  it('wants the second administrator from a second organization', async () => {
    const same = named('admin@north.example')
    const { accounts, canTransfer } = await inspect({ E2E_ADMIN: same, E2E_SOUTHADMIN: same })
    expect(accounts.southAdmin).toMatchObject({ isReady: false, because: expect.stringContaining('North-Clinic') })
    expect(canTransfer).toBe(false)
  })

  it('shows the releases of E2E_COMPOSITION in place of the live ones', async () => {
    const { snapshot, parts } = await inspect({}, 'dmp-overrides=1')
    expect(snapshot.remotes[0]?.declaration.version).toBe('1.3.0')
    expect(parts[1]).toMatchObject({ name: 'remote-scan', version: '1.3.0', isOverridden: true })
  })

  it('leaves no session behind', async () => {
    await inspect({ E2E_ADMIN: named('admin@north.example'), E2E_STAFF: named('staff@north.example') })
    const open = await server.deps.db.selectFrom('sessions').selectAll().where('ended_date', 'is', null).execute()
    expect(open).toEqual([])
  })

  it('is one sentence where nothing runs, and where something else does', async () => {
    await expect(inspectDeployment({ address: 'http://127.0.0.1:1', env: {} })).rejects.toThrow(/Nothing is running/)
    const other = await withPage(product.address, () => '<h1>Welcome to nginx</h1>')
    await expect(inspectDeployment({ address: other.address, env: {} })).rejects.toThrow(/not one of this product/)
    await other.close()
  })

  it('refuses an account that is not written as email:password', async () => {
    await expect(inspect({ E2E_STAFF: 'staff@north.example' })).rejects.toThrow(/E2E_STAFF names no account/)
  })
})
