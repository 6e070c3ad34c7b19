import { audit, inbox, organization, scan } from '@dmp/contract'
import { northClinic, provider, southClinic } from '@dmp/contract/examples'
import { defaultAlertRules, weekdays, type AlertRules } from '@dmp/contract/organization'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { readInbox } from '../../inbox/inboxInTests.ts'
import { sendDueMails } from '../../inbox/inboxMailing.ts'
import { judgeAccess } from './alertRounds.ts'

let server: TestServer
let root: SignedIn
let admin: SignedIn
let staff: SignedIn
let south: SignedIn
const { id } = northClinic
const patients = 7
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  admin = await server.signIn('admin')
  staff = await server.signIn('staff')
  south = await server.signIn('admin@south.example')
  const me = await nameOf(staff)
  const names = ['Quill^Ann', 'Quill^Bo', 'Quill^Cy', 'Quill^Di', 'Quill^Ed', 'Quill^Flo', `${me.toUpperCase()}^Kin`]
  const objects = names.map((name, index) =>
    dicomFile({
      elements: slice({
        '00080018': text('UI', `1.72.${index}.1.1`),
        '0020000D': text('UI', `1.72.${index}`),
        '0020000E': text('UI', `1.72.${index}.1`),
        '00080060': text('CS', 'CT'),
        '00100010': text('PN', name),
        '00100020': text('LO', `P72-${index}`),
      }),
    }),
  )
  expect((await stow(server, admin, objects)).statusCode).toBe(200)
  await judgeAccess(server.deps)
})
afterAll(() => server.close())

async function nameOf({ userId }: SignedIn): Promise<string> {
  const row = server.deps.db.selectFrom('users').select('last_name').where('id', '=', userId)
  return (await row.executeTakeFirstOrThrow()).last_name
}
/** Forgets what was judged, so that each case begins anew. */
async function begin(over: Partial<AlertRules> = {}): Promise<void> {
  const rules = { ...defaultAlertRules, timeZone: 'UTC', patients: 5, manyPatients: false, ownName: false, ...over }
  expect(await admin.call(organization.setAlertRules, { id, ...rules })).toMatchObject({ status: 200, data: rules })
  await judgeAccess(server.deps)
  for (const table of ['access_alerts', 'patient_openings'] as const) await server.deps.db.deleteFrom(table).execute()
  await server.deps.db.deleteFrom('inbox_facts').where('kind', '=', 'AccessAlert').execute()
}
/** By the database alone, because the server remembers for a minute what somebody opened. */
const open = (who: SignedIn, ...numbers: readonly number[]): Promise<void> => openIn(id, who, ...numbers)
async function openIn(organizationId: string, who: SignedIn, ...numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const seriesUID = `1.72.${number}.1`
    const subject = { seriesUID, studyUID: `1.72.${number}` }
    await server.deps.write(
      { viewer: { userId: who.userId, organizationId }, request: { id: 'r', ip: '10.0.0.1' } },
      ({ audit: add }) => add({ event: 'ScanViewed', organizationId, subject }),
    )
  }
}
const all = Array.from({ length: patients }, (_, index) => index)
const alertsOf = async (who: SignedIn) => (await who.call(audit.listAlerts, {})).data

describe('an alert', () => {
  it('is told to administrators once, with how many and when, and without patients [P72]', async () => {
    await begin({ manyPatients: true })
    for (const number of all.slice(0, 6))
      expect((await staff.call(scan.get, { organizationId: id, seriesUID: `1.72.${number}.1` })).status).toBe(200)
    // Two servers look at the same time.
    await Promise.all([judgeAccess(server.deps), judgeAccess(server.deps)])
    const [alert, ...others] = await alertsOf(admin)
    expect(others).toEqual([])
    expect(alert).toMatchObject({ rule: 'ManyPatients', patients: 6, userId: staff.userId, acknowledgedDate: null })
    expect(JSON.stringify(alert)).not.toMatch(/Quill|1\.72\.|P72/)
    const { entries, sentences } = await readInbox(admin, 'AccessAlert')
    expect(entries).toMatchObject([{ link: `/audit/alerts/${alert?.id}`, isUnread: true }])
    expect(sentences).toEqual([expect.stringMatching(/ opened 6 different patients in a short time\.$/)])
    for (const other of [staff, south, root]) expect((await readInbox(other, 'AccessAlert')).entries).toEqual([])
    // What follows belongs to it.
    await open(staff, 6, 0, 1)
    await judgeAccess(server.deps)
    expect(await alertsOf(admin)).toMatchObject([{ id: alert?.id, patients: 7 }])
    expect((await readInbox(admin, 'AccessAlert')).entries).toHaveLength(1)
    const { firstDate, lastDate } = (await admin.call(audit.getAlert, { id: alert?.id ?? '' })).data
    const to = new Date(Date.parse(lastDate) + 1).toISOString()
    const asked = { organizationId: id, actorId: staff.userId, from: firstDate, to, opened: 'only' } as const
    const { data: shown } = await admin.call(audit.listActivity, { ...asked, page: 1, pageSize: 50 })
    expect(new Set(shown.map((row) => row.scan?.patientName)).size).toBe(7)
    expect(new Set(shown.map(({ event }) => event))).toEqual(new Set(['ScanViewed']))
  })

  it('is mailed to whoever wants it, by its number alone [P72, P23]', async () => {
    await begin({ manyPatients: true })
    expect((await admin.call(inbox.choose, { kind: 'AccessAlert', choice: 'AtOnce' })).status).toBe(200)
    await open(staff, ...all)
    await judgeAccess(server.deps)
    await sendDueMails(server.deps, new Date(Date.now() + 60_000))
    const mail = await server.mailTo('admin@north.example')
    expect(mail.text).toContain('Somebody opened 7 different patients in a short time.')
    expect(`${mail.text}${mail.html}`).not.toMatch(/Quill|1\.72|P72/)
    expect(`${mail.text}${mail.html}`).not.toContain(await nameOf(staff))
  })

  it('tells of patients out of hours, by the clocks of the organization [P72]', async () => {
    const today = (new Date().getUTCDay() + 6) % 7
    const closed = weekdays[(today + 3) % 7] ?? 'Monday'
    await begin({ outOfHours: true, outOfHoursPatients: 2, days: [closed] })
    await open(staff, 0)
    await judgeAccess(server.deps)
    expect(await alertsOf(admin)).toEqual([])
    await open(staff, 1, 2)
    await judgeAccess(server.deps)
    expect(await alertsOf(admin)).toMatchObject([{ rule: 'OutOfHours', patients: 3, userId: staff.userId }])
    await begin({ outOfHours: true, outOfHoursPatients: 1, days: [...weekdays], from: '00:00', until: '24:00' })
    await open(staff, 0)
    await judgeAccess(server.deps)
    expect(await alertsOf(admin)).toEqual([])
  })

  it('tells of a patient with a name like one’s own [P72]', async () => {
    await begin({ ownName: true })
    await open(staff, ...all)
    await open(admin, ...all)
    await judgeAccess(server.deps)
    expect(await alertsOf(admin)).toMatchObject([{ rule: 'OwnName', patients: 1, userId: staff.userId }])
  })

  it('counts what one person opened in one organization, and goes on for that one alone [P72, P02]', async () => {
    await begin({ manyPatients: true })
    const rules = { ...defaultAlertRules, timeZone: 'UTC', patients: 5, ownName: false }
    expect((await south.call(organization.setAlertRules, { id: southClinic.id, ...rules })).status).toBe(200)
    const judged = async () => {
      await judgeAccess(server.deps)
      return (await alertsOf(admin)).map((alert) => [alert.userId, alert.patients]).sort()
    }
    await open(staff, 0, 1, 2, 3)
    await openIn(southClinic.id, root, ...all)
    expect(await judged()).toEqual([])
    expect(await alertsOf(south)).toMatchObject([{ userId: root.userId, patients }])
    await open(root, 4, 5, 6)
    expect(await judged()).toEqual([])
    await open(staff, 4, 5)
    expect(await judged()).toEqual([[staff.userId, 6]])
    await open(root, 0, 1, 2)
    expect(await judged()).toEqual(
      [
        [root.userId, 6],
        [staff.userId, 6],
      ].sort(),
    )
    await open(staff, 6)
    expect(await judged()).toEqual(
      [
        [root.userId, 6],
        [staff.userId, 7],
      ].sort(),
    )
    expect(await alertsOf(south)).toMatchObject([{ userId: root.userId, patients }])
    const found = (await admin.call(audit.listAlerts, { search: await nameOf(staff) })).data
    expect(found).toMatchObject([{ userId: staff.userId }])
    await south.call(organization.setAlertRules, { id: southClinic.id, ...rules, ...defaultAlertRules })
  })

  it('is not about what happened before anybody watched, and not about machines [P72]', async () => {
    await begin({ manyPatients: true })
    await open(staff, ...all)
    await server.deps.db.deleteFrom('alert_cursors').execute()
    await judgeAccess(server.deps)
    const machine = { userId: '00000000-0000-4000-8000-0000000000ff' } as SignedIn
    await open(machine, ...all)
    await judgeAccess(server.deps)
    expect(await alertsOf(admin)).toEqual([])
  })
})

describe('an alert about an administrator', () => {
  const others = () =>
    server.deps.db
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', id)
      .where('role', '=', 'admin')
      .where('status', '=', 'Activated')
      .where('id', '<>', admin.userId)
      .execute()

  it('is not for that one [P72]', async () => {
    expect(await others()).not.toEqual([])
    await begin({ manyPatients: true })
    await open(admin, ...all)
    await judgeAccess(server.deps)
    const [alert] = await alertsOf(root)
    expect(alert).toMatchObject({ userId: admin.userId })
    expect(await alertsOf(admin)).toEqual([])
    expect((await readInbox(admin, 'AccessAlert')).entries).toEqual([])
    const own = { id: alert?.id ?? '' }
    expect((await admin.call(audit.getAlert, own)).status).toBe(404)
    expect((await admin.call(audit.acknowledgeAlert, { ...own, note: 'fine' })).status).toBe(404)
  })

  it('is for that one where nobody else could look into it [P72]', async () => {
    const ids = (await others()).map((other) => other.id)
    const setRole = (role: 'admin' | 'staff') =>
      server.deps.db.updateTable('users').set({ role }).where('id', 'in', ids).execute()
    await setRole('staff')
    await begin({ manyPatients: true })
    await open(admin, ...all)
    await judgeAccess(server.deps)
    expect(await alertsOf(admin)).toHaveLength(1)
    expect((await readInbox(admin, 'AccessAlert')).entries).toHaveLength(1)
    await setRole('admin')
    expect(await alertsOf(admin)).toEqual([])
  })
})

describe('looking into an alert', () => {
  it('leaves who did it and a note, once, and in the audit [P72, P24]', async () => {
    await begin({ manyPatients: true })
    await open(staff, ...all)
    await judgeAccess(server.deps)
    const [{ id: alertId } = { id: '' }] = await alertsOf(admin)
    expect((await admin.call(audit.acknowledgeAlert, { id: alertId, note: 'x'.repeat(1025) })).status).toBe(400)
    const { status, data } = await admin.call(audit.acknowledgeAlert, { id: alertId, note: ' Asked for by Quality. ' })
    expect([status, data.note, data.acknowledgedDate]).toEqual([200, 'Asked for by Quality.', expect.any(String)])
    expect(await admin.call(audit.acknowledgeAlert, { id: alertId, note: 'No.' })).toMatchObject({ status: 409 })
    expect((await admin.call(audit.listAlerts, { state: 'open' })).data).toEqual([])
    expect((await admin.call(audit.listAlerts, { state: 'acknowledged' })).data).toHaveLength(1)
    const { data: rows } = await admin.call(audit.list, { page: 1, pageSize: 50 })
    const events = rows.map(({ event }) => event)
    expect(events).toEqual(
      expect.arrayContaining(['AccessAlertRaised', 'AccessAlertAcknowledged', 'AlertRulesChanged']),
    )
  })

  it('is about that one: another one waits, and says what it is about [P72]', async () => {
    await begin({ manyPatients: true, ownName: true })
    await open(staff, ...all)
    await open(admin, ...all)
    await judgeAccess(server.deps)
    const alerts = (await alertsOf(root)).map(({ id: alertId, rule, userId }) => ({ id: alertId, rule, userId }))
    expect(alerts.map(({ rule, userId }) => [rule, userId]).sort()).toEqual(
      [
        ['ManyPatients', admin.userId],
        ['ManyPatients', staff.userId],
        ['OwnName', staff.userId],
      ].sort(),
    )
    for (const alert of alerts) expect((await root.call(audit.getAlert, alert)).data).toMatchObject(alert)
    const [first, ...others] = alerts
    expect((await root.call(audit.acknowledgeAlert, { id: first?.id ?? '', note: 'Seen.' })).data.id).toBe(first?.id)
    const waiting = (await root.call(audit.listAlerts, { state: 'open' })).data
    expect(waiting.map(({ id: alertId, note }) => [alertId, note]).sort()).toEqual(
      others.map(({ id: alertId }) => [alertId, null]).sort(),
    )
    expect((await root.call(audit.listAlerts, { state: 'acknowledged' })).data).toMatchObject([{ id: first?.id }])
  })

  it('is for administrators of the organization, and for the provider [P72, P02]', async () => {
    const [{ id: alertId } = { id: '' }] = await alertsOf(root)
    expect(alertId).not.toBe('')
    expect(await alertsOf(south)).toEqual([])
    expect((await south.call(audit.getAlert, { id: alertId })).status).toBe(404)
    expect((await south.call(audit.acknowledgeAlert, { id: alertId, note: '' })).status).toBe(404)
    for (const call of [audit.listAlerts, audit.getAlert])
      expect((await staff.call(call, { id: alertId } as never)).status).toBe(403)
  })
})

describe('the rules for alerts', () => {
  const draft: AlertRules = { ...defaultAlertRules, timeZone: 'Europe/Berlin' }
  it.each([
    ['patients', { patients: 4 }, 'Write a whole number from 5 to 2000.'],
    ['minutes', { minutes: 1441 }, 'Write a whole number from 5 to 1440.'],
    ['days', { days: [] }, 'Choose at least one day.'],
    ['until', { from: '19:00', until: '07:00' }, 'The end of a day comes after its beginning.'],
    ['timeZone', { timeZone: 'Mars/Olympus' }, 'This is not a time zone such as Europe/Berlin.'],
  ])('have bounds: %s [P72]', async (path, over, message) => {
    const reply = await admin.call(organization.setAlertRules, { id, ...draft, ...over } as never)
    expect(reply).toMatchObject({ status: 400, fields: [{ path, message }] })
  })

  it('are an organization’s own, and there is none for the provider’s [P72, P02, 6.09]', async () => {
    expect((await south.call(organization.getAlertRules, { id })).status).toBe(404)
    expect((await south.call(organization.setAlertRules, { id, ...draft })).status).toBe(404)
    expect((await staff.call(organization.setAlertRules, { id, ...draft })).status).toBe(403)
    expect((await south.call(organization.getAlertRules, { id: southClinic.id })).data).toMatchObject(defaultAlertRules)
    expect(await root.call(organization.setAlertRules, { id: provider.id, ...draft })).toMatchObject({ status: 409 })
  })
})
