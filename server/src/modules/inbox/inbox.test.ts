import { complaint, inbox, registration, scan } from '@dmp/contract'
import { complaintStatuses, complaintTypes, northClinic } from '@dmp/contract/examples'
import type { InboxEntry } from '@dmp/contract/inbox'
import { moduleIds } from '@dmp/contract/policy'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { register } from '../registration/registrationInTests.ts'
import { markAll, readInbox, store } from './inboxInTests.ts'

let server: TestServer
let admin: SignedIn
let staff: SignedIn
let south: SignedIn
let sys: SignedIn
beforeAll(async () => {
  server = await startServer()
  ;[admin, staff, south, sys] = await Promise.all([
    server.signIn('admin'),
    server.signIn('staff'),
    server.signIn('admin@south.example'),
    server.signIn('sys_admin'),
  ])
  for (const who of [admin, staff, south, sys]) await markAll(who)
})
afterAll(() => server.close())

const unreadOf = async (who: SignedIn): Promise<string[]> => {
  const { entries, sentences } = await readInbox(who)
  return sentences.filter((_sentence, at) => entries[at]?.isUnread)
}
const addComplaint = async () => {
  const draft = { moduleId: moduleIds.Scan, typeId: complaintTypes[0]?.id ?? '', description: 'It jumps.' }
  return (await staff.call(complaint.add, draft)).data
}

describe('a scan that arrives', () => {
  it('is told to the people of its organization who may see scans, not to whoever sent it [P47]', async () => {
    await store(server, staff, '1.471')
    await store(server, staff, '1.471', 2)
    expect(await unreadOf(admin)).toEqual(['CT Brain of Sample, Anna arrived.'])
    expect((await readInbox(admin)).entries[0]?.link).toBe(`/scan/patient/${northClinic.id}/1.471`)
    for (const other of [staff, south, sys]) expect(await unreadOf(other)).toEqual([])
  })

  it('is one entry with those that follow, and what comes after reading is a new one [P47]', async () => {
    await store(server, staff, '1.472')
    expect(await unreadOf(admin)).toEqual(['2 studies arrived.'])
    const [burst] = (await readInbox(admin)).entries
    await store(server, staff, '1.473')
    // The third study was not on the page that was marked.
    expect((await admin.call(inbox.markRead, { id: burst?.id ?? '' })).data).toEqual({ unread: 1 })
    expect(await unreadOf(admin)).toEqual(['CT Brain of Sample, Anna arrived.'])
    expect((await admin.call(inbox.count, {})).data).toEqual({ unread: 1 })
    expect((await markAll(admin)).data).toEqual({ unread: 0 })
  })

  it('is named with its modality once, where its description begins with it', async () => {
    await store(server, staff, '1.4790', 1, 'CT Brain')
    expect(await unreadOf(admin)).toEqual(['CT Brain of Sample, Anna arrived.'])
    await markAll(admin)
  })

  it('is read by the time that other pages are told so, whichever way it was read [P47]', async () => {
    const counts: Promise<number>[] = []
    let isOver = false
    server.deps.bus.subscribe((news) => {
      if (!isOver && news.kind === 'inboxChanged' && news.userId === admin.userId)
        counts.push(admin.call(inbox.count, {}).then(({ data }) => data.unread))
    })
    const marks = [async () => markAll(admin), async (id: string) => admin.call(inbox.markRead, { id })]
    for (const [at, mark] of marks.entries()) {
      await store(server, staff, `1.479.${at + 1}`)
      const told = counts.length
      await mark((await readInbox(admin)).entries[0]?.id ?? '')
      // News of one person goes out once in half a second.
      while (counts.length === told) await new Promise((again) => setTimeout(again, 20))
    }
    isOver = true
    expect(await Promise.all(counts)).toEqual(counts.map(() => 0))
  })

  it('is gone from the inbox with the scan, and new again when it comes again [P47]', async () => {
    const total = async () => (await readInbox(admin, 'ScanArrived')).sentences.join()
    await store(server, staff, '1.474')
    expect(await total()).toContain('Sample, Anna')
    const { status } = await admin.call(scan.remove, { organizationId: northClinic.id, seriesIdList: ['1.474.1'] })
    expect(status).toBe(200)
    expect(await unreadOf(admin)).toEqual([])
    await store(server, staff, '1.474')
    expect(await unreadOf(admin)).toEqual(['CT Brain of Sample, Anna arrived.'])
  })

  it('is recorded as seen where it names a patient [P24, P47]', async () => {
    await readInbox(admin)
    const rows = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ScansQueried')
      .where('actor_id', '=', admin.userId)
      .execute()
    expect(rows.map(({ subject }) => subject)).toContainEqual({ list: 'inbox' })
  })

  it('is not told any more to who lost the right [P47]', async () => {
    const { db, bus } = server.deps
    const setRole = async (role: 'staff' | 'admin', organization: string) => {
      await db
        .updateTable('users')
        .set({ role, organization_id: organization })
        .where('id', '=', admin.userId)
        .execute()
      bus.publish({ kind: 'viewersChanged', userIds: [admin.userId] })
    }
    const southId = await server.organizationOf(south)
    await setRole('admin', southId)
    expect((await readInbox(admin, 'ScanArrived')).entries.filter(({ patient }) => patient !== null)).toEqual([])
    await setRole('admin', northClinic.id)
    expect((await readInbox(admin, 'ScanArrived')).sentences).not.toEqual([])
  })
})

describe('what waits for the provider', () => {
  it('is told to those who may decide, until it is decided [P47]', async () => {
    const { id } = await register(server, sys)
    const [entry] = (await readInbox(sys, 'RegistrationWaiting')).entries
    expect(entry).toMatchObject({ isUnread: true, link: `/registration/detail/${id}` })
    for (const other of [admin, staff, south])
      expect((await readInbox(other, 'RegistrationWaiting')).entries).toEqual([])
    expect((await sys.call(registration.approve, { id })).status).toBe(200)
    expect((await readInbox(sys, 'RegistrationWaiting')).entries.map(({ link }) => link)).not.toContain(entry?.link)
  })

  it('a complaint is told to those who handle it, and its new status to whoever made it [P47]', async () => {
    const { id, complaintNumber } = await addComplaint()
    expect(await unreadOf(sys)).toContain(`Mr Noah Weber made complaint ${complaintNumber}.`)
    const statusId = complaintStatuses.find(({ name }) => name === 'Resolved')?.id ?? ''
    expect((await sys.call(complaint.updateStatus, { id, statusId, comment: 'Done.' })).status).toBe(200)
    const sentence = `Complaint ${complaintNumber} now has the status Resolved.`
    expect((await readInbox(staff, 'ComplaintChanged')).entries[0]).toMatchObject({
      link: `/complaint/detail/${id}`,
      isUnread: true,
    })
    expect(await unreadOf(staff)).toContain(sentence)
    for (const other of [sys, admin, south]) expect(await unreadOf(other)).not.toContain(sentence)
  })
})

describe('what happens again', () => {
  const dateOf = (number: string, at: string) =>
    sql`update inbox_facts set created_date = ${at}::timestamptz where id in (
      select f.id from inbox_facts f join complaints c on c.id::text = f.subject
      where f.kind = 'ComplaintAnswered' and f.user_id = ${staff.userId}::uuid
        and 'C-' || lpad(c.number::text, 6, '0') = ${number} order by f.created_date desc limit 1)`.execute(
      server.deps.db,
    )
  const answered = async () => (await readInbox(staff, 'ComplaintAnswered')).sentences

  it('to the same thing is one entry within a quarter of an hour, and another one later [P47]', async () => {
    const [first, second] = [await addComplaint(), await addComplaint()]
    const write = async ({ id, complaintNumber }: typeof first, at: string) => {
      expect((await sys.call(complaint.addMessage, { id, text: 'Which browser?' })).status).toBe(200)
      await dateOf(complaintNumber, at)
    }
    const today = new Date().toISOString().slice(0, 10)
    await write(first, `${today}T00:00:00.000Z`)
    await write(second, `${today}T00:01:00.000Z`)
    await write(first, `${today}T00:15:00.000Z`)
    const wrote = (number: string) => `Mr Sven Holm wrote about complaint ${number}`
    const both = [`${wrote(first.complaintNumber)} twice.`, `${wrote(second.complaintNumber)}.`]
    expect(await answered()).toEqual(both)
    await write(second, `${today}T00:16:00.001Z`)
    expect(await answered()).toEqual([`${wrote(second.complaintNumber)}.`, ...both])
  })
})

describe('a release that the server took back', () => {
  const told = async (by: string) => {
    await server.deps.write({ request: { id: 'of a test', ip: '' } }, ({ audit }) =>
      audit({ event: 'CanaryStopped', subject: { part: 'remote-scan', releaseId: '0123456789abcdef', by } }),
    )
    return (await readInbox(await server.signIn('super_admin'), 'ReleaseWithdrawn')).entries
  }

  it('is told to super administrators with its name, and what a person took back is not [P31, P47]', async () => {
    expect(await told('super@dmp.example')).toEqual([])
    expect(await told('automatic')).toMatchObject([
      { link: '/platform', what: 'remote-scan 0123456789abcdef', isUnread: true },
    ])
    for (const who of [sys, admin]) expect((await readInbox(who, 'ReleaseWithdrawn')).entries).toEqual([])
  })
})

describe('choices', () => {
  it('are those of the policy, and a kind that is off is not told [P47]', async () => {
    const kinds = (await staff.call(inbox.listChoices, {})).data.map(({ kind }) => kind)
    expect(kinds).toEqual([
      'ScanArrived',
      'TransferReceived',
      'ShareOpened',
      'ComplaintChanged',
      'ComplaintAnswered',
      'NewSignIn',
    ])
    expect((await admin.call(inbox.choose, { kind: 'ScanArrived', choice: 'Off' })).status).toBe(200)
    await store(server, staff, '1.475')
    expect((await readInbox(admin, 'ScanArrived')).entries).toEqual([])
    // It is off for who chose so.
    const others = (await staff.call(inbox.listChoices, {})).data
    expect(others).toContainEqual({ kind: 'ScanArrived', choice: 'Here' })
    const { data } = await admin.call(inbox.choose, { kind: 'ScanArrived', choice: 'Here' })
    expect(data).toContainEqual({ kind: 'ScanArrived', choice: 'Here' })
    expect((await readInbox(admin, 'ScanArrived')).entries).not.toEqual([])
  })

  it.each([
    ['a warning', 'staff', { kind: 'NewSignIn', choice: 'Off' }],
    ['what has a mail of its own', 'staff', { kind: 'ComplaintChanged', choice: 'Daily' }],
    ['what is not for the policy', 'staff', { kind: 'RegistrationWaiting', choice: 'Daily' }],
    ['what there is not', 'staff', { kind: 'Weather', choice: 'Daily' }],
  ] as const)('refuse %s [P47]', async (_what, role, input) => {
    expect((await (await server.signIn(role)).call(inbox.choose, input)).status).toBe(400)
  })
})

describe('the list', () => {
  it('comes in pages, newest first, and has no mark for what is not in it [P47]', async () => {
    const { entries, total } = await readInbox(admin)
    const dates = entries.map(({ date }) => date)
    expect(dates).toEqual(dates.toSorted().toReversed())
    const second = await admin.call(inbox.list, { page: 2, pageSize: 1 })
    expect([second.data.entries.map(({ id }) => id), second.data.total]).toEqual([[entries[1]?.id], total])
    const unread = (await admin.call(inbox.count, {})).data
    const foreign = (await readInbox(sys)).entries[0]?.id ?? ''
    for (const id of [foreign, '00000000-0000-4000-8000-00000000dead'])
      expect((await admin.call(inbox.markRead, { id })).data).toEqual(unread)
    expect(await server.deps.db.selectFrom('inbox_reads').selectAll().where('fact_id', '=', foreign).execute()).toEqual(
      [],
    )
  })

  it.each([
    ['marked as read', ({ id }: InboxEntry) => admin.call(inbox.markRead, { id })],
    ['in all that is read up to it', ({ date }: InboxEntry) => admin.call(inbox.markAllRead, { until: date })],
  ])('has its newest entry read once it is %s, of whose time a page knows less [P47]', async (_how, mark) => {
    await markAll(admin)
    await store(server, staff, '1.477')
    // As PostgreSQL's clock has it at any moment; that of the embedded database knows no more than a page.
    await sql`update inbox_facts
      set created_date = date_trunc('milliseconds', created_date) + interval '999 microseconds'
      where subject = '1.477'`.execute(server.deps.db)
    const [newest] = (await readInbox(admin)).entries
    expect(await unreadOf(admin)).toEqual(['CT Brain of Sample, Anna arrived.'])
    expect((await mark(newest!)).data).toEqual({ unread: 0 })
    await server.deps.db.deleteFrom('inbox_facts').where('subject', '=', '1.477').execute()
    await admin.call(scan.remove, { organizationId: northClinic.id, seriesIdList: ['1.477.1'] })
  })

  it('cannot be read up to a time to come [P47]', async () => {
    await admin.call(inbox.markAllRead, { until: '2999-01-01T00:00:00.000Z' })
    await store(server, staff, '1.476')
    expect(await unreadOf(admin)).toEqual(['CT Brain of Sample, Anna arrived.'])
  })
})
