import { randomUUID } from 'node:crypto'
import { account } from '@dmp/contract'
import pg from 'pg'
import { pino } from 'pino'
import { makeServer, type Server } from '../app.ts'
import { endSessions } from '../identity/sessions.ts'
import { openLive } from '../testing/live.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { DatabaseHosts } from './databaseHosts.ts'
import { createLocalBus, openSharedBus, type Bus, type News, type WireNews } from './bus.ts'

describe('news within a server', () => {
  it('reach every listener before publishing returns', () => {
    const bus = createLocalBus()
    const heard: News[] = []
    bus.subscribe((news) => heard.push(news))
    bus.publish({ kind: 'missed' })
    expect([bus.hears, heard]).toEqual([true, [{ kind: 'missed' }]])
  })
})

describe('news between servers', () => {
  /** Connections to a PostgreSQL that is not there, in the order in which they were made. */
  const made: pg.Client[] = []
  let isAway = false
  let answered: Promise<void> | undefined
  let told: { from: string; news: WireNews }[] = []
  const heard: News[] = []
  let isMute = false
  let bus: Bus
  const notify = (message: object) =>
    made.at(-1)?.emit('notification', { channel: 'dmp_news', payload: JSON.stringify(message) })
  const settled = () => new Promise((later) => setImmediate(later))

  beforeEach(async () => {
    for (const list of [made, told, heard]) list.length = 0
    isAway = false
    isMute = false
    answered = undefined
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date', 'performance'] })
    jest.spyOn(pg.Client.prototype, 'connect').mockImplementation(async function connect(this: pg.Client) {
      made.push(this)
      await answered
      if (isAway) throw new Error('the database is away')
    })
    const query = async (_text: string, [, message]: string[] = []): Promise<void> => {
      if (isMute) throw new Error('Query read timeout')
      if (message !== undefined) told.push(JSON.parse(message) as (typeof told)[number])
      else if (answered) await answered
    }
    jest.spyOn(pg.Client.prototype, 'query').mockImplementation(query as never)
    jest.spyOn(pg.Client.prototype, 'end').mockImplementation(async () => undefined)
    bus = await openSharedBus(new DatabaseHosts('postgres://127.0.0.1:9/dmp'))
    await settled()
    // The process before may have died with news unsaid.
    expect(told.map(({ news }) => news)).toEqual([{ kind: 'missed' }])
    told = []
    bus.subscribe((news) => heard.push(news))
  })
  afterEach(async () => {
    await bus.close()
    jest.useRealTimers()
    jest.restoreAllMocks()
  })

  it('are heard once: here at once, and from others; our own that come back are not new', () => {
    bus.publish({ kind: 'jobsWaiting', job: 'mail' })
    const [own] = told
    expect([heard, told.length]).toEqual([[{ kind: 'jobsWaiting', job: 'mail' }], 1])
    notify(own ?? {})
    expect(heard).toHaveLength(1)
    notify({ from: 'another', news: { kind: 'jobsWaiting', job: 'transfer' } })
    expect(heard.at(-1)).toEqual({ kind: 'jobsWaiting', job: 'transfer' })
    for (const nothing of [{}, { from: 'another' }]) notify(nothing)
    expect(heard).toHaveLength(2)
  })

  it('of many sessions go in several messages, each small enough, and none is left out', async () => {
    const ids = (count: number) => Array.from({ length: count }, () => randomUUID())
    for (const [count, messages] of [
      [150, 1],
      [151, 2],
      [300, 2],
      [301, 3],
    ] as const) {
      told = []
      const sessionIds = ids(count)
      bus.publish({ kind: 'sessionsEnded', sessionIds, reason: 'logout' })
      // The line takes one statement at a time.
      expect(told).toHaveLength(1)
      await settled()
      expect([count, told.length, told.flatMap(({ news }) => news.families ?? [])]).toEqual([
        count,
        messages,
        sessionIds,
      ])
      for (const one of told) expect(JSON.stringify(one).length).toBeLessThan(8000)
    }
    told = []
    bus.publish({ kind: 'viewersChanged', userIds: ids(150) })
    await settled()
    expect(told).toHaveLength(1)
  })

  it('are told in the words of the version before, which may still run beside this one', () => {
    bus.publish({ kind: 'passedOn', sessionId: 's', frame: 'renewToken', from: 'channel' })
    expect(told.map(({ news }) => news)).toEqual([
      { kind: 'passedOn', family: 's', frame: 'renewToken', from: 'channel' },
    ])
    heard.length = 0
    notify({ from: 'another', news: { kind: 'sessionsEnded', families: ['a', 'b'], reason: 'error' } })
    notify({ from: 'another', news: { kind: 'passedOn', family: 'a', frame: 'idleTimeout', from: 'channel' } })
    expect(heard).toEqual([
      { kind: 'sessionsEnded', sessionIds: ['a', 'b'], reason: 'error' },
      { kind: 'passedOn', sessionId: 'a', frame: 'idleTimeout', from: 'channel' },
    ])
  })

  it('are missed while the line is down, which is known; it is tried again every second, and what was missed is said', async () => {
    expect(bus.hears).toBe(true)
    isAway = true
    made.at(-1)?.emit('end')
    expect(bus.hears).toBe(false)
    for (let second = 2; second <= 4; second += 1) {
      await jest.advanceTimersByTimeAsync(1000)
      expect([made.length, bus.hears]).toEqual([second, false])
    }
    isAway = false
    await jest.advanceTimersByTimeAsync(1000)
    expect([bus.hears, heard]).toEqual([true, [{ kind: 'missed' }]])
    // A line that was given up long ago ends nothing any more.
    made[0]?.emit('end')
    expect(bus.hears).toBe(true)
  })

  it.each([
    ['is down', () => made.at(-1)?.emit('end')],
    ['takes none', () => (isMute = true)],
  ])(
    'that cannot be said because the line %s are owed: the others forget all once it is back [P11]',
    async (_, cut) => {
      cut()
      bus.publish({ kind: 'sessionsEnded', sessionIds: ['a'], reason: 'logout' })
      await settled()
      expect([bus.hears, told]).toEqual([false, []])
      isMute = false
      await jest.advanceTimersByTimeAsync(1000)
      expect([bus.hears, told.map(({ news }) => news)]).toEqual([true, [{ kind: 'missed' }]])
      made.at(-1)?.emit('end')
      await jest.advanceTimersByTimeAsync(1000)
      expect([made.length, told.length]).toEqual([3, 1])
    },
  )

  it('are known to be missed where the line was cut on its way and says nothing', async () => {
    isMute = true
    await jest.advanceTimersByTimeAsync(5000)
    expect(bus.hears).toBe(false)
    isMute = false
    await jest.advanceTimersByTimeAsync(1000)
    expect([bus.hears, heard]).toEqual([true, [{ kind: 'missed' }]])
  })

  it('may be on their way while the line does not answer: nothing is answered from memory after a second [P11]', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answered = promise
    await jest.advanceTimersByTimeAsync(999)
    expect(bus.hears).toBe(true)
    await jest.advanceTimersByTimeAsync(1)
    expect(bus.hears).toBe(false)
    // In order: what was sent meanwhile came before the answer, so that nothing was missed.
    resolve()
    await jest.advanceTimersByTimeAsync(0)
    expect([bus.hears, heard, made.length]).toEqual([true, [], 1])
  })

  it('are listened for no more once the bus is closed', async () => {
    isAway = true
    made.at(-1)?.emit('end')
    await bus.close()
    await jest.advanceTimersByTimeAsync(5000)
    expect(made).toHaveLength(1)
    isAway = false
    const other = await openSharedBus(new DatabaseHosts('postgres://127.0.0.1:9/dmp'))
    await other.close()
    made.at(-1)?.emit('end')
    await jest.advanceTimersByTimeAsync(5000)
    await settled()
    expect(made).toHaveLength(2)
  })

  it('are not tried for again when the bus was closed while it tried', async () => {
    const gate = Promise.withResolvers<void>()
    isAway = true
    answered = gate.promise
    made.at(-1)?.emit('end')
    await jest.advanceTimersByTimeAsync(1000)
    await bus.close()
    gate.resolve()
    await jest.advanceTimersByTimeAsync(5000)
    expect(made).toHaveLength(2)
  })
})

describe('two servers on one PostgreSQL', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  /**
   * A second server on the same PostgreSQL; there is none on the embedded database, where one server at a time opens
   * it.
   */
  async function withSecond(test: (second: Server, url: string) => Promise<void>): Promise<boolean> {
    const url = server.deps.database.hosts?.address
    if (url === undefined) return false
    const second = await makeServer(
      { ...server.deps.settings, databaseUrl: url },
      { place: { kind: 'postgres', url, poolSize: 3 }, log: pino({ level: 'silent' }) },
    )
    try {
      await test(second, await second.app.listen({ port: 0, host: '127.0.0.1' }))
    } finally {
      await second.close()
    }
    return true
  }

  it('end a session together: the other refuses its token and closes its live channel at once [4.14, P11]', async () => {
    const staff = await server.signIn('staff')
    const tried = await withSecond(async (second, url) => {
      const profile = () =>
        second.app.inject({ method: 'GET', url: '/api/account/profile', headers: { ...staff.headers } })
      expect((await profile()).statusCode).toBe(200)
      const channel = await openLive(url, {
        sessionId: randomUUID(),
        clientId: 'dmp-web',
        accessToken: staff.tokens.accessToken ?? '',
      })
      await channel.next()
      const since = Date.now()
      await server.call(account.logout, { refreshToken: staff.tokens.refreshToken ?? '' })
      expect((await channel.closed).reason).toBe('app-logout')
      // By the news, not by one of the looks that come once a minute; a machine may be busy.
      expect(Date.now() - since).toBeLessThan(20_000)
      expect((await profile()).statusCode).toBe(401)
    })
    expect(tried).toBe(server.deps.database.pool !== undefined)
  })

  it('learn of an end even from a server that dies right after the commit [P11]', async () => {
    const staff = await server.signIn('staff')
    const tried = await withSecond(async (second) => {
      const statusOf = async ({ app }: Pick<Server, 'app'>): Promise<number> =>
        (await app.inject({ method: 'GET', url: '/api/account/profile', headers: { ...staff.headers } })).statusCode
      expect([await statusOf(second), await statusOf(server)]).toEqual([200, 200])
      const { sid } = JSON.parse(
        Buffer.from(staff.tokens.accessToken?.split('.')[1] ?? '', 'base64url').toString(),
      ) as { sid: string }
      const dying = server.deps.write({ request: { id: 'test', ip: '127.0.0.1' } }, async (step) => {
        step.afterwards(() => {
          throw new Error('killed')
        })
        await endSessions(step, { sessionIds: [sid] }, 'deactivated')
        await step.audit({ event: 'SessionEnded', organizationId: null })
      })
      await expect(dying).rejects.toThrow('killed')
      // By the news, not by the look that comes once a minute; nor is the first server left behind.
      for (const one of [second, server])
        for (let tries = 0; (await statusOf(one)) !== 401; tries += 1) {
          expect(tries).toBeLessThan(500)
          await new Promise((later) => setTimeout(later, 20))
        }
    })
    expect(tried).toBe(server.deps.database.pool !== undefined)
  })

  it('count wrong passwords together [P04]', async () => {
    const wrong = {
      method: 'POST',
      url: '/api/account/login',
      payload: { ClientId: 'dmp-web', email: 'admin@south.example', password: 'wrong' },
    } as const
    const tried = await withSecond(async (second) => {
      const replies = []
      for (let n = 0; n < 6; n += 1) replies.push((await (n % 2 ? second : server).app.inject(wrong)).statusCode)
      expect(replies).toEqual([401, 401, 401, 401, 401, 429])
    })
    expect(tried).toBe(server.deps.database.pool !== undefined)
  })
})
