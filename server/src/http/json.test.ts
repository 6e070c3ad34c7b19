import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('takes JSON that is nested twenty levels deep, and none that is deeper [P16]', async () => {
  const send = async (levels: number) => {
    const answer = await server.app.inject({ method: 'POST', url: '/api/account/login', headers: { 'content-type': 'application/json' }, payload: '['.repeat(levels) + ']'.repeat(levels) })
    return answer.json<{ message: string }>().message
  }
  expect(await send(20)).not.toMatch(/nested/)
  expect(await send(21)).toBe('This JSON is nested too deeply.')
})
