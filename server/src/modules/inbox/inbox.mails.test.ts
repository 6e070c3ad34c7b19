import { account, complaint, inbox } from '@dmp/contract'
import { complaintStatuses, complaintTypes } from '@dmp/contract/examples'
import type { InboxKind } from '@dmp/contract/inbox'
import { moduleIds } from '@dmp/contract/policy'
import { sql } from 'kysely'
import { startRetention } from '../../db/retention.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { letPass, markAll, readInbox, store } from './inboxInTests.ts'
import { sendDueMails } from './inboxMailing.ts'

let server: TestServer
let admin: SignedIn
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  ;[admin, staff] = await Promise.all([server.signIn('admin'), server.signIn('staff')])
})
afterAll(() => server.close())

const pass = (minutes: number) => letPass(server, minutes)
const day = 24 * 60
const choose = async (kind: InboxKind, choice: 'AtOnce' | 'Daily' | 'Here') =>
  expect((await admin.call(inbox.choose, { kind, choice })).status).toBe(200)
const mailsTo = async (address: string) => {
  const mails = server.deps.db.selectFrom('mails').selectAll().where('recipient', '=', address)
  return (await mails.orderBy('id').execute()).filter(({ subject }) => /inbox|place/.test(subject))
}
const send = (now = new Date()) => sendDueMails(server.deps, now)

describe('mails of the inbox', () => {
  it('come soon, gather what follows, and name no patient and no study [P23, P47]', async () => {
    await choose('ScanArrived', 'AtOnce')
    await store(server, staff, '1.481')
    await pass(1)
    await send()
    await send()
    const [mail, ...others] = await mailsTo('admin@north.example')
    expect([mail?.subject, others]).toEqual(['Something new in your inbox', []])
    expect(mail?.text).toContain('A study arrived.')
    expect(mail?.links).toEqual([expect.stringMatching(/\/inbox$/)])
    expect(`${mail?.text}${mail?.html}${mail?.subject}`).not.toMatch(/Sample|Anna|Brain/)
    for (const study of ['1.482', '1.483']) await store(server, staff, study)
    await pass(10)
    await send()
    expect(await mailsTo('admin@north.example')).toHaveLength(1)
    await pass(6)
    await Promise.all([send(), send()])
    const texts = (await mailsTo('admin@north.example')).map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts.some((text) => text.includes('2 studies arrived.'))).toBe(true)
    expect(await mailsTo('staff@north.example')).toEqual([])
  })

  it('that cannot be made for one person go to the others all the same [P47]', async () => {
    await choose('ScanArrived', 'AtOnce')
    expect((await staff.call(inbox.choose, { kind: 'ScanArrived', choice: 'AtOnce' })).status).toBe(200)
    await store(server, await server.signIn('service_user'), '1.4811')
    await pass(20)
    const tried: string[] = []
    const mail: typeof server.deps.mail = {
      ...server.deps.mail,
      queue: async (trx, letter) => {
        tried.push(letter.to)
        if (tried.length === 1) throw new Error('no mail')
        await server.deps.mail.queue(trx, letter)
      },
    }
    await sendDueMails({ ...server.deps, mail }, new Date())
    expect(tried.toSorted()).toEqual(['admin@north.example', 'staff@north.example'])
    // Whoever could not be told comes next time.
    await send()
    for (const address of tried) expect((await mailsTo(address)).length).toBeGreaterThan(0)
    expect((await staff.call(inbox.choose, { kind: 'ScanArrived', choice: 'Here' })).status).toBe(200)
    await server.deps.db.deleteFrom('mails').execute()
  })

  it('come once a day, however often a server looks [P47]', async () => {
    await choose('ScanArrived', 'Daily')
    const { length } = await mailsTo('admin@north.example')
    await store(server, staff, '1.484')
    await pass(day)
    const now = new Date()
    for (let times = 0; times < 3; times += 1) await send(now)
    expect(await mailsTo('admin@north.example')).toHaveLength(length + 1)
    await pass(day)
    await send()
    expect(await mailsTo('admin@north.example')).toHaveLength(length + 1)
  })

  it('come at seven by the clock of the person, not of the server [P47]', async () => {
    await choose('ScanArrived', 'Daily')
    const { length } = await mailsTo('admin@north.example')
    await store(server, staff, '1.4841')
    const { db } = server.deps
    const yesterday = new Date(Date.now() - day * 60_000).toISOString().slice(0, 10)
    const at = (time: string) => new Date(`${yesterday}T${time}Z`)
    await db
      .updateTable('inbox_facts')
      .set({ created_date: at('20:30:00') })
      .where('kind', '=', 'ScanArrived')
      .execute()
    await db
      .updateTable('inbox_choices')
      .set({ told_date: at('20:00:00') })
      .where('kind', '=', 'ScanArrived')
      .execute()
    const sendFor = async (zone: string) => {
      await db.updateTable('users').set({ time_zone: zone }).where('id', '=', admin.userId).execute()
      await send(at('22:30:00'))
      return (await mailsTo('admin@north.example')).length - length
    }
    expect([await sendFor('UTC'), await sendFor('America/Lima'), await sendFor('Asia/Tokyo')]).toEqual([0, 0, 1])
    await db.updateTable('users').set({ time_zone: null }).where('id', '=', admin.userId).execute()
  })

  it('wait for the next seven, also after a seven at which there was nothing to tell [P47]', async () => {
    const { db } = server.deps
    await choose('ScanArrived', 'Daily')
    await markAll(admin)
    await db.updateTable('users').set({ time_zone: 'Asia/Tokyo' }).where('id', '=', admin.userId).execute()
    const yesterday = new Date(Date.now() - day * 60_000).toISOString().slice(0, 10)
    const at = (time: string) => new Date(`${yesterday}T${time}Z`)
    await db
      .updateTable('inbox_choices')
      .set({ told_date: at('01:00:00'), mailed_date: null })
      .where('kind', '=', 'ScanArrived')
      .execute()
    const { length } = await mailsTo('admin@north.example')
    await send(at('22:30:00'))
    await store(server, staff, '1.4842')
    await db
      .updateTable('inbox_facts')
      .set({ created_date: at('23:00:00') })
      .where('kind', '=', 'ScanArrived')
      .where('created_date', '>', sql<Date>`now() - interval '1 minute'`)
      .execute()
    await send(at('23:30:00'))
    expect(await mailsTo('admin@north.example')).toHaveLength(length)
    await send(new Date(Number(at('22:30:00')) + day * 60_000))
    expect(await mailsTo('admin@north.example')).toHaveLength(length + 1)
    await db.updateTable('users').set({ time_zone: null }).where('id', '=', admin.userId).execute()
  })

  it('do not come for what was read here, nor to who may not sign in [P47]', async () => {
    await choose('ScanArrived', 'AtOnce')
    const { length } = await mailsTo('admin@north.example')
    await store(server, staff, '1.485')
    await markAll(admin)
    await pass(day)
    await send()
    await store(server, staff, '1.486')
    await pass(day)
    const setStatus = (status: 'Activated' | 'Deactivated') =>
      server.deps.db.updateTable('users').set({ status }).where('id', '=', admin.userId).execute()
    await setStatus('Deactivated')
    await send()
    await setStatus('Activated')
    expect(await mailsTo('admin@north.example')).toHaveLength(length)
  })
})

describe('a sign-in from a new place', () => {
  const signIn = (userAgent: string, cookie?: string, email = 'staff@north.example') =>
    server.call(
      account.login,
      { ClientId: 'dmp-web', email, password: demoPassword },
      { headers: { 'user-agent': userAgent, ...(cookie !== undefined && { cookie }) } },
    )
  const firefox = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0'

  it('is told to the account, and mailed whatever it reads and chooses [P47]', async () => {
    const { raw } = await signIn(firefox)
    const mails = await mailsTo('staff@north.example')
    expect(mails.map(({ subject }) => subject)).toEqual(['Your account was used in a new place'])
    expect(mails[0]?.text).toMatch(/Firefox on Windows, 127\.0\.0\.1, at \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\./)
    const { sentences } = await readInbox(staff, 'NewSignIn')
    expect(sentences).toEqual([
      'Somebody signed in to your account in a new place: Firefox on Windows, 127.0.0.1. ' +
        'If that was not you, change your password.',
    ])
    expect((await staff.call(inbox.choose, { kind: 'NewSignIn', choice: 'Here' })).status).toBe(400)
    expect((await staff.call(inbox.choose, { kind: 'NewSignIn', choice: 'AtOnce' })).status).toBe(200)
    await pass(1)
    await send()
    await signIn(firefox)
    const device = raw.cookies.find(({ name }) => name === 'dmp-device')
    await signIn('Mozilla/5.0 (Windows NT 10.0) Chrome/150.0', `dmp-device=${device?.value}`)
    expect((await readInbox(staff, 'NewSignIn')).entries).toHaveLength(1)
    expect((await readInbox(admin, 'NewSignIn')).entries).toEqual([])
    // The mail is the sign-in's own, and there is no second one.
    expect(await mailsTo('staff@north.example')).toHaveLength(1)
  })

  it('is one too after the sessions were deleted, but not the first of an account [P47]', async () => {
    const email = 'admin@south.example'
    await signIn(firefox, undefined, email)
    expect(await mailsTo(email)).toEqual([])
    const month = sql<Date>`now() - interval '31 days'`
    const { db, settings } = server.deps
    const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    await db.updateTable('sessions').set({ ended_date: month }).where('user_id', '=', id).execute()
    const retention = startRetention(db, settings, (error) => {
      throw error
    })
    await retention.close()
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([])
    await signIn(firefox, undefined, email)
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('is none where one of the last two hundred sessions was there, and is one where only older ones were [P47]', async () => {
    const { db } = server.deps
    const email = 'admin@south.example'
    const edge = 'Mozilla/5.0 (Windows NT 10.0) Edg/1'
    const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const setSessions = async (others: number) => {
      await db.deleteFrom('sessions').where('user_id', '=', id).execute()
      await sql`insert into sessions (user_id, client_id, device, address, started_date, expires_date)
        select ${id}::uuid, 'dmp-web', case n when 0 then 'Edge on Windows' else 'Firefox on Linux' end, '127.0.0.1',
          now() - (case n when 0 then '2 days' else '1 day' end)::interval, now()
        from generate_series(0, ${others}::int) n`.execute(db)
    }
    const { length } = await mailsTo(email)
    await setSessions(199)
    await signIn(edge, undefined, email)
    expect(await mailsTo(email)).toHaveLength(length)
    await setSessions(200)
    await signIn(edge, undefined, email)
    expect(await mailsTo(email)).toHaveLength(length + 1)
  })

  it('floods nobody: an account gets five mails within a day [P47]', async () => {
    const browsers = ['Firefox/1', 'Chrome/1', 'Edg/1', 'OPR/1']
    const systems = ['Windows NT 10.0', 'Macintosh; Intel Mac OS X 10_15', 'X11; Linux x86_64']
    for (const system of systems)
      for (const browser of browsers)
        await signIn(`Mozilla/5.0 (${system}) ${browser}`, undefined, 'admin@north.example')
    expect((await readInbox(admin, 'NewSignIn')).entries.length).toBeGreaterThan(5)
    const countWarnings = async () =>
      (await mailsTo('admin@north.example')).filter(({ subject }) => subject.includes('place')).length
    expect(await countWarnings()).toBe(5)
    // The next day, on which the account is told of five other things.
    await pass(day)
    const root = await server.signIn('super_admin')
    const statusId = complaintStatuses.find(({ name }) => name === 'Resolved')?.id ?? ''
    for (let n = 0; n < 5; n += 1) {
      const draft = { moduleId: moduleIds.Scan, typeId: complaintTypes[0]?.id ?? '', description: 'It jumps.' }
      const { id } = (await admin.call(complaint.add, draft)).data
      expect((await root.call(complaint.updateStatus, { id, statusId, comment: 'Done.' })).status).toBe(200)
    }
    await signIn('Mozilla/5.0 (X11; CrOS x86_64) Chrome/1', undefined, 'admin@north.example')
    expect(await countWarnings()).toBe(6)
  })

  it('is not the first of an account with a second step, to which a code was mailed before [P47]', async () => {
    const email = 'mfa@north.example'
    const { data } = await signIn(firefox, undefined, email)
    const { code } = await server.mailTo(email)
    const answer = { session: data.session ?? '', userId: data.userId ?? '', mfaCode: code ?? '', clientId: 'dmp-web' }
    expect((await server.call(account.respondToMFA, answer)).status).toBe(200)
    expect(await mailsTo(email)).toEqual([])
  })
})
