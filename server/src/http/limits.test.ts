import { calls } from '@dmp/contract/calls'
import { permits } from '@dmp/contract'
import { policyOf } from '@dmp/contract/policy'
import { requestOf } from '../testing/request.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { ofCall } from './limits.ts'

let server: TestServer
let root: SignedIn
beforeAll(async () => {
  server = await startServer({ DMP_LIMIT_FACTOR: '0.1' })
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())

describe.each(Object.entries(ofCall))('%s', (name, limits) => {
  it('slows down who calls too often, and says until when [P19]', async () => {
    const call = calls.find((one) => one.name === name)
    if (!call) throw new Error(`There is a limit for ${name}, which the contract does not have.`)
    expect(permits(policyOf('super_admin'), call.definition.needs)).toBe(true)
    const [limit] = limits
    const { method, url } = requestOf(call, {})
    const once = (remoteAddress: string) => server.app.inject({ method, url: url.replace(/\/(?=\/|$)/g, '/x'), headers: { ...root.headers }, remoteAddress })
    const allowed = Math.max(1, Math.round((limit?.calls ?? 0) * 0.1))
    const address = `10.3.${Object.keys(ofCall).indexOf(name)}.1`
    for (let n = 0; n < allowed; n += 1) expect((await once(address)).statusCode).not.toBe(429)
    const refused = await once(address)
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([429, 'SLOW_DOWN'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(limit?.seconds ?? 0)
    // By address: others go on. By viewer: another address does not help.
    expect((await once('10.4.0.1')).statusCode === 429).toBe(limit?.per === 'viewer')
  })
})

describe('a flood of any call', () => {
  it('is stopped for its address, not for others [P18, P19]', async () => {
    const from = (remoteAddress: string) => server.app.inject({ method: 'GET', url: '/api/account/validateToken', remoteAddress })
    for (let n = 0; n < 300; n += 1) await from('10.5.0.1')
    expect((await from('10.5.0.1')).statusCode).toBe(429)
    expect((await from('10.5.0.2')).statusCode).toBe(401)
  })
})
