import { complaint, inbox } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { letPass, store } from './inboxInTests.ts'
import { sendDueMails } from './inboxMailing.ts'

let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())
const forgetMails = () => server.deps.db.deleteFrom('mails').execute()
beforeEach(forgetMails)

const mailsTo = (address: string) =>
  server.deps.db.selectFrom('mails').selectAll().where('recipient', '=', address).execute()
const send = () => sendDueMails(server.deps, new Date())
const choose = async (who: SignedIn, kind: 'ComplaintMade' | 'ScanArrived') =>
  expect((await who.call(inbox.choose, { kind, choice: 'AtOnce' })).status).toBe(200)
const complain = async () => {
  const draft = { moduleId: moduleIds.Scan, typeId: complaintTypes[0]?.id ?? '', description: 'It jumps.' }
  expect((await staff.call(complaint.add, draft)).status).toBe(200)
}

describe('mails of the inbox', () => {
  it('go to the provider’s people, too, say twenty things and count the others [P47]', async () => {
    const people = [
      ['super@dmp.example', await server.signIn('super_admin')],
      ['sys@dmp.example', await server.signIn('sys_admin')],
    ] as const
    for (const [, who] of people) await choose(who, 'ComplaintMade')
    await complain()
    await letPass(server, 1)
    await send()
    for (const [address] of people) {
      const [mail] = await mailsTo(address)
      expect(mail?.subject).toBe('Something new in your inbox')
      expect(mail?.text).toMatch(/Mr Noah Weber made complaint C-\d+\./)
      expect(mail?.text).not.toMatch(/And \d+ more/)
    }
    await forgetMails()
    for (let n = 0; n < 22; n += 1) await complain()
    await letPass(server, 20)
    await send()
    for (const [address] of people) {
      const [mail] = await mailsTo(address)
      expect(mail?.subject).toBe('22 new entries in your inbox')
      expect(mail?.text.match(/made complaint/g)).toHaveLength(20)
      expect(mail?.text).toContain('And 2 more.')
    }
  })

  it('wait for what others may still be writing, and then tell it once [P47]', async () => {
    const admin = await server.signIn('admin')
    await choose(admin, 'ScanArrived')
    await store(server, staff, '1.9.481')
    await send()
    expect(await mailsTo('admin@north.example')).toEqual([])
    for (const minutes of [1, 1, 20]) {
      await letPass(server, minutes)
      await send()
    }
    expect(await mailsTo('admin@north.example')).toHaveLength(1)
  })
})
