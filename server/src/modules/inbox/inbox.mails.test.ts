import { account, inbox } from '@dmp/contract'
import type { InboxKind } from '@dmp/contract/inbox'
import { demoPassword } from '../account/demoAccounts.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { markAll, readInbox, store } from './inboxInTests.ts'
import { sendDueMails } from './inboxMailing.ts'

let server: TestServer
let admin: SignedIn
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  ;[admin, staff] = await Promise.all([server.signIn('admin'), server.signIn('staff')])
})
afterAll(() => server.close())

const minutes = (count: number): Date => new Date(Date.now() + count * 60_000)
const days = (count: number): Date => minutes(count * 24 * 60)
const choose = async (kind: InboxKind, choice: 'AtOnce' | 'Daily' | 'Here') =>
  expect((await admin.call(inbox.choose, { kind, choice })).status).toBe(200)
const mailsTo = async (address: string) => {
  const mails = server.deps.db.selectFrom('mails').selectAll().where('recipient', '=', address)
  return (await mails.orderBy('id').execute()).filter(({ subject }) => /inbox|place/.test(subject))
}
const send = (now: Date) => sendDueMails(server.deps, now)

describe('mails of the inbox', () => {
  it('come soon, gather what follows, and name no patient and no study [P23, P47]', async () => {
    await choose('ScanArrived', 'AtOnce')
    await store(server, staff, '1.481')
    await send(minutes(1))
    await send(minutes(2))
    const [mail, ...others] = await mailsTo('admin@north.example')
    expect([mail?.subject, others]).toEqual(['Something new in your inbox', []])
    expect(mail?.text).toContain('A study arrived.')
    expect(mail?.links).toEqual([expect.stringMatching(/\/inbox$/)])
    expect(`${mail?.text}${mail?.html}${mail?.subject}`).not.toMatch(/Sample|Anna|Brain/)
    for (const study of ['1.482', '1.483']) await store(server, staff, study)
    // A quarter of an hour is not over.
    await send(minutes(15))
    expect(await mailsTo('admin@north.example')).toHaveLength(1)
    await Promise.all([send(minutes(17)), send(minutes(17))])
    expect((await mailsTo('admin@north.example')).map(({ text }) => text.includes('2 studies arrived.'))).toContain(
      true,
    )
    expect(await mailsTo('admin@north.example')).toHaveLength(2)
    expect(await mailsTo('staff@north.example')).toEqual([])
  })

  it('come once a day, however often a server looks [P47]', async () => {
    await choose('ScanArrived', 'Daily')
    const earlier = (await mailsTo('admin@north.example')).length
    await store(server, staff, '1.484')
    for (const now of [minutes(1), days(1), days(1), minutes(24 * 60 + 30)]) await send(now)
    expect(await mailsTo('admin@north.example')).toHaveLength(earlier + 1)
    await send(days(2))
    expect(await mailsTo('admin@north.example')).toHaveLength(earlier + 1)
  })

  it('do not come for what was read here, nor to who may not sign in [P47]', async () => {
    await choose('ScanArrived', 'AtOnce')
    const earlier = (await mailsTo('admin@north.example')).length
    await store(server, staff, '1.485')
    await markAll(admin)
    await send(days(3))
    await store(server, staff, '1.486')
    const setStatus = (status: 'Activated' | 'Deactivated') =>
      server.deps.db.updateTable('users').set({ status }).where('id', '=', admin.userId).execute()
    await setStatus('Deactivated')
    await send(days(4))
    await setStatus('Activated')
    expect(await mailsTo('admin@north.example')).toHaveLength(earlier)
  })
})

describe('a sign-in from a new place', () => {
  const signIn = (userAgent: string, cookie?: string) =>
    server.call(
      account.login,
      { ClientId: 'dmp-web', email: 'staff@north.example', password: demoPassword },
      { headers: { 'user-agent': userAgent, ...(cookie !== undefined && { cookie }) } },
    )
  const firefox = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0'

  it('is told to the account, by mail too, and the same place is not new again [P47]', async () => {
    const { raw } = await signIn(firefox)
    const { sentences } = await readInbox(staff, 'NewSignIn')
    expect(sentences).toEqual([
      'Somebody signed in to your account in a new place: Firefox on Windows, 127.0.0.1. If that was not you, change your password.',
    ])
    await send(minutes(1))
    const subjects = (await mailsTo('staff@north.example')).map(({ subject }) => subject)
    expect(subjects).toEqual(['Your account was used in a new place'])
    await signIn(firefox)
    const device = raw.cookies.find(({ name }) => name === 'dmp-device')
    await signIn('Mozilla/5.0 (Windows NT 10.0) Chrome/150.0', `dmp-device=${device?.value}`)
    expect((await readInbox(staff, 'NewSignIn')).entries).toHaveLength(1)
    expect((await readInbox(admin, 'NewSignIn')).entries).toEqual([])
  })
})
