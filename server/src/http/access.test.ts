import { permits, roleNames, scan, type Endpoint, type RoleName } from '@dmp/contract'
import { calls } from '@dmp/contract/calls'
import { toPolicy } from '@dmp/contract/policy'
import { signAccessToken } from '../identity/accessToken.ts'
import { toRequest } from '../testing/request.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

/** Made from the contract: a call that is added there is tried here without anybody thinking of it. */
const guarded = calls.filter((call) => call.definition.needs !== 'nothing').map((call) => [call.name, call] as const)
const byAction = guarded.filter(([, call]) => typeof call.definition.needs !== 'string')

let server: TestServer
const signedIn = new Map<RoleName, SignedIn>()

beforeAll(async () => {
  server = await startServer()
  for (const role of roleNames) signedIn.set(role, await server.signIn(role))
})
afterAll(() => server.close())

/** Parameters that are no ids: who is admitted gets 400 or 404, never data, and changes nothing. */
const call = async (endpoint: Endpoint, headers: Record<string, string>) => {
  const { method, url } = toRequest(endpoint, {})
  return server.app.inject({ method, url: url.replace(/\/(?=\/|$)/g, '/x'), headers })
}
const as = (role: RoleName): Record<string, string> => ({ ...signedIn.get(role)?.headers })

describe.each(guarded)('%s', (_name, endpoint) => {
  it('refuses a stranger and a garbage token alike [7.01, P01]', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer garbage' },
      { authorization: 'Basic c3VwZXI6c3VwZXI=' },
    ] as Record<string, string>[]) {
      const reply = await call(endpoint, headers)
      const bearer = `Bearer realm="DMP"${headers.authorization?.startsWith('Bearer') ? ', error="invalid_token"' : ''}`
      expect([reply.statusCode, reply.json<{ code: string }>().code, reply.headers['www-authenticate']]).toEqual([
        401,
        'NOT_SIGNED_IN',
        endpoint.definition.isForMachines ? [bearer, expect.stringMatching(/^Basic realm=/)] : bearer,
      ])
    }
  })

  it('refuses an expired token [4.12, P01]', async () => {
    const { userId, tokens } = signedIn.get('super_admin') as SignedIn
    const sessionId = JSON.parse(Buffer.from(tokens.accessToken?.split('.')[1] ?? '', 'base64url').toString())
      .sid as string
    const { token } = await signAccessToken(server.deps.keys, { userId, sessionId, scope: 'all' }, -1)
    expect((await call(endpoint, { authorization: `Bearer ${token}` })).statusCode).toBe(401)
  })
})

describe.each(byAction)('%s', (_name, endpoint) => {
  it.each(roleNames)('is for %s exactly when the policy lists its action [6.02, 6.03, P01]', async (role) => {
    const { statusCode } = await call(endpoint, as(role))
    if (permits(toPolicy(role), endpoint.definition.needs)) expect([401, 403]).not.toContain(statusCode)
    else expect(statusCode).toBe(403)
  })
})

describe('a token that only reads scans [4.14]', () => {
  /** As an external app gets it in a session of the most powerful person. */
  const readerHeaders = async () => {
    const { userId, tokens } = signedIn.get('super_admin') as SignedIn
    const claims = Buffer.from(tokens.accessToken?.split('.')[1] ?? '', 'base64url').toString()
    const { sid: sessionId } = JSON.parse(claims) as { sid: string }
    const { token } = await signAccessToken(server.deps.keys, { userId, sessionId, scope: 'scan-read' }, 15)
    return { authorization: `Bearer ${token}` }
  }

  it('is refused by every call that changes anything, and by the account [P01, P11]', async () => {
    const headers = await readerHeaders()
    const admitted: string[] = []
    for (const [name, endpoint] of guarded) {
      const { statusCode } = await call(endpoint, headers)
      if (statusCode !== 403) admitted.push(name)
    }
    expect(admitted.every((name) => name.startsWith('GET '))).toBe(true)
    const others = admitted.filter((name) => !name.startsWith('GET /Scan/'))
    expect(others.sort()).toEqual(['GET /Changes', 'GET /account/validateToken'])
    expect(admitted).toEqual(expect.arrayContaining(['GET /Scan/list', 'GET /Scan/get']))
  })

  it('keeps no search, and deletes none [4.14]', async () => {
    const person = signedIn.get('super_admin') as SignedIn
    const headers = await readerHeaders()
    const search = { search: 'knee', sortColumn: '', sortDirection: '' }
    const { id } = (await person.call(scan.addFilter, { name: 'Knees', ...search })).data
    for (const reply of [
      await server.call(scan.addFilter, { name: 'Hips', ...search }, { headers }),
      await server.call(scan.renameFilter, { id, name: 'Hips' }, { headers }),
      await server.call(scan.removeFilter, { id }, { headers }),
    ])
      expect(reply.status).toBe(403)
    expect((await person.call(scan.listFilters, {})).data.map(({ name }) => name)).toEqual(['Knees'])
  })
})

describe('a deactivated user', () => {
  it('is refused by every call, with a token that was good a moment ago [4.03, P01]', async () => {
    const south = await server.signIn('admin@south.example')
    expect((await call(guarded[0]?.[1] as Endpoint, { ...south.headers })).statusCode).not.toBe(401)
    await server.deps.db.updateTable('users').set({ status: 'Deactivated' }).where('id', '=', south.userId).execute()
    server.deps.bus.publish({ kind: 'viewersChanged', userIds: [south.userId] })
    for (const [, endpoint] of guarded) expect((await call(endpoint, { ...south.headers })).statusCode).toBe(401)
  })
})

describe('a deactivated organization', () => {
  it('lets nobody of it in, by token or by password [1.05, P01]', async () => {
    const north = await server.signIn('admin')
    await server.deps.db
      .updateTable('organizations')
      .set({ status: 'Deactivated' })
      .where('name', '=', 'North-Clinic')
      .execute()
    server.deps.bus.publish({ kind: 'viewersChanged', organizationIds: ['00000000-0000-4000-8000-000000000002'] })
    for (const [, endpoint] of guarded) expect((await call(endpoint, { ...north.headers })).statusCode).toBe(401)
    await expect(server.signIn('staff')).rejects.toThrow('401')
  })
})
