import { connect, Socket } from 'node:net'
import { account } from '@dmp/contract'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

let server: TestServer
let url: URL
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  url = new URL(await server.listen())
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const timed = async (): Promise<number> => {
  const began = performance.now()
  expect((await staff.call(account.profile, {})).status).toBe(200)
  return performance.now() - began
}

describe('when others misbehave', () => {
  it('hundreds of half-sent requests keep nobody out [P18]', async () => {
    const slow = Array.from({ length: 300 }, () => connect(Number(url.port), url.hostname).on('error', () => undefined))
    for (const socket of slow)
      socket.write(
        'POST /api/account/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"a":',
      )
    for (let n = 0; n < 5; n += 1) expect((await fetch(new URL('/healthz', url))).status).toBe(200)
    for (const socket of slow) socket.destroy()
  })

  it('headers have fifteen seconds to arrive, a call has a minute, an upload may be silent for two, and a line that nobody uses is closed after ten seconds [P18]', async () => {
    expect(server.app.server).toMatchObject({ headersTimeout: 15_000, keepAliveTimeout: 10_000 })
    const clock = jest.spyOn(globalThis, 'setTimeout')
    const line = jest.spyOn(Socket.prototype, 'setTimeout')
    // Neither sends its body.
    const slow = ['/api/account/login', '/dicom-web/studies'].map((path) => {
      const socket = connect(Number(url.port), url.hostname).on('error', () => undefined)
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n`)
      return socket
    })
    while (!clock.mock.calls.some(([, ms]) => ms === 60_000) || !line.mock.calls.some(([ms]) => ms === 120_000))
      await new Promise((again) => setTimeout(again, 20))
    for (const socket of slow) socket.destroy()
    clock.mockRestore()
    line.mockRestore()
  })

  it('headers beyond 16 kB are refused [P18]', async () => {
    const reply = await new Promise<string>((resolve) => {
      const socket = connect(Number(url.port), url.hostname)
      socket.on('data', (data) => resolve(data.toString()))
      socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
    })
    expect(reply).toMatch(/^HTTP\/1\.1 431/)
  })

  it('a storm of sign-ins leaves other calls answered: hashing has its own few lanes [P18]', async () => {
    const began = performance.now()
    const storm = Array.from({ length: 100 }, (_, n) =>
      server.call(
        account.login,
        { ClientId: 'dmp-web', email: `person${n}@north.example`, password: demoPassword },
        { remoteAddress: `10.8.0.${n}` },
      ),
    )
    const during: number[] = []
    for (let n = 0; n < 10; n += 1) during.push(await timed())
    const replies = await Promise.all(storm)
    const stormMs = performance.now() - began
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]))
    // A call that waited for the hundred to be hashed would take most of that time.
    expect(during.sort((a, b) => a - b)[5]).toBeLessThan(Math.max(500, stormMs / 4))
  })
})
