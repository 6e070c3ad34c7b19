import type { InjectOptions } from 'fastify'
import { limitsByRoute, type LimitedRoute } from '../../core/rateLimits.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

const factor = 0.01
let server: TestServer
let staff: SignedIn

const requests: readonly (readonly [LimitedRoute, InjectOptions])[] = [
  ['DICOMweb', { method: 'GET', url: '/dicom-web/studies' }],
  ['launch', { method: 'POST', url: '/launch', payload: { imageSetID: 'x' } }],
  ['begin an upload', { method: 'POST', url: '/api/Scan/uploads' }],
  ['continue an upload', { method: 'PATCH', url: `/api/Scan/uploads/${'0'.repeat(32)}` }],
]
const allowedOf = (route: LimitedRoute, per: 'address' | 'viewer'): number =>
  Math.max(1, Math.round((limitsByRoute[route].find((limit) => limit.per === per)?.calls ?? 0) * factor))

describe.each(requests)('%s', (route, request) => {
  // A server of its own: who was refused at one door waits at the others as well.
  beforeAll(async () => {
    server = await startServer({ DMP_LIMIT_FACTOR: String(factor) })
    staff = await server.signIn('staff')
  })
  afterAll(() => server.close())

  const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/json' }
  const send = (headers: Record<string, string>, remoteAddress: string) =>
    server.app.inject({ ...request, headers: { ...tus, ...headers }, remoteAddress })

  it('slows down an address that sends garbage tokens, and no other [P19]', async () => {
    const garbage = { authorization: 'Bearer garbage' }
    for (let n = 0; n < allowedOf(route, 'address'); n += 1)
      expect((await send(garbage, '10.6.0.1')).statusCode).not.toBe(429)
    const refused = await send(garbage, '10.6.0.1')
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await send(garbage, '10.6.0.2')).statusCode).not.toBe(429)
  })

  it('slows down a person, whatever address the calls come from [P19]', async () => {
    const statuses: number[] = []
    for (let n = 0; n <= allowedOf(route, 'viewer'); n += 1)
      statuses.push((await send(staff.headers, `10.7.0.${n}`)).statusCode)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect(statuses.at(-1)).toBe(429)
  })
})
