import { hostname } from 'node:os'
import { startServer, type TestServer } from '../testing/server.ts'

const statusAt = async (
  server: TestServer,
  host: string,
  headers: Record<string, string> = {},
  url = '/dev/mail.json',
) => (await server.app.inject({ url, headers: { host, ...headers } })).statusCode

describe('a demo', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ DMP_TRUST_PROXY: '1' })
  })
  afterAll(() => server.close())

  it.each(['localhost:4000', 'dmp.localhost', '127.0.0.1:4000', '[::1]:4000', '192.168.1.20:4000', hostname()])(
    'answers to %s',
    async (host) => {
      expect(await statusAt(server, host)).toBe(200)
    },
  )

  it.each([
    ['a name that points here', 'evil.example:4000'],
    ['one that begins like an own one', 'localhost.evil.example'],
    ['one that looks like an address', '127.0.0.1.evil.example'],
    ['no host at all', 'a b'],
  ])('gives nothing to a page by %s: neither mail nor page nor call [P10]', async (_what, host) => {
    for (const url of ['/dev/mail', '/dev/mail.json', '/login', '/api/role/list', '/live', '/healthz'])
      expect([url, await statusAt(server, host, {}, url)]).toEqual([url, 421])
    // A page may set this header itself.
    expect(await statusAt(server, host, { 'x-forwarded-host': 'localhost' })).toBe(421)
  })
})

it('answers to the name of its public address, and to no other', async () => {
  const server = await startServer({ DMP_PUBLIC_URL: 'http://demo.example:4000' })
  expect(await statusAt(server, 'demo.example:4000')).toBe(200)
  expect(await statusAt(server, 'evil.example:4000')).toBe(421)
  await server.close()
})
