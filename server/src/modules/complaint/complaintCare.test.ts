import { complaint, inbox } from '@dmp/contract'
import { complaintStatuses, complaintTypes } from '@dmp/contract/examples'
import { toInboxSentence } from '@dmp/contract/inbox'
import { moduleIds } from '@dmp/contract/policy'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let staff: SignedIn
let admin: SignedIn
let sys: SignedIn
let root: SignedIn
let south: SignedIn
beforeAll(async () => {
  server = await startServer()
  ;[staff, admin, sys, root, south] = await Promise.all([
    server.signIn('staff'),
    server.signIn('admin'),
    server.signIn('sys_admin'),
    server.signIn('super_admin'),
    server.signIn('admin@south.example'),
  ])
})
afterAll(() => server.close())

const add = async () => {
  const draft = { moduleId: moduleIds.Scan, typeId: complaintTypes[0]?.id ?? '', description: 'It jumps.' }
  return (await staff.call(complaint.add, draft)).data
}
const careOf = async (id: string, who = sys) => (await who.call(complaint.getCare, { id })).data
const unread = async (who: SignedIn, number: string) =>
  (await who.call(inbox.list, { pageSize: 500 })).data.entries
    .filter(({ isUnread, what }) => isUnread && what === number)
    .map(toInboxSentence)

describe('who has a complaint in hand', () => {
  it('is somebody who may handle complaints, told to them, and shown in the list [P48]', async () => {
    const { id, complaintNumber } = await add()
    const { data } = await root.call(complaint.assign, { id, assigneeId: sys.userId, dueDate: '2999-12-31' })
    expect(data).toMatchObject({
      assignee: { id: sys.userId, fullName: 'Mr Sven Holm' },
      dueDate: '2999-12-31',
      isOverdue: false,
    })
    expect(await unread(sys, complaintNumber)).toContain(`Complaint ${complaintNumber} was assigned to you.`)
    const ofSys = async (state: 'mine' | 'overdue', who = sys) =>
      (await who.call(complaint.list, { state })).data.map((row) => row.complaintNumber)
    expect(await ofSys('mine')).toEqual([complaintNumber])
    expect(await ofSys('mine', root)).toEqual([])
    expect(await ofSys('overdue')).not.toContain(complaintNumber)
    const [row] = (await staff.call(complaint.list, { search: complaintNumber })).data
    expect(row).toMatchObject({ assignee: 'Mr Sven Holm', dueDate: '2999-12-31', isOverdue: false })
  })

  it('is overdue once the day is over, and in hand, until the complaint is resolved [P48]', async () => {
    const { id, complaintNumber } = await add()
    await sys.call(complaint.assign, { id, assigneeId: sys.userId, dueDate: '2020-02-29' })
    expect((await careOf(id)).isOverdue).toBe(true)
    const listed = async (state: 'mine' | 'overdue') =>
      (await sys.call(complaint.list, { state })).data.map((row) => row.complaintNumber)
    for (const state of ['mine', 'overdue'] as const) expect(await listed(state)).toContain(complaintNumber)
    const statusId = complaintStatuses.find(({ name }) => name === 'Resolved')?.id ?? ''
    await sys.call(complaint.updateStatus, { id, statusId, comment: 'Done.' })
    expect((await careOf(id)).isOverdue).toBe(false)
    for (const state of ['mine', 'overdue'] as const) expect(await listed(state)).not.toContain(complaintNumber)
  })

  it('is for those alone who handle complaints, and nobody else can be named [P48]', async () => {
    const { id } = await add()
    for (const who of [staff, admin, south])
      expect((await who.call(complaint.assign, { id, assigneeId: null, dueDate: null })).status).toBe(403)
    for (const who of [staff, admin]) expect((await who.call(complaint.listAssignees, {})).status).toBe(403)
    const names = (await sys.call(complaint.listAssignees, {})).data
    expect(names.map((person) => person.id)).toContain(root.userId)
    expect(names.map((person) => person.id)).not.toContain(admin.userId)
    const rename = (who: SignedIn, first_name: string, last_name: string) =>
      server.deps.db.updateTable('users').set({ first_name, last_name }).where('id', '=', who.userId).execute()
    await rename(root, 'Zoë', 'Abel')
    const listed = (await sys.call(complaint.listAssignees, {})).data.map(({ id: person }) => person)
    expect(listed.indexOf(root.userId)).toBeLessThan(listed.indexOf(sys.userId))
    expect((await sys.call(complaint.assign, { id, assigneeId: admin.userId, dueDate: null })).status).toBe(404)
    expect((await sys.call(complaint.assign, { id, assigneeId: null, dueDate: '2026-02-31' })).status).toBe(400)
  })

  it('keeps it until another day after leaving, and nobody who left is named anew [P48]', async () => {
    const { id } = await add()
    await sys.call(complaint.assign, { id, assigneeId: root.userId, dueDate: null })
    const setStatus = (status: 'Activated' | 'Deactivated') =>
      server.deps.db.updateTable('users').set({ status }).where('id', '=', root.userId).execute()
    await setStatus('Deactivated')
    const { status, data } = await sys.call(complaint.assign, { id, assigneeId: root.userId, dueDate: '2999-12-31' })
    expect([status, data]).toEqual([
      200,
      expect.objectContaining({ assignee: expect.objectContaining({ id: root.userId }), dueDate: '2999-12-31' }),
    ])
    const other = await add()
    expect((await sys.call(complaint.assign, { id: other.id, assigneeId: root.userId, dueDate: null })).status).toBe(
      404,
    )
    await setStatus('Activated')
  })

  it('is not overwritten unseen [P48]', async () => {
    const { id } = await add()
    const { updatedDate } = await careOf(id)
    await root.call(complaint.assign, { id, assigneeId: root.userId, dueDate: null, seenUpdatedDate: updatedDate })
    const late = { id, assigneeId: sys.userId, dueDate: null, seenUpdatedDate: updatedDate }
    const { status, code, fields } = await sys.call(complaint.assign, late)
    expect([status, code]).toEqual([409, 'CHANGED_MEANWHILE'])
    expect(fields?.map(({ path }) => path)).toEqual(['assigneeId'])
    expect((await careOf(id)).assignee?.id).toBe(root.userId)
    // Whoever leaves it with the same person, and saw another day, is told of the day alone.
    const day = { id, assigneeId: root.userId, dueDate: '2031-05-06', seenUpdatedDate: updatedDate }
    expect((await sys.call(complaint.assign, day)).fields?.map(({ path }) => path)).toEqual(['dueDate'])
  })
})

describe('the conversation', () => {
  const write = (who: SignedIn, id: string, text: string) => who.call(complaint.addMessage, { id, text })

  it('goes between the writer and those who handle complaints, and is told to the other side [P48]', async () => {
    const { id, complaintNumber } = await add()
    expect((await write(staff, id, 'Any news?')).data.messages).toMatchObject([
      { createdByUser: 'Mr Noah Weber', isFromWriter: true, text: 'Any news?' },
    ])
    const asked = `Mr Noah Weber wrote about complaint ${complaintNumber}.`
    // Nobody has it in hand: everybody who could is told.
    for (const who of [sys, root]) expect(await unread(who, complaintNumber)).toContain(asked)
    expect((await write(sys, id, 'Which browser?')).status).toBe(200)
    expect(await unread(staff, complaintNumber)).toEqual([`Mr Sven Holm wrote about complaint ${complaintNumber}.`])
    for (const who of [staff, sys, root])
      expect((await careOf(id, who)).messages.map(({ text, isFromWriter }) => [text, isFromWriter])).toEqual([
        ['Any news?', true],
        ['Which browser?', false],
      ])
  })

  it('is closed to everybody else, of the same organization too [P02, P48]', async () => {
    const { id } = await add()
    await write(sys, id, 'Which browser?')
    expect(await careOf(id, admin)).toMatchObject({ mayWrite: false, messages: [] })
    expect((await write(admin, id, 'Me too')).status).toBe(403)
    expect((await south.call(complaint.getCare, { id })).status).toBe(404)
    expect((await write(south, id, 'Me too')).status).toBe(404)
    expect((await careOf(id)).messages).toHaveLength(1)
  })

  it('takes 1 to 2048 characters and 200 messages [P48]', async () => {
    const { id } = await add()
    for (const text of ['', '  ', 'x'.repeat(2049)]) expect((await write(staff, id, text)).status).toBe(400)
    expect((await write(staff, id, 'x'.repeat(2048))).status).toBe(200)
    const row = { complaint_id: id, created_by_id: staff.userId, created_by: 'Mr Noah Weber', text: 'again' }
    const more = Array.from({ length: 198 }, (_, at) => ({ ...row, position: at + 2 }))
    await server.deps.db.insertInto('complaint_messages').values(more).execute()
    expect((await write(staff, id, 'the last')).status).toBe(200)
    expect([(await write(staff, id, 'one more')).code, (await careOf(id)).messages.length]).toEqual([
      'TOO_MANY_MESSAGES',
      200,
    ])
  })
})
