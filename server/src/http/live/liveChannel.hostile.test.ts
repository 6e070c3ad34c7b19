import { randomUUID } from 'node:crypto'
import { account, businessUser, organization, scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { demoPassword } from '../../modules/account/demoAccounts.ts'
import { signAccessToken } from '../../identity/accessToken.ts'
import { openLive, type LiveChannel } from '../../testing/live.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let url: string
const open: LiveChannel[] = []
const apps = 'https://apps.example.org'

beforeAll(async () => {
  server = await startServer({ DMP_APP_ORIGINS: apps, DMP_LIVE_VALIDATE_SECONDS: '1' })
  url = await server.listen()
})
afterEach(() => open.splice(0).forEach((channel) => channel.close()))
afterAll(() => server.close())

const connect = async (query: Record<string, string>, headers: Record<string, string> = {}): Promise<LiveChannel> => {
  const channel = await openLive(url, query, headers)
  open.push(channel)
  return channel
}
const page = (sessionId: string, more: Record<string, string> = {}) =>
  connect({ sessionId, clientId: 'dmp-web', ...more })
const addOn = (sessionId: string, more: Record<string, string> = {}) =>
  connect({ sessionId, clientId: 'dmp-addon', ...more }, { origin: apps })
const tokenOf = (who: SignedIn): string => who.tokens.accessToken ?? ''
const bound = async (who: SignedIn, sessionId: string): Promise<LiveChannel> => {
  const channel = await page(sessionId, { accessToken: tokenOf(who) })
  expect(await channel.next()).toEqual({ type: 'keepAlive' })
  return channel
}
const exchanged = async (channel: LiveChannel) => {
  channel.send({ type: 'getToken' })
  const frame = await channel.next()
  return frame.type === 'token' ? frame.accessToken : frame
}
const idInvalid = {
  type: 'error',
  code: 400,
  message: 'Your session id is invalid. Please open the application from the product again.',
}
const invalid = {
  type: 'error',
  code: 400,
  message: 'Your session is invalid. Please open the application from the product again.',
}

describe('who does not prove whose the session is', () => {
  it.each([
    ['', 'nothing'],
    ["' or 1=1 --", 'a quote'],
    ['../../etc/passwd', 'a path'],
    ['x'.repeat(4000), 'a long text'],
    [`${randomUUID()}0`, 'one character too many'],
  ])('is refused with the session id %j: %s [P11]', async (sessionId) => {
    const channel = await page(sessionId)
    expect(await channel.next()).toEqual(idInvalid)
    expect(await channel.closed).toEqual({ code: 4400, reason: 'app-error' })
  })

  it.each([{ type: 'keepAlive' }, { type: 'idleTimeout' }, { type: 'logout' }] as const)(
    'cannot send $type [P11]',
    async (frame) => {
      const staff = await server.signIn('staff')
      const sessionId = randomUUID()
      const own = await bound(staff, sessionId)
      const stranger = await page(sessionId)
      stranger.send(frame)
      expect(await stranger.next()).toEqual(invalid)
      expect(own.frames).toEqual([])
      expect((await staff.call(account.profile, {})).status).toBe(200)
    },
  )

  it('is refused with a token that has run out, in the query as in the message [P11]', async () => {
    const staff = await server.signIn('staff')
    const sessionId = JSON.parse(Buffer.from(tokenOf(staff).split('.')[1] ?? '', 'base64url').toString()).sid as string
    const { token } = await signAccessToken(server.deps.keys, { userId: staff.userId, sessionId, scope: 'all' }, -1)
    expect(await (await page(randomUUID(), { accessToken: token })).next()).toEqual(invalid)
    const late = await page(randomUUID())
    late.send({ type: 'renewToken', accessToken: token })
    expect(await late.next()).toEqual(invalid)
  })

  it('does not take over a channel by renewing it with a token of another session [P11]', async () => {
    const staff = await server.signIn('staff')
    const channel = await bound(staff, randomUUID())
    channel.send({ type: 'renewToken', accessToken: tokenOf(await server.signIn('staff')) })
    expect(await channel.next()).toEqual(idInvalid)
  })
})

describe('an external app', () => {
  const launched = async () => {
    const staff = await server.signIn('staff')
    const sessionId = randomUUID()
    const own = await bound(staff, sessionId)
    await staff.call(account.announceLaunch, { sessionId })
    return { staff, sessionId, own }
  }

  it('exchanges the session id once; who finds the address later gets nothing [7.42, P11]', async () => {
    const { sessionId } = await launched()
    expect(await exchanged(await addOn(sessionId))).toEqual(expect.any(String))
    expect(await exchanged(await addOn(sessionId))).toEqual(idInvalid)
  })

  it('gets one token for one announcement, however many ask at once [P11]', async () => {
    const { sessionId } = await launched()
    const answers = await Promise.all(Array.from({ length: 4 }, async () => exchanged(await addOn(sessionId))))
    expect(answers.filter((answer) => typeof answer === 'string')).toHaveLength(1)
  })

  it('opened twice by its user gets a token twice [7.42]', async () => {
    const { staff, sessionId } = await launched()
    await staff.call(account.announceLaunch, { sessionId })
    expect([
      typeof (await exchanged(await addOn(sessionId))),
      typeof (await exchanged(await addOn(sessionId))),
    ]).toEqual(['string', 'string'])
  })

  it('is announced under a hundred names of one session at most, and is still found under the first [P11, P18]', async () => {
    const { staff, sessionId } = await launched()
    for (let more = 0; more < 105; more += 1) await staff.call(account.announceLaunch, { sessionId: randomUUID() })
    const { count } = await server.deps.db
      .selectFrom('session_labels')
      .innerJoin('session_labels as own', 'own.session_id', 'session_labels.session_id')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('own.label', '=', sessionId)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(100)
    expect(await exchanged(await addOn(sessionId))).toEqual(expect.any(String))
  })

  it('is opened five times at once at most [P11]', async () => {
    const { staff, sessionId } = await launched()
    for (let more = 0; more < 6; more += 1) await staff.call(account.announceLaunch, { sessionId })
    const answers = await Promise.all(Array.from({ length: 7 }, async () => exchanged(await addOn(sessionId))))
    expect(answers.filter((answer) => typeof answer === 'string')).toHaveLength(5)
  })

  it('may be quicker than the page that announces it [7.42]', async () => {
    const staff = await server.signIn('staff')
    const sessionId = randomUUID()
    await bound(staff, sessionId)
    const app = await addOn(sessionId)
    const early = exchanged(app)
    await staff.call(account.announceLaunch, { sessionId })
    expect(await early).toEqual(expect.any(String))
  })

  it('gets nothing when it comes later than two minutes [P11]', async () => {
    const { sessionId } = await launched()
    await server.deps.db
      .updateTable('session_labels')
      .set({ exchange_until: new Date(Date.now() - 1) })
      .where('label', '=', sessionId)
      .execute()
    expect(await exchanged(await addOn(sessionId))).toEqual(idInvalid)
  })

  it('cannot be announced for the session of somebody else, and the answer does not tell [P11]', async () => {
    const staff = await server.signIn('staff')
    const sessionId = randomUUID()
    await bound(staff, sessionId)
    const admin = await server.signIn('admin')
    const answers = [
      await admin.call(account.announceLaunch, { sessionId }),
      await admin.call(account.announceLaunch, { sessionId: randomUUID() }),
    ]
    expect(answers.map(({ status, data }) => [status, data])).toEqual([
      [200, null],
      [200, null],
    ])
    expect(await exchanged(await addOn(sessionId))).toEqual(idInvalid)
  })

  it('comes back with the token that it got when its line broke [4.14, 7.41]', async () => {
    const { staff, sessionId } = await launched()
    const first = await addOn(sessionId)
    const accessToken = await exchanged(first)
    if (typeof accessToken !== 'string') throw new Error(accessToken.type)
    first.close()
    const again = await addOn(sessionId, { accessToken })
    expect(await again.next()).toEqual({ type: 'keepAlive' })
    // It is still one that can end nothing but itself, and is nobody's page.
    server.deps.bus.publish({ kind: 'inboxChanged', userId: staff.userId, organizationId: null })
    again.send({ type: 'logout' })
    expect(await again.next()).toEqual({ type: 'logout' })
    expect((await staff.call(account.profile, {})).status).toBe(200)
  })

  it('cannot enter with its token as the page, nor into another session [P11]', async () => {
    const { sessionId } = await launched()
    const accessToken = await exchanged(await addOn(sessionId))
    if (typeof accessToken !== 'string') throw new Error(accessToken.type)
    expect(await (await page(sessionId, { accessToken })).next()).toEqual(invalid)
    const other = randomUUID()
    await bound(await server.signIn('admin'), other)
    expect(await (await addOn(other, { accessToken })).next()).toEqual(idInvalid)
  })

  it('cannot announce another app with its token [P11]', async () => {
    const { sessionId } = await launched()
    const accessToken = await exchanged(await addOn(sessionId))
    const reply = await server.call(
      account.announceLaunch,
      { sessionId },
      { headers: { authorization: `Bearer ${String(accessToken)}` } },
    )
    expect(reply.status).toBe(403)
  })

  it('may show its token again on the same line [4.14]', async () => {
    const { sessionId } = await launched()
    const app = await addOn(sessionId)
    const accessToken = String(await exchanged(app))
    app.send({ type: 'renewToken', accessToken })
    expect(await app.next()).toEqual({ type: 'keepAlive' })
  })

  it('tells nobody that the session idles, nor that somebody is active [4.12, P11]', async () => {
    const { sessionId, own } = await launched()
    const app = await addOn(sessionId)
    await exchanged(app)
    const seen = jest.spyOn(server.deps.activity, 'seen')
    app.send({ type: 'idleTimeout' })
    app.send({ type: 'keepAlive', activeDate: new Date().toISOString() })
    expect(await app.next()).toEqual({ type: 'keepAlive' })
    expect(seen).not.toHaveBeenCalled()
    seen.mockRestore()
    expect(own.frames).toEqual([])
  })
})

/** What ends a session closes its channels at once, the page's and the app's. */
describe('the channels close', () => {
  it.each<[string, (who: SignedIn) => Promise<unknown>]>([
    [
      'the password is changed in another session',
      async () =>
        (await server.signIn('staff')).call(account.changePassword, {
          oldPassword: demoPassword,
          newPassword: 'Another one 12!',
          confirmNewPassword: 'Another one 12!',
        }),
    ],
    [
      'the others are signed out',
      async () => (await server.signIn('staff', 'Another one 12!')).call(account.signOutOthers, {}),
    ],
    [
      'the user is deactivated',
      async (who) => (await server.signIn('admin')).call(businessUser.deactivateUser, { id: who.userId }),
    ],
  ])('when %s [P11]', async (_when, end) => {
    const password = _when.startsWith('the password') ? demoPassword : 'Another one 12!'
    const staff = await server.signIn('staff', password)
    const sessionId = randomUUID()
    const own = await bound(staff, sessionId)
    await staff.call(account.announceLaunch, { sessionId })
    const app = await addOn(sessionId)
    const accessToken = String(await exchanged(app))
    await end(staff)
    for (const channel of [own, app]) expect((await channel.closed).reason).toMatch(/^app-/)
    expect(
      (
        await server.call(
          scan.list,
          { organizationId: northClinic.id },
          { headers: { authorization: `Bearer ${accessToken}` } },
        )
      ).status,
    ).toBe(401)
  })

  it('when the organization is deactivated [4.03, P11]', async () => {
    const south = await server.signIn('admin@south.example')
    const own = await bound(south, randomUUID())
    expect(
      (await (await server.signIn('super_admin')).call(organization.deactivate, { id: southClinic.id })).status,
    ).toBe(200)
    expect((await own.closed).reason).toMatch(/^app-/)
  })
})
