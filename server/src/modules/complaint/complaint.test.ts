import { complaint } from '@dmp/contract'
import { complaintSeverities, complaintStatuses, complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let staff: SignedIn
let sys: SignedIn
let south: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
  sys = await server.signIn('sys_admin')
  south = await server.signIn('admin@south.example')
})
afterAll(() => server.close())

const getId = (choices: readonly { id: string; name: string }[], name: string): string =>
  choices.find((choice) => choice.name === name)?.id ?? ''
const createDraft = (overrides: Record<string, unknown> = {}) => ({
  moduleId: moduleIds.Scan,
  typeId: getId(complaintTypes, 'Defect'),
  description: 'The slice slider jumps back.',
  ...overrides,
})
const addComplaint = async (viewer = staff, overrides: Record<string, unknown> = {}) =>
  (await viewer.call(complaint.add, createDraft(overrides))).data
const unknownId = '00000000-0000-4000-8000-00000000dead'

describe('making a complaint', () => {
  it('begins as New and Low, with its history, in the complainant’s organization [1.04, 2.50, 3.10, 4.01, 7.23]', async () => {
    const { status, data } = await staff.call(complaint.add, createDraft())
    expect(status).toBe(200)
    expect(data).toMatchObject({
      createdByUser: 'Mr Noah Weber',
      moduleAlias: 'Scan',
      type: 'Defect',
      description: 'The slice slider jumps back.',
      severity: 'Low',
      currentStatus: 'New',
      organization: 'North-Clinic',
      imageData: null,
    })
    expect(data.statusList).toEqual([
      {
        id: expect.any(String),
        status: 'New',
        createdByUser: 'Mr Noah Weber',
        createdDate: data.createdDate,
        comment: null,
      },
    ])
    expect((await sys.call(complaint.get, { id: data.id })).data).toEqual(data)
  })

  it('numbers complaints one after the other, also when many are made at once or fail between', async () => {
    const previousNumber = Number((await addComplaint()).complaintNumber.slice(2))
    const complaints = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index === 3 ? addComplaint(staff, { typeId: unknownId }) : addComplaint(),
      ),
    )
    const numbers = complaints.flatMap((added) => (added ? [Number(added.complaintNumber.slice(2))] : []))
    expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => previousNumber + n))
  })

  it('takes a description of 1 to 1024 characters, and says so otherwise [5.09, 9.02]', async () => {
    expect((await staff.call(complaint.add, createDraft({ description: 'x'.repeat(1024) }))).status).toBe(200)
    for (const description of ['', '   ']) {
      const { status, fields } = await staff.call(complaint.add, createDraft({ description }))
      expect([status, fields]).toEqual([
        400,
        [{ path: 'description', message: 'Please provide details on your complaint.' }],
      ])
    }
    expect((await staff.call(complaint.add, createDraft({ description: 'x'.repeat(1025) }))).status).toBe(400)
  })

  it('is about a module that the complainant has [6.08]', async () => {
    for (const moduleId of [moduleIds.Registration, unknownId]) {
      const { status, message, fields } = await staff.call(complaint.add, createDraft({ moduleId }))
      expect([status, message, fields?.[0]?.path]).toEqual([404, 'Could not find module with given id', 'moduleId'])
    }
    expect((await south.call(complaint.add, createDraft({ moduleId: moduleIds.BusinessUser }))).data.moduleAlias).toBe(
      'User',
    )
  })

  it('offers types to whoever may complain, statuses and severities to whoever may change them [3.09, 6.04, 7.22]', async () => {
    expect((await staff.call(complaint.listTypes, {})).data).toEqual(complaintTypes)
    expect((await sys.call(complaint.listStatuses, {})).data).toEqual(complaintStatuses)
    expect((await sys.call(complaint.listSeverities, {})).data).toEqual(complaintSeverities)
    expect((await staff.call(complaint.listStatuses, {})).status).toBe(403)
    expect((await staff.call(complaint.listSeverities, {})).status).toBe(403)
  })
})

describe('a choice that is switched off', () => {
  it('is offered no more and cannot be taken; what was made with it stays [3.09, 7.22]', async () => {
    const { db } = server.deps
    const typeId = getId(complaintTypes, 'Performance')
    const { id } = await addComplaint(staff, { typeId })
    await db.updateTable('complaint_types').set({ is_active: false }).where('id', '=', typeId).execute()
    const offeredTypes = (await staff.call(complaint.listTypes, {})).data
    const refused = await staff.call(complaint.add, createDraft({ typeId }))
    const earlierComplaint = (await sys.call(complaint.get, { id })).data
    await db.updateTable('complaint_types').set({ is_active: true }).where('id', '=', typeId).execute()
    expect(offeredTypes).toEqual(complaintTypes.filter(({ id: otherId }) => otherId !== typeId))
    expect([refused.status, refused.fields?.[0]?.path]).toEqual([404, 'typeId'])
    expect(earlierComplaint.type).toBe('Performance')
  })
})

describe('searching for a date', () => {
  it('means the day of who searches, as their page shows it [2.63, 5.19]', async () => {
    const { id } = await addComplaint()
    await server.deps.db
      .updateTable('complaints')
      .set({ created_date: new Date('2021-03-01T23:30:00Z') })
      .where('id', '=', id)
      .execute()
    const findIds = async (search: string, timeZone?: string) =>
      (await staff.call(complaint.list, { search, page: 1, ...(timeZone && { timeZone }) })).data.map((row) => row.id)
    expect([await findIds('2021-03-01'), await findIds('2021-03-02')]).toEqual([[id], []])
    for (const zone of ['Asia/Tokyo', 'Europe/Berlin'])
      expect([await findIds('2021-03-01', zone), await findIds('2021-03-02', zone)]).toEqual([[], [id]])
    for (const zone of ['Mars/Olympus', "UTC'; drop table users --", '+02:00', ''])
      expect((await staff.call(complaint.list, { search: '2021', page: 1, timeZone: zone })).status).toBe(400)
  })
})

describe('moving a complaint on', () => {
  const move = (id: string, name: string, comment = 'We looked into it.', more: Record<string, unknown> = {}) =>
    sys.call(complaint.updateStatus, { id, statusId: getId(complaintStatuses, name), comment, ...more })

  it('goes from each status to each other one and to itself not, and keeps the history newest first [4.01, 7.24, 7.26]', async () => {
    const names = complaintStatuses.map(({ name }) => name)
    for (const from of names) {
      for (const to of names) {
        const { id } = await addComplaint()
        if (from !== 'New') await move(id, from)
        const { status, code, data } = await move(id, to, `from ${from}`)
        if (from === to) expect([status, code]).toEqual([409, 'UNCHANGED'])
        else {
          expect([status, data.currentStatus, data.statusList[0]?.comment, data.statusList[1]?.status]).toEqual([
            200,
            to,
            `from ${from}`,
            from,
          ])
          expect(data.statusList.at(-1)?.status).toBe('New')
        }
      }
    }
  })

  it('needs a comment that says something [4.01, 5.10]', async () => {
    const { id } = await addComplaint()
    for (const comment of ['', '  '])
      expect((await move(id, 'Pending', comment)).fields).toEqual([
        { path: 'comment', message: 'This field is required!' },
      ])
    expect((await sys.call(complaint.updateStatus, { id, statusId: getId(complaintStatuses, 'Pending') })).status).toBe(
      400,
    )
    expect((await sys.call(complaint.get, { id })).data.statusList).toHaveLength(1)
  })

  it('says so when the status is not one of the list [8.07]', async () => {
    const { id } = await addComplaint()
    const { status, message } = await sys.call(complaint.updateStatus, { id, statusId: unknownId, comment: 'x' })
    expect([status, message]).toEqual([404, 'Could not find status with given id'])
  })

  it('tells the complainant by mail, as text and as HTML, with what people wrote as text [P14]', async () => {
    const { id, complaintNumber } = await addComplaint()
    await move(id, 'Resolved', 'Fixed <b onmouseover=alert(1)>now</b>.\nPlease try.')
    const mail = await server.mailTo('staff@north.example')
    expect(mail.subject).toBe(`Complaint ${complaintNumber}: Resolved`)
    expect(mail.text).toContain('> Fixed <b onmouseover=alert(1)>now</b>.\n> Please try.')
    expect(mail.html).toContain('Fixed &lt;b onmouseover=alert(1)&gt;now&lt;/b&gt;.<br>Please try.')
    expect(mail.links).toEqual([expect.stringMatching(new RegExp(`/complaint/detail/${id}$`))])
  })

  it('gives any other severity without a comment, and the same one not [4.02, 7.25]', async () => {
    const { id } = await addComplaint()
    const set = (name: string) =>
      sys.call(complaint.updateSeverity, { id, severityId: getId(complaintSeverities, name) })
    for (const name of ['Critical', 'High', 'Medium', 'Low']) {
      const { status, data } = await set(name)
      expect([status, data.severity, data.statusList.length]).toEqual([200, name, 1])
    }
    expect(await set('Low')).toMatchObject({ status: 409, code: 'UNCHANGED' })
    expect((await sys.call(complaint.updateSeverity, { id, severityId: unknownId })).message).toBe(
      'Could not find severity with given id',
    )
  })

  it('refuses a change made on an older state, and says both values', async () => {
    const { id, updatedDate } = await addComplaint()
    expect((await move(id, 'InProgress', 'first', { seenUpdatedDate: updatedDate })).status).toBe(200)
    const second = await move(id, 'Resolved', 'second', { seenUpdatedDate: updatedDate })
    expect([second.status, second.code, second.fields]).toEqual([
      409,
      'CHANGED_MEANWHILE',
      [{ path: 'statusId', message: 'Now “InProgress”; you entered “Resolved”.' }],
    ])
  })

  it('refuses a severity given on an older state, and says both values', async () => {
    const { id, updatedDate } = await addComplaint()
    const set = (name: string, seenUpdatedDate?: string) =>
      sys.call(complaint.updateSeverity, {
        id,
        severityId: getId(complaintSeverities, name),
        ...(seenUpdatedDate && { seenUpdatedDate }),
      })
    const first = await set('High', updatedDate)
    expect([first.status, first.data.severity]).toEqual([200, 'High'])
    const second = await set('Critical', updatedDate)
    expect([second.status, second.code, second.fields]).toEqual([
      409,
      'CHANGED_MEANWHILE',
      [{ path: 'severityId', message: 'Now “High”; you entered “Critical”.' }],
    ])
    // After reading the current state the change is accepted.
    expect((await set('Critical', first.data.updatedDate)).data.severity).toBe('Critical')
  })

  it('lets one of two equal changes at once win', async () => {
    const { id } = await addComplaint()
    const replies = await Promise.all([move(id, 'Pending', 'one'), move(id, 'Pending', 'two')])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await sys.call(complaint.get, { id })).data.statusList).toHaveLength(2)
  })

  it('is for those whose policy has it [6.02, P01]', async () => {
    const { id } = await addComplaint()
    expect(
      (await staff.call(complaint.updateStatus, { id, statusId: getId(complaintStatuses, 'Pending'), comment: 'x' }))
        .status,
    ).toBe(403)
    expect(
      (await staff.call(complaint.updateSeverity, { id, severityId: getId(complaintSeverities, 'High') })).status,
    ).toBe(403)
  })
})

it('records who made, saw and changed what, without what was written [P23, P24]', async () => {
  const { id } = await addComplaint(staff, { description: 'canary-description' })
  await staff.call(complaint.get, { id })
  await sys.call(complaint.updateStatus, {
    id,
    statusId: getId(complaintStatuses, 'Pending'),
    comment: 'canary-comment',
  })
  const rows = await server.deps.db.selectFrom('audit').select(['event', 'actor_id', 'subject', 'chain']).execute()
  const complaintRows = rows.filter(({ subject }) => subject.complaintId === id)
  expect(complaintRows.map(({ event }) => event).sort()).toEqual([
    'ComplaintAdded',
    'ComplaintStatusChanged',
    'ComplaintViewed',
  ])
  expect(new Set(complaintRows.map(({ chain }) => chain)).size).toBe(1)
  expect(JSON.stringify(rows)).not.toContain('canary')
  expect(server.logs.join('')).not.toContain('canary')
})
