import { account } from '@dmp/contract'
import { sql } from 'kysely'
import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ DMP_DATABASE_POOL: '5' })
})
afterAll(() => server.close())

const onPostgres = (): boolean => server.deps.database.pool !== undefined
const profile = (headers: Record<string, string>) =>
  server.app.inject({ method: 'GET', url: '/api/account/profile', headers })

describe('a database that goes away', () => {
  it('is answered by readyz with 503 and one sentence, while healthz stays up [P21]', async () => {
    let isGone = true
    const broken = {
      ...server.deps.database,
      ping: () => (isGone ? Promise.reject(new Error('gone')) : Promise.resolve()),
    }
    const { registerHealth } = await import('../http/health.ts')
    const { default: Fastify } = await import('fastify')
    const { registerErrorResponses } = await import('../http/errorResponses.ts')
    const app = Fastify()
    registerErrorResponses(app)
    registerHealth(app, [{ name: 'database', check: () => broken.ping() }])
    const reply = await app.inject('/readyz')
    expect([reply.statusCode, reply.json()]).toMatchObject([
      503,
      { code: 'NOT_READY', message: 'Not ready: database.' },
    ])
    expect(reply.headers['retry-after']).toBe('2')
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    isGone = false
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' })
    await app.close()
  })

  it.each(['57P01', '08006', 'ECONNREFUSED', 'EPIPE'])(
    'that says %s is answered with 503 and a time to try again, not as a mistake of ours [P21]',
    async (code) => {
      const { default: Fastify } = await import('fastify')
      const { registerErrorResponses } = await import('../http/errorResponses.ts')
      const app = Fastify()
      registerErrorResponses(app)
      app.get('/', async () => {
        throw Object.assign(new Error('gone'), { code })
      })
      const reply = await app.inject('/')
      expect([reply.statusCode, reply.json<{ code: string }>().code, reply.headers['retry-after']]).toEqual([
        503,
        'NOT_READY',
        '2',
      ])
      await app.close()
    },
  )

  it('recovers by itself when every connection was cut, and hears news again [P21]', async () => {
    const staff = await server.signIn('staff')
    const headers = { ...staff.headers }
    expect((await profile(headers)).statusCode).toBe(200)
    if (onPostgres()) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
        server.deps.db,
      )
      const first = await profile(headers)
      expect([200, 503]).toContain(first.statusCode)
      expect(first.body).not.toMatch(/terminat|backend|postgres/i)
      for (let tries = 0; tries < 50 && !server.deps.bus.hears; tries += 1)
        await new Promise((again) => setTimeout(again, 100))
    }
    expect(server.deps.bus.hears).toBe(true)
    expect((await profile(headers)).statusCode).toBe(200)
  })

  it('answers 503 with Retry-After when no connection is to be had, and goes on when there is one [P21]', async () => {
    const staff = await server.signIn('staff')
    const { pool } = server.deps.database
    const held = pool ? await Promise.all(Array.from({ length: 5 }, () => pool.connect())) : []
    const reply = pool ? await profile({ ...staff.headers }) : undefined
    expect(reply?.statusCode).toBe(pool ? 503 : undefined)
    expect(reply?.headers['retry-after']).toBe(pool ? '2' : undefined)
    for (const connection of held) connection.release()
    expect((await staff.call(account.profile, {})).status).toBe(200)
  })
})
