import { apiToken, audit, businessUser } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { isApiTokenSecret } from '../../identity/apiTokenSecret.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { makeApiToken } from './apiTokenInTests.ts'
import { approve, begin, connect, poll, type Codes } from './deviceInTests.ts'

let server: TestServer
let admin: SignedIn
let root: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())

const waitingRow = (codes: Codes) =>
  server.deps.db
    .selectFrom('device_codes')
    .selectAll()
    .where('device_code_hash', '=', server.deps.keys.digest('deviceCode', codes.device_code))
    .executeTakeFirstOrThrow()

describe('a machine that waits (RFC 8628, 3.5)', () => {
  it('hears that nobody has decided, then gets its API token once [P45]', async () => {
    const codes = await begin(server)
    expect(await poll(server, codes)).toMatchObject({ status: 400, error: 'authorization_pending' })
    await approve(admin, codes)
    const { status, access_token: secret = '' } = await poll(server, codes)
    expect([status, isApiTokenSecret(secret)]).toEqual([200, true])
    const again = await poll(server, codes)
    expect(again).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(again.access_token).toBeUndefined()
  })

  it('is told to slow down when it asks too soon, and each time for longer [P19, P45]', async () => {
    const codes = await begin(server)
    await poll(server, codes)
    for (const seconds of [10, 15, 20]) {
      expect((await poll(server, codes, { isInTime: false })).error).toBe('slow_down')
      expect((await waitingRow(codes)).interval_seconds).toBe(seconds)
    }
    for (let n = 0; n < 15; n += 1) await poll(server, codes, { isInTime: false })
    expect((await waitingRow(codes)).interval_seconds).toBe(60)
    await approve(admin, codes)
    expect((await poll(server, codes, { isInTime: false })).error).toBe('slow_down')
    expect((await poll(server, codes)).status).toBe(200)
  })

  it('gets one API token when it asks twice at once [P45]', async () => {
    const codes = await begin(server)
    await approve(admin, codes, { name: 'At once' })
    const answers = await Promise.all(Array.from({ length: 6 }, () => poll(server, codes)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await admin.call(apiToken.list, { search: 'At once' })).data).toHaveLength(1)
  })

  it('hears that a person refused it [P45]', async () => {
    const codes = await begin(server)
    expect((await admin.call(apiToken.denyDevice, { code: codes.user_code })).status).toBe(200)
    for (let n = 0; n < 2; n += 1)
      expect(await poll(server, codes)).toMatchObject({ status: 400, error: 'access_denied' })
  })

  it.each(['before', 'after'])('hears that the code is over, %s the approval [P45]', async (when) => {
    const codes = await begin(server)
    if (when === 'after') await approve(admin, codes)
    const hash = server.deps.keys.digest('deviceCode', codes.device_code)
    await server.deps.db
      .updateTable('device_codes')
      .set({ expires_date: new Date(Date.now() - 1000) })
      .where('device_code_hash', '=', hash)
      .execute()
    expect(await poll(server, codes)).toMatchObject({ status: 400, error: 'expired_token' })
  })

  it('gets nothing by a guessed code, the code that it shows, or as another client [P45]', async () => {
    const codes = await begin(server)
    await approve(admin, codes)
    const guesses = [
      await poll(server, { device_code: 'guessed' }),
      await poll(server, { device_code: codes.user_code }),
      await poll(server, { device_code: server.deps.keys.digest('deviceCode', codes.device_code) }),
      await poll(server, codes, { client_id: 'another' }),
    ]
    for (const guess of guesses) expect(guess).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(new Set(guesses.map((guess) => JSON.stringify(guess))).size).toBe(1)
    expect((await poll(server, codes)).status).toBe(200)
  })
})

const ofAdmin = (values: object) =>
  server.deps.db.updateTable('users').set(values).where('id', '=', admin.userId).execute()

describe('between the approval and the question', () => {
  const changes: Readonly<Record<string, readonly [act: () => Promise<unknown>, undo: () => Promise<unknown>]>> = {
    'the approver is deactivated': [
      () => root.call(businessUser.deactivateUser, { id: admin.userId }),
      () => root.call(businessUser.activateUser, { id: admin.userId }),
    ],
    'the approver may not have API tokens any more': [
      () => ofAdmin({ role: 'staff' }),
      () => ofAdmin({ role: 'admin' }),
    ],
    'the approver lost a right that was approved': [
      () => ofAdmin({ role: 'sys_admin' }),
      () => ofAdmin({ role: 'admin' }),
    ],
    'the approver is with another organization': [
      () => ofAdmin({ organization_id: southClinic.id }),
      () => ofAdmin({ organization_id: northClinic.id }),
    ],
    'the organization is deactivated': [
      () =>
        server.deps.db
          .updateTable('organizations')
          .set({ status: 'Deactivated' })
          .where('id', '=', northClinic.id)
          .execute(),
      () =>
        server.deps.db
          .updateTable('organizations')
          .set({ status: 'Activated' })
          .where('id', '=', northClinic.id)
          .execute(),
    ],
  }
  it.each(Object.entries(changes))(
    '%s: the machine is refused, and nothing is made [P01, P45]',
    async (name, steps) => {
      const codes = await begin(server, { scope: 'delete' })
      expect((await approve(admin, codes, { name, scopes: ['delete'] })).status).toBe(200)
      const [act, undo] = steps
      await act()
      const refused = await poll(server, codes)
      await undo()
      expect(refused).toMatchObject({ status: 400, error: 'access_denied' })
      const rows = await server.deps.db.selectFrom('api_tokens').select('id').where('name', '=', name).execute()
      expect(rows).toEqual([])
      admin = await server.signIn('admin')
    },
  )

  it('another machine gets the name: this one is refused and hears why [P35, P45]', async () => {
    const codes = await begin(server)
    await approve(admin, codes, { name: 'Wanted by two' })
    await makeApiToken(admin, { name: 'Wanted by two' })
    expect(await poll(server, codes)).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringContaining('has this name') as string,
    })
  })
})

describe('the audit trail and the log', () => {
  const eventsOf = async (event: string) => (await admin.call(audit.list, { event })).data
  const subjectOf = (row: { subject: readonly { key: string; value: string }[] } | undefined) =>
    Object.fromEntries((row?.subject ?? []).map(({ key, value }) => [key, value]))

  it('name who approved, what and for which address, and when it was fetched from where [P24, P45]', async () => {
    const codes = await begin(server, { name: 'The words of a stranger' }, '198.51.100.9')
    await approve(admin, codes, { name: 'Told in the trail' })
    await poll(server, codes)
    const [approved] = await eventsOf('DeviceApproved')
    expect([approved?.actorEmail, approved?.organization]).toEqual(['admin@north.example', 'North-Clinic'])
    expect(subjectOf(approved)).toMatchObject({ name: 'Told in the trail', scopes: 'upload', from: '198.51.100.9' })
    const added = (await eventsOf('ApiTokenAdded')).find((row) => subjectOf(row)['name'] === 'Told in the trail')
    expect([added?.actorEmail, added?.address]).toEqual(['admin@north.example', '127.0.0.1'])
    const denied = await begin(server, { name: 'The words of a stranger' }, '198.51.100.9')
    await admin.call(apiToken.denyDevice, { code: denied.user_code })
    expect(subjectOf((await eventsOf('DeviceDenied'))[0])).toEqual({ scopes: 'upload', from: '198.51.100.9' })
    const all = JSON.stringify([await eventsOf('DeviceApproved'), await eventsOf('DeviceDenied'), added])
    expect(all).not.toContain('The words of a stranger')
  })

  it('hold no code and no API token [P23, P45]', async () => {
    server.logs.length = 0
    const { codes, answer } = await connect(server, admin)
    await begin(server, { name: 'The words of a stranger', client_id: 'words' })
    await admin.call(apiToken.getDevice, { code: codes.user_code })
    await poll(server, codes)
    const rows = await server.deps.db.selectFrom('audit').select('subject').execute()
    const said = server.logs.join('') + JSON.stringify(rows)
    expect(server.logs.length).toBeGreaterThan(3)
    for (const secret of [codes.device_code, codes.user_code, answer.access_token ?? '', 'The words of a stranger'])
      expect(said).not.toContain(secret)
  })
})
