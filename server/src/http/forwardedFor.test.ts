import { startServer } from '../testing/server.ts'

const named = (logs: readonly string[]) => logs.filter((line) => line.includes('DMP_TRUST_PROXY'))
const ask = (server: Awaited<ReturnType<typeof startServer>>, header: string) =>
  server.app.inject({ url: '/healthz', headers: { 'x-forwarded-for': header } })

it('warns once that a proxy is not trusted, without repeating what it said [P04, P23]', async () => {
  const server = await startServer()
  await server.app.inject({ url: '/healthz' })
  expect(named(server.logs)).toEqual([])
  for (const client of ['203.0.113.7', '203.0.113.8']) await ask(server, client)
  expect(named(server.logs)).toHaveLength(1)
  expect(named(server.logs)[0]).not.toContain('203.0.113')
  await server.close()
})

it('says nothing while no more proxies speak than are trusted', async () => {
  const server = await startServer({ DMP_TRUST_PROXY: '1' })
  await ask(server, '203.0.113.7')
  expect(named(server.logs)).toEqual([])
  await ask(server, '203.0.113.7, 198.51.100.1')
  expect(named(server.logs)).toHaveLength(1)
  await server.close()
})

it.each([
  ['0', '127.0.0.1'],
  ['1', '203.0.113.7'],
])('with %s trusted proxies the address is theirs to say, and no caller’s [P04]', async (trusted, ip) => {
  const server = await startServer({ DMP_TRUST_PROXY: trusted })
  const headers = {
    // A proxy adds whom it heard to what its caller claims.
    'x-forwarded-for': '198.51.100.66, 203.0.113.7',
    'x-real-ip': '198.51.100.66',
    forwarded: 'for=198.51.100.66',
  }
  await server.app.inject({ url: '/api/nowhere', headers })
  const lines = server.logs.map((line) => JSON.parse(line) as { msg: string; ip?: string })
  expect(lines.filter(({ msg }) => msg === 'request').map((line) => line.ip)).toEqual([ip])
  await server.close()
})
