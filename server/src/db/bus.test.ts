import { randomUUID } from 'node:crypto'
import { account } from '@dmp/contract'
import { pino } from 'pino'
import { makeServer, type Server } from '../app.ts'
import { openLive } from '../testing/live.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { localBus, type News } from './bus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('news within a server', () => {
  it('reach every listener before publishing returns', () => {
    const bus = localBus()
    const heard: News[] = []
    bus.subscribe((news) => heard.push(news))
    bus.publish({ kind: 'missed' })
    expect([bus.hears, heard]).toEqual([true, [{ kind: 'missed' }]])
  })
})

/** A second server on the same PostgreSQL; there is none on the embedded database, where one server at a time opens it. */
async function withSecond(test: (second: Server, url: string) => Promise<void>): Promise<boolean> {
  const url = server.parts.database.pool?.options.connectionString
  if (url === undefined) return false
  const second = await makeServer({ ...server.parts.settings, databaseUrl: url }, { place: { kind: 'postgres', url, poolSize: 3 }, log: pino({ level: 'silent' }) })
  try {
    await test(second, await second.app.listen({ port: 0, host: '127.0.0.1' }))
  } finally {
    await second.close()
  }
  return true
}

describe('two servers on one PostgreSQL', () => {
  it('end a session together: the other refuses its token and closes its live channel within a second [4.14, P11]', async () => {
    const staff = await server.signIn('staff')
    const tried = await withSecond(async (second, url) => {
      const profile = () => second.app.inject({ method: 'GET', url: '/api/account/profile', headers: { ...staff.headers } })
      expect((await profile()).statusCode).toBe(200)
      const channel = await openLive(url, { sessionId: randomUUID(), clientId: 'dmp-web', accessToken: staff.tokens.accessToken ?? '' })
      await channel.next()
      const since = Date.now()
      await server.call(account.logout, { refreshToken: staff.tokens.refreshToken ?? '' })
      expect((await channel.closed).reason).toBe('app-logout')
      expect(Date.now() - since).toBeLessThan(1000)
      expect((await profile()).statusCode).toBe(401)
    })
    expect(tried).toBe(server.parts.database.pool !== undefined)
  })

  it('count wrong passwords together [P04]', async () => {
    const wrong = { method: 'POST', url: '/api/account/login', payload: { ClientId: 'dmp-web', email: 'admin@south.example', password: 'wrong' } } as const
    const tried = await withSecond(async (second) => {
      const replies = []
      for (let n = 0; n < 6; n += 1) replies.push((await (n % 2 ? second : server).app.inject(wrong)).statusCode)
      expect(replies).toEqual([401, 401, 401, 401, 401, 429])
    })
    expect(tried).toBe(server.parts.database.pool !== undefined)
  })
})
