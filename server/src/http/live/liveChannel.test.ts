import { randomUUID } from 'node:crypto'
import { account, businessUser, scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { openLive, type LiveChannel } from '../../testing/live.ts'
import { LiveHub } from './liveHub.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let url: string
const open: LiveChannel[] = []

beforeAll(async () => {
  server = await startServer({ DMP_APP_ORIGINS: 'https://apps.example.org', DMP_LIVE_VALIDATE_SECONDS: '1' })
  url = await server.listen()
})
afterEach(() => open.splice(0).forEach((channel) => channel.close()))
afterAll(() => server.close())

const connect = async (
  sessionId: string,
  clientId = 'dmp-web',
  headers: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<LiveChannel> => {
  const channel = await openLive(url, { sessionId, clientId, ...more }, headers)
  open.push(channel)
  return channel
}

/** As the page does just before it opens an external app. */
const announce = (who: SignedIn, sessionId: string) => who.call(account.announceLaunch, { sessionId })

const bound = async (who: SignedIn, sessionId: string): Promise<LiveChannel> => {
  const channel = await connect(sessionId)
  channel.send({ type: 'renewToken', accessToken: who.tokens.accessToken ?? '' })
  expect(await channel.next()).toEqual({ type: 'keepAlive' })
  return channel
}

describe('opening the live channel', () => {
  it('takes the access token in the first message, or in the query [7.41]', async () => {
    const staff = await server.signIn('staff')
    await bound(staff, randomUUID())
    const inQuery = await connect(randomUUID(), 'dmp-web', {}, { accessToken: staff.tokens.accessToken ?? '' })
    expect(await inQuery.next()).toEqual({ type: 'keepAlive' })
    expect(server.logs.join('')).not.toContain(staff.tokens.accessToken)
  })

  it('refuses foreign origins and unknown client ids before the upgrade [P11]', async () => {
    await expect(connect(randomUUID(), 'dmp-web', { origin: 'https://evil.example' })).rejects.toThrow(
      'refused with 403',
    )
    await expect(connect(randomUUID(), 'dmp-web', { origin: 'https://apps.example.org' })).rejects.toThrow(
      'refused with 403',
    )
    await expect(connect(randomUUID(), 'somebody', {})).rejects.toThrow('refused with 403')
    await connect(randomUUID(), 'dmp-web', { origin: url })
    await connect(randomUUID(), 'dmp-addon', { origin: 'https://apps.example.org' })
  })

  it('refuses a session id that is none, with the words of the catalogue [8.04]', async () => {
    const channel = await connect('not-a-session-id')
    expect(await channel.next()).toEqual({
      type: 'error',
      code: 400,
      message: 'Your session id is invalid. Please open the application from the product again.',
    })
    expect(await channel.closed).toEqual({ code: 4400, reason: 'app-error' })
  })

  it('refuses a token that is worth nothing [8.04, P11]', async () => {
    const channel = await connect(randomUUID())
    channel.send({ type: 'renewToken', accessToken: 'garbage' })
    expect(await channel.next()).toMatchObject({
      type: 'error',
      message: 'Your session is invalid. Please open the application from the product again.',
    })
  })

  it('refuses the session id of somebody else, also with a good token of one’s own [P11]', async () => {
    const sessionId = randomUUID()
    await bound(await server.signIn('staff'), sessionId)
    const other = await server.signIn('admin')
    const channel = await connect(sessionId)
    channel.send({ type: 'renewToken', accessToken: other.tokens.accessToken ?? '' })
    expect(await channel.next()).toMatchObject({
      type: 'error',
      message: expect.stringContaining('session id is invalid'),
    })
  })

  it('closes who does not say whose it is within five seconds [P11]', async () => {
    const channel = await connect(randomUUID())
    const since = Date.now()
    expect((await channel.closed).code).toBe(1008)
    expect(Date.now() - since).toBeGreaterThan(4000)
  })
})

/** Before anything that looks from time to time would have found out; a machine may be busy. */
const soonMs = 20_000

describe('what goes over it', () => {
  it('answers keep-alive, and notes when the person was active [4.12, 7.41]', async () => {
    const staff = await server.signIn('staff')
    const channel = await bound(staff, randomUUID())
    const seen = jest.spyOn(server.deps.activity, 'seen')
    const activeDate = new Date().toISOString()
    channel.send({ type: 'keepAlive', activeDate })
    expect(await channel.next()).toEqual({ type: 'keepAlive' })
    expect(seen.mock.calls.map(([, at]) => at?.toISOString())).toEqual([activeDate])
    seen.mockRestore()
  })

  it('tells the other channels of the session that it idles [4.13]', async () => {
    const staff = await server.signIn('staff')
    const [one, two] = [await bound(staff, randomUUID()), await bound(staff, randomUUID())]
    one.send({ type: 'idleTimeout' })
    expect(await two.next()).toEqual({ type: 'idleTimeout' })
    expect(one.frames).toEqual([])
  })

  it('says logout and closes cleanly at once when somebody signs out [4.14, P11]', async () => {
    const staff = await server.signIn('staff')
    const channel = await bound(staff, randomUUID())
    const since = Date.now()
    await server.call(account.logout, { refreshToken: staff.tokens.refreshToken ?? '' })
    expect(await channel.next()).toEqual({ type: 'logout' })
    expect(await channel.closed).toEqual({ code: 1000, reason: 'app-logout' })
    expect(Date.now() - since).toBeLessThan(soonMs)
  })

  it('ends the session everywhere when one channel sends logout [4.14, 7.41]', async () => {
    const staff = await server.signIn('staff')
    const [one, two] = [await bound(staff, randomUUID()), await bound(staff, randomUUID())]
    one.send({ type: 'logout' })
    expect(await two.next()).toEqual({ type: 'logout' })
    expect((await staff.call(account.profile, {})).status).toBe(401)
  })

  it('closes at once when the user is deactivated [4.03, P11]', async () => {
    const service = await server.signIn('service_user')
    const channel = await bound(service, randomUUID())
    const admin = await server.signIn('admin')
    const since = Date.now()
    expect((await admin.call(businessUser.deactivateUser, { id: service.userId })).status).toBe(200)
    expect((await channel.closed).reason).toMatch(/^app-/)
    expect(Date.now() - since).toBeLessThan(soonMs)
    expect((await service.call(scan.list, {})).status).toBe(401)
  })

  it('closes with an error when the token is over [8.04]', async () => {
    const brief = await startServer({ DMP_ACCESS_TOKEN_MINUTES: '0.01', DMP_LIVE_VALIDATE_SECONDS: '1' })
    try {
      const at = await brief.listen()
      const staff = await brief.signIn('staff')
      const channel = await openLive(at, {
        sessionId: randomUUID(),
        clientId: 'dmp-web',
        accessToken: staff.tokens.accessToken ?? '',
      })
      expect((await channel.closed).reason).toBe('app-error')
    } finally {
      await brief.close()
    }
  })
})

describe('an external app', () => {
  it('exchanges the session id for a token that reads scans and nothing else [7.42, P11]', async () => {
    const staff = await server.signIn('staff')
    const sessionId = randomUUID()
    const own = await bound(staff, sessionId)
    await announce(staff, sessionId)
    const app = await connect(sessionId, 'dmp-addon', { origin: 'https://apps.example.org' })
    app.send({ type: 'getToken' })
    const frame = await app.next()
    if (frame.type !== 'token') throw new Error(frame.type)
    const headers = { authorization: `Bearer ${frame.accessToken}` }
    expect((await server.call(scan.list, { organizationId: northClinic.id }, { headers })).status).toBe(200)
    expect(
      (await server.call(scan.get, { organizationId: northClinic.id, seriesUID: '1.2.404' }, { headers })).status,
    ).toBe(404)
    expect((await server.call(account.profile, {}, { headers })).status).toBe(403)
    expect((await server.call(account.validateToken, {}, { headers })).status).toBe(200)

    app.send({ type: 'logout' })
    expect(await app.next()).toEqual({ type: 'logout' })
    expect((await staff.call(account.profile, {})).status).toBe(200)
    own.send({ type: 'logout' })
    expect((await own.closed).reason).toBe('app-logout')
    expect((await server.call(account.validateToken, {}, { headers })).status).toBe(401)
  })

  it('gets nothing for a session id that nobody bound, nor as the web application [P11]', async () => {
    const app = await connect(randomUUID(), 'dmp-addon')
    app.send({ type: 'getToken' })
    expect(await app.next()).toMatchObject({ type: 'error', code: 400 })
    const web = await connect(randomUUID())
    web.send({ type: 'getToken' })
    expect(await web.next()).toMatchObject({ type: 'error', code: 400 })
    // A page has its own token already, and goes on.
    const page = await bound(await server.signIn('staff'), randomUUID())
    for (const type of ['getToken', 'keepAlive'] as const) page.send({ type })
    expect(await page.next()).toEqual({ type: 'keepAlive' })
  })

  it('is given a new token when the session is renewed [4.12]', async () => {
    const staff = await server.signIn('staff')
    const sessionId = randomUUID()
    const own = await bound(staff, sessionId)
    await announce(staff, sessionId)
    const app = await connect(sessionId, 'dmp-addon')
    app.send({ type: 'getToken' })
    await app.next()
    own.send({ type: 'renewToken', accessToken: staff.tokens.accessToken ?? '' })
    expect(await app.next()).toMatchObject({ type: 'token' })
  })
})

describe('too many lines of one address', () => {
  it.each([
    [19_999, true],
    [20_000, false],
  ])('are refused: beside %d others one more is let in: %s [P11, P19]', async (lines, isIn) => {
    const count = jest.spyOn(LiveHub.prototype, 'countChannels').mockReturnValue(lines)
    const answer = await connect(randomUUID()).then(
      () => 'in',
      (cause: Error) => cause.message,
    )
    count.mockRestore()
    expect(answer).toBe(isIn ? 'in' : 'refused with 429')
  })
})

describe('clients that misbehave', () => {
  it.each([
    ['no JSON', 'hello'],
    ['an unknown type', '{"type":"admin"}'],
    ['unknown properties', '{"type":"keepAlive","role":"super_admin"}'],
    ['binary data', Buffer.from([1, 2, 3])],
  ])('are closed after %s [P11]', async (_what, data) => {
    const channel = await connect(randomUUID())
    channel.sendRaw(data)
    expect((await channel.closed).code).toBe(1008)
  })

  it('are closed after an oversized frame [P11]', async () => {
    const channel = await connect(randomUUID())
    channel.sendRaw(`{"type":"renewToken","accessToken":"${'x'.repeat(20_000)}"}`)
    expect((await channel.closed).code).toBe(1009)
  })

  it('may send frames of 8 kB, and not a byte more [P11]', async () => {
    const channel = await bound(await server.signIn('staff'), randomUUID())
    const blank = (bytes: number): string => '{"type":"keepAlive"}'.padEnd(bytes)
    channel.sendRaw(blank(8192))
    expect(await channel.next()).toEqual({ type: 'keepAlive' })
    channel.sendRaw(blank(8193))
    expect((await channel.closed).code).toBe(1009)
  })

  it('may send sixty frames in ten seconds, and not one more [P11]', async () => {
    const channel = await bound(await server.signIn('staff'), randomUUID())
    // The first was the token.
    for (let frame = 1; frame < 60; frame += 1) {
      channel.send({ type: 'keepAlive' })
      expect(await channel.next()).toEqual({ type: 'keepAlive' })
    }
    channel.send({ type: 'keepAlive' })
    expect((await channel.closed).code).toBe(1008)
  })

  it.each([
    [10_000, 'closed'],
    [10_001, 'answered'],
  ])('may send sixty more when ten seconds are over: after %d ms they are %s [P11]', async (later, outcome) => {
    const staff = await server.signIn('staff')
    // Whole milliseconds: sums of others are not exact.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()))
    const channel = await bound(staff, randomUUID())
    for (let frame = 1; frame < 60; frame += 1) {
      channel.send({ type: 'keepAlive' })
      await channel.next()
    }
    clock.mockReturnValue(performance.now() + later)
    channel.send({ type: 'keepAlive' })
    const answer = await Promise.race([channel.closed.then(() => 'closed'), channel.next().then(() => 'answered')])
    clock.mockRestore()
    expect(answer).toBe(outcome)
  })

  it('are closed after a flood of frames [P11]', async () => {
    const channel = await bound(await server.signIn('staff'), randomUUID())
    for (let frame = 0; frame < 100; frame += 1) channel.send({ type: 'keepAlive' })
    expect((await channel.closed).code).toBe(1008)
  })
})
