import { account } from '@dmp/contract'
import { demoPassword } from './demoAccounts.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { createLoginThrottle } from './loginThrottle.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const browser = { origin: 'http://localhost:4000', host: 'localhost:4000' }
const login = (email: string, password: string, headers: Record<string, string> = {}, remoteAddress = '10.0.0.1') =>
  server.call(account.login, { ClientId: 'dmp-web', email, password }, { headers, remoteAddress })

/** As if the account had been left alone until its wait was over. */
const waitOver = async () => {
  await server.deps.db
    .updateTable('login_attempts')
    .set({ blocked_until: new Date(Date.now() - 1000) })
    .execute()
}

describe('guessing passwords', () => {
  it('is free five times, then waits 1, 2, 4, 8 s and says when to come back [P04]', async () => {
    for (let n = 0; n < 5; n += 1) expect((await login('staff@north.example', `wrong ${n}`)).status).toBe(401)
    for (const seconds of [1, 2, 4, 8, 16]) {
      const row = await server.deps.db
        .selectFrom('login_attempts')
        .selectAll()
        .where('failures', '<', 100)
        .orderBy('blocked_until', 'desc')
        .executeTakeFirstOrThrow()
      expect(row.blocked_until.getTime() - row.updated_date.getTime()).toBe(seconds * 1000)
      // As if it had begun just now, however slow this machine is.
      await server.deps.db
        .updateTable('login_attempts')
        .set({ blocked_until: new Date(Date.now() + 60_000) })
        .where('key', '=', row.key)
        .execute()
      const slowed = await login('staff@north.example', demoPassword)
      expect([slowed.status, slowed.code]).toEqual([429, 'SLOW_DOWN'])
      expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(30)
      expect(slowed.message).toMatch(/^Too many attempts\. Please try again in \d+ seconds?\.$/)
      await waitOver()
      expect((await login('staff@north.example', 'still wrong')).status).toBe(401)
    }
  })

  it('never waits longer than 15 minutes [P04]', async () => {
    await login('staff@north.example', 'wrong')
    await server.deps.db
      .updateTable('login_attempts')
      .set({ failures: 40, blocked_until: new Date(Date.now() - 1000) })
      .execute()
    await login('staff@north.example', 'wrong')
    const slowed = await login('staff@north.example', demoPassword)
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(800)
    expect(Number(slowed.headers['retry-after'])).toBeLessThanOrEqual(900)
  })

  it('looks at five of two hundred guesses at once [P04, P18]', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, n) => login('staff@north.example', `guess ${n}`, {}, `10.0.1.${n}`)),
    )
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(5)
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(195)
  })

  it('lets a person in who signs in thirty times at once [P04]', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => login('staff@north.example', demoPassword)))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
  })

  it('lets everybody of a clinic try at the same moment, who all come from one address [P04]', async () => {
    const people = Array.from({ length: 60 }, (_, n) => `person${n}@north.example`)
    const replies = await Promise.all(people.map((email) => login(email, 'wrong')))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]))
  })

  it('is counted for unknown addresses alike [P04, P07]', async () => {
    const statuses = async (email: string) => {
      const seen: number[] = []
      for (let n = 0; n < 7; n += 1) {
        seen.push((await login(email, 'wrong')).status)
        // Whoever has to wait waits for the next try, however slow this machine is.
        await server.deps.db
          .updateTable('login_attempts')
          .set({ blocked_until: new Date(Date.now() + 60_000) })
          .whereRef('blocked_until', '>', 'updated_date')
          .execute()
      }
      return seen
    }
    const expected = [401, 401, 401, 401, 401, 429, 429]
    expect([await statuses('nobody@north.example'), await statuses('staff@north.example')]).toEqual([
      expected,
      expected,
    ])
  })

  it('starts anew after a right password [P04]', async () => {
    for (let n = 0; n < 4; n += 1) await login('staff@north.example', 'wrong')
    expect((await login('staff@north.example', demoPassword)).status).toBe(200)
    for (let n = 0; n < 4; n += 1) expect((await login('staff@north.example', 'wrong')).status).toBe(401)
  })

  it('does not lock out the person whose browser signed in before [P04]', async () => {
    const own = await login('staff@north.example', demoPassword, browser)
    const device = own.raw.cookies.find((one) => one.name === 'dmp-device')
    expect(device).toMatchObject({ maxAge: 180 * 86_400, httpOnly: true })
    const cookie = `dmp-device=${device?.value ?? ''}`
    for (let n = 0; n < 8; n += 1) await login('staff@north.example', 'wrong', {}, `10.0.2.${n}`)
    expect((await login('staff@north.example', demoPassword)).status).toBe(429)
    const madeUp = `dmp-device=${device?.value.split('.')[0]}.made-up`
    expect((await login('staff@north.example', demoPassword, { ...browser, cookie: madeUp })).status).toBe(429)
    expect((await login('staff@north.example', demoPassword, { ...browser, cookie })).status).toBe(200)
    expect((await login('admin@north.example', 'wrong', { ...browser, cookie })).status).toBe(401)
  })

  it('lets one try be free, where it is only one', async () => {
    const { db, keys } = server.deps
    for (const [free, seconds] of [
      [2, 0],
      [1, 1],
    ] as const) {
      await db.deleteFrom('login_attempts').execute()
      const wait = await createLoginThrottle(db, keys).reserve({ key: 'address:10.0.0.1', free })
      const row = await db.selectFrom('login_attempts').selectAll().executeTakeFirstOrThrow()
      const waitMs = Math.max(0, row.blocked_until.getTime() - row.updated_date.getTime())
      expect([free, wait, waitMs]).toEqual([free, seconds, seconds * 1000])
    }
  })

  it('slows an address that tries many accounts [P04]', async () => {
    await server.close()
    server = await startServer({ DMP_LIMIT_FACTOR: '1' })
    const seen = []
    for (let n = 0; n < 35; n += 1) seen.push((await login(`person${n}@north.example`, 'wrong')).status)
    expect(seen.slice(0, 30).every((status) => status === 401)).toBe(true)
    expect(seen.slice(30)).toContain(429)
    expect((await login('admin@north.example', demoPassword, {}, '10.9.9.9')).status).toBe(200)
  })

  it('keeps neither addresses nor passwords in the table of guesses [P23]', async () => {
    await login('staff@north.example', 'a-secret-guess')
    const rows = await server.deps.db.selectFrom('login_attempts').selectAll().execute()
    expect(rows).not.toHaveLength(0)
    // The instants beside the keys may hold any digits.
    expect(rows.map(({ key }) => key).join(' ')).not.toMatch(/north|secret|10\.0\.|127\.0/)
  })
})
