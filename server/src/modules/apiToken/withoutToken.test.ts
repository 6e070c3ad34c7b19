import { startServer, type TestServer } from '../../testing/server.ts'
import { serviceDoors, toRequest, type ServiceDoor } from './serviceDoorsInTests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('without a credential', () => {
  const browser = { 'user-agent': 'Mozilla/5.0' }
  const say = async (door: ServiceDoor, headers: Record<string, string> = {}) => {
    const reply = await server.app.inject({ ...toRequest(door), headers })
    return [
      reply.statusCode,
      reply.body === '' ? '' : reply.json<{ message: string }>().message,
      reply.headers,
    ] as const
  }

  it.each(serviceDoors.map((door) => [door.name, door] as const))(
    '%s says what a program is to send, and asks a person to sign in [8.02, P35]',
    async (_name, door) => {
      for (const headers of [{}, { authorization: 'dmp_without_a_scheme' }]) {
        const [status, message, { 'www-authenticate': schemes }] = await say(door, headers)
        expect([status, schemes]).toEqual([401, ['Bearer realm="DMP"', expect.stringMatching(/^Basic realm=/)]])
        if (door.method === 'HEAD') continue
        expect(message).toMatch(/Authorization: Bearer dmp_….* password of Basic\..*Account > API tokens\.$/)
        expect(message).not.toMatch(/session/i)
      }
      const [wrongStatus, wrong, { 'www-authenticate': why }] = await say(door, { authorization: 'Bearer of-nothing' })
      expect([wrongStatus, why?.[0]]).toEqual([401, 'Bearer realm="DMP", error="invalid_token"'])
      if (door.method !== 'HEAD')
        expect(wrong).toMatch(
          /^This Bearer token is not valid\. API tokens begin with dmp_; .* under Account > API tokens/,
        )
      const [, message, { 'www-authenticate': schemes }] = await say(door, browser)
      expect(schemes).toBe('Bearer realm="DMP"')
      if (door.method !== 'HEAD') expect(message).toMatch(/^Your session is not valid anymore\./)
    },
  )
})
