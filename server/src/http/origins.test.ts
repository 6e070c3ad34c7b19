import { calls } from '@dmp/contract/calls'
import { toRequest } from '../testing/request.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer({ DMP_PUBLIC_URL: 'https://dmp.example.org' })
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const foreign = [
  'https://evil.example',
  'null',
  'http://dmp.example.org',
  'https://dmp.example.org.evil.example',
  'https://dmp.example.org:8443',
]

describe.each(calls.map((call) => [call.name, call] as const))('%s', (_name, call) => {
  it('answers nothing to a page of another origin, even with a good token [P10]', async () => {
    const { method, url } = toRequest(call, {})
    for (const origin of foreign) {
      const reply = await server.app.inject({ method, url, headers: { ...staff.headers, origin } })
      expect([reply.statusCode, reply.json<{ code?: string }>().code]).toEqual([403, 'FOREIGN_ORIGIN'])
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    const marked = await server.app.inject({
      method,
      url,
      headers: { ...staff.headers, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    })
    expect(marked.statusCode).toBe(403)
  })

  it('has no preflight that allows anything [P10]', async () => {
    const reply = await server.app.inject({
      method: 'OPTIONS',
      url: toRequest(call, {}).url,
      headers: { origin: 'https://evil.example', 'access-control-request-method': call.definition.method },
    })
    expect(reply.statusCode).toBe(403)
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('a page of another origin that spells an address in its own way', () => {
  it.each([
    ['POST', '/%61pi/account/login'],
    ['POST', '/ap%69/oauth/token'],
    ['GET', '/A%50I/role/list'],
    ['GET', '/dicom-w%65b/studies'],
    ['POST', '/%64icom-web/%73tudies'],
    ['GET', '/%64icom-web/shared/00000000-0000-4000-8000-000000000001/studies'],
  ] as const)('gets nothing: %s %s [P10]', async (method, url) => {
    // The address is that of the route, for everybody else.
    expect((await server.app.inject({ method, url, headers: staff.headers })).statusCode).not.toBe(403)
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const reply = await server.app.inject({ method, url, headers: { ...staff.headers, ...headers } })
      expect([reply.statusCode, reply.json<{ code?: string }>().code]).toEqual([403, 'FOREIGN_ORIGIN'])
    }
  })
})

describe('the own origin and apps', () => {
  it.each([{ origin: 'https://dmp.example.org' }, { 'sec-fetch-site': 'same-origin' }, {}])(
    'are answered: %j',
    async (headers) => {
      expect(
        (await server.app.inject({ method: 'GET', url: '/api/role/list', headers: { ...staff.headers, ...headers } }))
          .statusCode,
      ).toBe(200)
    },
  )

  it('are reached by a link from anywhere, and by nothing else that another page does [P10]', async () => {
    const reach = async (method: 'GET' | 'POST', site: string, mode: string) =>
      (
        await server.app.inject({
          method,
          url: '/api/docs',
          headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode },
        })
      ).statusCode
    for (const site of ['cross-site', 'same-site']) {
      expect([
        site,
        await reach('GET', site, 'navigate'),
        await reach('GET', site, 'no-cors'),
        await reach('POST', site, 'navigate'),
      ]).toEqual([site, 200, 403, 403])
    }
  })

  it('answers carry what keeps them private', async () => {
    const { headers } = await server.app.inject({ method: 'GET', url: '/api/role/list', headers: { ...staff.headers } })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': expect.stringContaining('max-age='),
    })
  })
})
