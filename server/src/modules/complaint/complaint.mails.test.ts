import { complaint } from '@dmp/contract'
import { complaintStatuses, complaintTypes, northClinic } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let staff: SignedIn
let sys: SignedIn
beforeAll(async () => {
  server = await startServer()
  ;[staff, sys] = await Promise.all([server.signIn('staff'), server.signIn('sys_admin')])
})
afterAll(() => server.close())

const addComplaint = async (viewer: SignedIn) =>
  (
    await viewer.call(complaint.add, {
      moduleId: moduleIds.Complaint,
      typeId: complaintTypes[0]?.id ?? '',
      description: 'The slice slider jumps back.',
    })
  ).data
const resolve = (id: string) =>
  sys.call(complaint.updateStatus, {
    id,
    statusId: complaintStatuses.find(({ name }) => name === 'Resolved')?.id ?? '',
    comment: 'It stays now.',
  })
const listMails = async (number: string) =>
  server.deps.db.selectFrom('mails').selectAll().where('subject', 'like', `Complaint ${number}:%`).execute()

describe('how a complaint goes on', () => {
  it('is told to whoever complained, with who did it and what they wrote', async () => {
    const { id, complaintNumber } = await addComplaint(staff)
    expect((await resolve(id)).status).toBe(200)
    const [mail] = await listMails(complaintNumber)
    expect([mail?.recipient, mail?.subject]).toEqual(['staff@north.example', `Complaint ${complaintNumber}: Resolved`])
    expect(mail?.text).toContain(
      `Dear Mr Noah Weber,\n\nYour complaint ${complaintNumber} now has the status Resolved. Mr Sven Holm wrote:\n\n> It stays now.`,
    )
  })

  it('is not told to whoever moved it themself, nor to whoever cannot sign in any more', async () => {
    const ownComplaint = await addComplaint(sys)
    expect((await resolve(ownComplaint.id)).status).toBe(200)
    expect(await listMails(ownComplaint.complaintNumber)).toEqual([])
    const [complaintOfClosed, lateComplaint] = [await addComplaint(staff), await addComplaint(staff)]
    const setOrganization = (status: 'Activated' | 'Deactivated') =>
      server.deps.db.updateTable('organizations').set({ status }).where('id', '=', northClinic.id).execute()
    await setOrganization('Deactivated')
    expect((await resolve(complaintOfClosed.id)).data.currentStatus).toBe('Resolved')
    expect(await listMails(complaintOfClosed.complaintNumber)).toEqual([])
    await setOrganization('Activated')
    await server.deps.db.updateTable('users').set({ status: 'Deactivated' }).where('id', '=', staff.userId).execute()
    expect((await resolve(lateComplaint.id)).data.currentStatus).toBe('Resolved')
    expect(await listMails(lateComplaint.complaintNumber)).toEqual([])
  })
})
