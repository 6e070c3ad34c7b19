import { request, type ClientRequest } from 'node:http'
import { release } from '@dmp/contract'
import { makeApiToken } from '../modules/apiToken/apiTokenInTests.ts'
import { toArrival } from '../modules/release/door/doorInTests.ts'
import { createTestReleases } from '../testing/releases.ts'
import { startServer, type TestServer } from '../testing/server.ts'

const part = 'remote-long'
let server: TestServer
let address: string
const slow: ClientRequest[] = []
beforeAll(async () => {
  server = await startServer()
  await createTestReleases(server)
  address = await server.listen()
})
afterAll(() => server.close())
afterEach(() => slow.splice(0).forEach((one) => one.destroy()))

const tokenOfTeam = async (): Promise<string> => {
  const root = await server.signIn('super_admin')
  return (await makeApiToken(root, { scopes: ['publish'], parts: [part] })).token
}

/** Says that a long body comes, and sends its first byte; resolves with the status of an answer before the rest. */
function beginBody(token: string): Promise<number | undefined> {
  const one = request(`${address}/api/Release/publish/${part}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': 15_000_000 },
  })
  slow.push(one)
  one.write('{')
  return new Promise((resolve) => {
    one.once('response', ({ statusCode }) => resolve(statusCode))
    one.on('error', () => resolve(undefined))
  })
}

it('long bodies have few places for each caller, and keep nobody else waiting [P18, P64]', async () => {
  const [slowToken, other] = [await tokenOfTeam(), await tokenOfTeam()]
  // Four have a place, eight wait for one, and what is beyond is refused before its body is read.
  expect(await Promise.race(Array.from({ length: 14 }, () => beginBody(slowToken)))).toBe(503)
  const bring = async (token: string, code: string) =>
    server.call(release.publish, await toArrival(part, code), { headers: { authorization: `Bearer ${token}` } })
  expect((await bring(other, 'one')).status).toBe(200)

  // Whoever leaves gives the place back.
  for (const one of slow.splice(0)) one.destroy()
  let status = 0
  while (status !== 200) ({ status } = await bring(slowToken, 'two'))
  expect(status).toBe(200)
})
