import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { toAttemptKey } from '../../../identity/loginAttempts.ts'
import {
  server,
  admin,
  organizationId,
  startWithSeries,
  series,
  toPath,
  open,
  unzip,
} from '../download/downloadInTests.ts'

beforeAll(startWithSeries)
afterAll(() => server.close())

describe('share [P25]', () => {
  const share = async (more: object = {}, days = 1) =>
    (await admin.call(scan.share, { ...series(), expireInDay: days, ...more })).data.downloadUrl.split('/').at(-1) ?? ''
  const ask = (token: string) => server.call(scan.getShared, { token })
  const use = (token: string, password: string | null = null, remoteAddress = '127.0.0.1') =>
    server.call(scan.openShared, { token, password }, { remoteAddress })

  it('says who shared what until when, and nothing about the patient before the click [P25, 3.14]', async () => {
    const reply = await ask(await share({ maxUses: 2, password: 'let me in' }, 7))
    expect(reply.data).toEqual({
      expireDate: expect.any(String),
      hasPassword: true,
      usesLeft: 2,
      codeGoesTo: null,
      allowsDownload: true,
      sharedBy: { person: expect.stringMatching(/^\w+ \w+ \w+$/), organization: northClinic.name, logo: null },
      studies: [
        {
          description: '',
          patient: 1,
          studyDate: '',
          modalities: ['CT'],
          series: 1,
          images: 5,
          imageInstances: 5,
        },
      ],
      opened: null,
    })
    expect(Math.round((Date.parse(reply.data.expireDate) - Date.now()) / 60_000)).toBe(7 * 24 * 60)
    expect(reply.raw.body).not.toMatch(/Hidden|1\.9\.1|T-1|2024-05-06/)
    // Whoever has the link alone could open it at once.
    expect((await ask(await share({}))).data.studies).toMatchObject([{ studyDate: '2024-05-06' }])
  })

  it('downloads the shared series and no other, without an account [P25]', async () => {
    const token = await share({ maxUses: 3 })
    const { status, data } = await use(token)
    expect(status).toBe(200)
    expect((await ask(token)).data.usesLeft).toBe(2)
    const reply = await open(toPath(data.downloadUrl))
    expect(unzip(reply.rawPayload).size).toBe(7)
  })

  it('is 256 bits, stored hashed, in a link of this product [P25]', async () => {
    const url = (await admin.call(scan.share, { ...series(), expireInDay: 1 })).data.downloadUrl
    expect(url).toMatch(/\/share\/[\w-]{43}$/)
    expect(JSON.stringify(await server.deps.db.selectFrom('scan_shares').selectAll().execute())).not.toContain(
      url.split('/').at(-1),
    )
    expect(server.logs.join('')).not.toContain(url.split('/').at(-1))
  })

  it('answers alike when wrong, expired, revoked and used up [P25]', async () => {
    const answers = []
    const plain = (body: string) => body.replace(/"requestId":"[^"]+"/, '')
    for (const make of [
      async () => 'x'.repeat(43),
      async () => 'no token at all',
      async () => {
        const token = await share()
        await server.deps.db
          .updateTable('scan_shares')
          .set({ expire_date: new Date(Date.now() - 1) })
          .execute()
        return token
      },
      async () => {
        const token = await share()
        const [link] = (await admin.call(scan.listShares, series())).data
        expect((await admin.call(scan.revokeShare, { id: link?.id ?? '' })).status).toBe(200)
        return token
      },
      async () => {
        const token = await share({ maxUses: 1 })
        expect((await use(token)).status).toBe(200)
        return token
      },
    ]) {
      const token = await make()
      const [shareReply, useReply] = [await ask(token), await use(token)]
      answers.push([shareReply.status, plain(shareReply.raw.body), useReply.status, plain(useReply.raw.body)])
    }
    expect(new Set(answers.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(answers[0]?.[0]).toBe(404)
  })

  it('ends to the second, also for a download that was only begun [P25]', async () => {
    const token = await share()
    const { data } = await use(token)
    await server.deps.db
      .updateTable('scan_shares')
      .set({ expire_date: new Date(Date.now() + 1_000) })
      .execute()
    expect((await ask(token)).status).toBe(200)
    await new Promise((done) => setTimeout(done, 1_050))
    expect([(await ask(token)).status, (await open(toPath(data.downloadUrl))).statusCode]).toEqual([404, 404])
  })

  it('asks for its password, slows guessing down and counts no use for it [P25, P04]', async () => {
    const token = await share({ password: 'open sesame' })
    expect(await use(token)).toMatchObject({ status: 400, code: 'WRONG_PASSWORD' })
    const began = Date.now()
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, index) => use(token, `guess ${index}`)))
    // Five are free: the one before, and four of these. Each further one waits a second, which a busy machine may
    // need for all of them.
    const passwordChecks = guesses.filter((reply) => reply.status === 400).length
    expect([passwordChecks >= 4, passwordChecks <= 4 + Math.floor((Date.now() - began) / 1000)]).toEqual([true, true])
    const slowedReply = guesses.find((reply) => reply.status === 429)
    expect(Number(slowedReply?.headers['retry-after'])).toBeGreaterThan(0)
    // As if it had begun just now, however slow this machine is.
    const id = (await admin.call(scan.listShares, series())).data[0]?.id ?? ''
    await setAttempts(`share:${id}:127.0.0.1`, { blocked_until: new Date(Date.now() + 60_000) })
    expect((await use(token, 'open sesame')).status).toBe(429)
    expect((await admin.call(scan.listShares, series())).data[0]).toMatchObject({ uses: 0, hasPassword: true })
    // Somebody else who has the link is not kept out by that.
    expect((await use(token, 'open sesame', '10.3.0.1')).status).toBe(200)
    expect((await admin.call(scan.listShares, series())).data[0]).toMatchObject({ uses: 1, hasPassword: true })
  })

  it('counts no right password against those who come later [P25, P04]', async () => {
    const token = await share({ password: 'open sesame' })
    const { db } = server.deps
    const attempts = async () =>
      new Map((await db.selectFrom('login_attempts').selectAll().execute()).map(({ key, failures }) => [key, failures]))
    const before = await attempts()
    for (const password of ['wrong', 'open sesame']) await use(token, password, '10.1.0.77')
    const added = [...(await attempts())]
      .map(([key, failures]) => failures - (before.get(key) ?? 0))
      .filter((more) => more !== 0)
    // The wrong one, of the link; those of the network start anew.
    expect(added).toEqual([1])
  })

  it('takes its password without the blanks that either side typed or copied around it [P25]', async () => {
    const token = await share({ password: ' open sesame ' })
    expect((await use(token, 'opensesame')).code).toBe('WRONG_PASSWORD')
    expect((await use(token, 'open sesame\n')).status).toBe(200)
  })

  it('of a link made before blanks were taken away still opens it, as it is [P25]', async () => {
    const token = await share({ password: 'open sesame' })
    const password = ' of an earlier version '
    const earlier = { password_hash: await server.deps.hasher.hash(password) }
    const { id } = await server.deps.db
      .selectFrom('scan_shares')
      .select('id')
      .orderBy('created_date', 'desc')
      .executeTakeFirstOrThrow()
    await server.deps.db.updateTable('scan_shares').set(earlier).where('id', '=', id).execute()
    expect((await use(token, password.trim())).code).toBe('WRONG_PASSWORD')
    expect((await use(token, password)).status).toBe(200)
  })

  it('slows those down who guess from many networks, too, for a quarter of an hour at most [P25, P04]', async () => {
    const token = await share({ password: 'open sesame' })
    for (let n = 0; n < 49; n += 1) expect((await use(token, 'guess', `10.4.${n}.1`)).status).toBe(400)
    const id = (await admin.call(scan.listShares, series())).data[0]?.id ?? ''
    await setAttempts(`share:${id}`, { failures: 90 })
    expect((await use(token, 'guess', '10.4.60.1')).status).toBe(400)
    const refused = await use(token, 'open sesame', '10.4.61.1')
    expect(refused.status).toBe(429)
    const wait = Number(refused.headers['retry-after'])
    expect([wait > 800, wait <= 900]).toEqual([true, true])
  })

  const setAttempts = (key: string, values: { blocked_until?: Date; failures?: number }) =>
    server.deps.db
      .updateTable('login_attempts')
      .set(values)
      .where('key', '=', toAttemptKey(server.deps.keys, { key, free: 0 }))
      .execute()

  it('opens nothing while the organization is deactivated [P25, 4.03]', async () => {
    const token = await share()
    const { data } = await use(token)
    const setStatus = (status: 'Activated' | 'Deactivated') =>
      server.deps.db.updateTable('organizations').set({ status }).where('id', '=', organizationId).execute()
    await setStatus('Deactivated')
    expect([
      (await ask(token)).status,
      (await use(token)).status,
      (await open(toPath(data.downloadUrl))).statusCode,
    ]).toEqual([404, 404, 404])
    await setStatus('Activated')
    expect((await ask(token)).status).toBe(200)
  })

  it('opens nothing once the person who shared it is deactivated [P25]', async () => {
    const token = await share()
    const { data } = await use(token)
    const setStatus = (status: 'Activated' | 'Deactivated') =>
      server.deps.db.updateTable('users').set({ status }).where('id', '=', admin.userId).execute()
    const staff = await server.signIn('staff')
    const listed = async () => ({
      paused: (await staff.call(scan.listShares, series())).data.some(({ isPaused }) => isPaused),
      shared: (await staff.call(scan.listStudies, { isShared: 'true' })).data.length > 0,
    })
    await setStatus('Deactivated')
    expect([
      (await ask(token)).status,
      (await use(token)).status,
      (await open(toPath(data.downloadUrl))).statusCode,
    ]).toEqual([404, 404, 404])
    expect(await listed()).toEqual({ paused: true, shared: false })
    await setStatus('Activated')
    expect((await ask(token)).status).toBe(200)
    expect(await listed()).toEqual({ paused: false, shared: true })
  })

  it('gives its last use to one of many who want it at once [P25]', async () => {
    const token = await share({ maxUses: 1 })
    const replies = await Promise.all(Array.from({ length: 10 }, () => use(token)))
    expect(replies.filter((reply) => reply.status === 200).length).toBe(1)
  })

  it('is listed and revoked by those who may share in the organization only [P02]', async () => {
    await share()
    const south = await server.signIn('admin@south.example')
    const [link] = (await admin.call(scan.listShares, series())).data
    expect((await south.call(scan.listShares, series())).status).toBe(404)
    expect((await south.call(scan.revokeShare, { id: link?.id ?? '' })).status).toBe(404)
    expect((await south.call(scan.revokeShare, { id: '00000000-0000-4000-8000-000000000000' })).status).toBe(404)
    expect((await south.call(scan.share, { ...series(), expireInDay: 1 })).status).toBe(404)
    expect(link?.revokedDate).toBeNull()
  })

  it('is recorded as revoked once, however often that is asked for [P24]', async () => {
    await share()
    const [{ id = '' } = {}] = (await admin.call(scan.listShares, series())).data
    const both = await Promise.all([1, 2].map(() => admin.call(scan.revokeShare, { id })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await admin.call(scan.revokeShare, { id })).toMatchObject({ status: 409, code: 'UNCHANGED' })
    const rows = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ShareRevoked')
      .execute()
    expect(rows.filter(({ subject }) => subject.shareId === id)).toHaveLength(1)
  })

  it('lasts 1 to 7 whole days [5.13, 9.04]', async () => {
    for (const days of [0, 8, 1.5, -1])
      expect((await admin.call(scan.share, { ...series(), expireInDay: days })).status).toBe(400)
  })

  it('records creation, every use and revocation [P24, P25]', async () => {
    const events = (
      await server.deps.db.selectFrom('audit').select('event').where('organization_id', '=', organizationId).execute()
    ).map((event) => event.event)
    for (const event of ['ScanShared', 'ShareUsed', 'ShareRevoked'] as const) expect(events).toContain(event)
    await share({ password: 'open sesame', maxUses: 2 })
    await share()
    const shared = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ScanShared')
      .orderBy('position', 'desc')
      .limit(2)
      .execute()
    expect(shared.map(({ subject }) => [subject.hasPassword, subject.maxUses])).toEqual([
      [false, null],
      [true, 2],
    ])
    const [first, second] = (await admin.call(scan.listShares, series())).data
    expect([first?.hasPassword, second?.hasPassword]).toEqual([false, true])
  })
})
