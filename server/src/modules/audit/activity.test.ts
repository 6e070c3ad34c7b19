import { audit, businessUser, scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let root: SignedIn
let admin: SignedIn
let staff: SignedIn
let south: SignedIn

const object = (study: string, series: string, patientID: string): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${series}.1`),
      '00080060': text('CS', 'MR'),
      '00081030': text('LO', `Heart ${study}`),
      '00100010': text('PN', 'Sample^Anna'),
      '00100020': text('LO', patientID),
      '0020000D': text('UI', study),
      '0020000E': text('UI', series),
    }),
  })

beforeAll(async () => {
  server = await startServer()
  ;[root, admin, staff, south] = await Promise.all([
    server.signIn('super_admin'),
    server.signIn('admin'),
    server.signIn('staff'),
    server.signIn('admin@south.example'),
  ])
  for (const [study, series, patientID] of [
    ['1.81', '1.81.1', 'P-81'],
    ['1.82', '1.82.1', 'P-81'],
    ['1.83', '1.83.1', 'p-81'],
    ['1.84', '1.84.1', ''],
    ['1.85', '1.85.1', ''],
  ] as const)
    expect((await stow(server, staff, [object(study, series, patientID)])).statusCode).toBe(200)
  expect((await stow(server, south, [object('1.86', '1.86.1', 'P-81')])).statusCode).toBe(200)
  await staff.call(scan.get, { organizationId: northClinic.id, seriesUID: '1.81.1' })
  await admin.call(scan.get, { organizationId: northClinic.id, seriesUID: '1.82.1' })
  await staff.call(scan.list, {})
})
afterAll(() => server.close())

const eventsOf = async (input: object, who = admin) => {
  const reply = await who.call(audit.listActivity, { organizationId: northClinic.id, pageSize: 50, ...input })
  expect(reply.status).toBe(200)
  return reply.data
}

describe('the studies of a patient', () => {
  const studiesOf = async (patientOf: string, who = staff, organizationId: string = northClinic.id) =>
    (await who.call(scan.listStudies, { organizationId, patientOf, sort: 'studyDate' })).data.map((row) => row.studyUID)

  it('have the same ID, to the letter, in the same organization', async () => {
    expect((await studiesOf('1.81')).toSorted()).toEqual(['1.81', '1.82'])
    expect(await studiesOf('1.83')).toEqual(['1.83'])
    expect(await studiesOf('1.86', south, southClinic.id)).toEqual(['1.86'])
  })

  it('are one where it has no ID, since that says nothing about who it is', async () => {
    expect(await studiesOf('1.84')).toEqual(['1.84'])
  })

  it('of another organization are none', async () => {
    expect(await studiesOf('1.86')).toEqual([])
  })
})

describe('activity', () => {
  it('of a study says who did what with it and its series, newest first, by its name [P24]', async () => {
    const rows = await eventsOf({ studyUID: '1.81' })
    expect(rows.map(({ event, actorEmail }) => [event, actorEmail])).toEqual([
      ['ScanViewed', 'staff@north.example'],
      ['ScansUploaded', 'staff@north.example'],
    ])
    expect(rows[0]?.scan).toEqual({
      organizationId: northClinic.id,
      studyUID: '1.81',
      patientName: 'Sample, Anna',
      description: 'Heart 1.81',
      modalities: ['MR'],
    })
  })

  it('of a patient has all of the patient’s studies, and nobody else’s [P02, P24]', async () => {
    const rows = await eventsOf({ studyUID: '1.82', isPatient: 'true' })
    expect(rows.map(({ event, scan: named }) => [event, named?.studyUID])).toEqual([
      ['ScanViewed', '1.82'],
      ['ScanViewed', '1.81'],
      ['ScansUploaded', '1.82'],
      ['ScansUploaded', '1.81'],
    ])
  })

  it('of a patient names the patient’s study also where an upload was of several patients [P23]', async () => {
    const objects = [object('1.871', '1.871.1', 'P-871'), object('1.872', '1.872.1', 'P-872')]
    expect((await stow(server, staff, objects)).statusCode).toBe(200)
    for (const studyUID of ['1.871', '1.872'])
      expect((await eventsOf({ studyUID, isPatient: 'true' })).map((row) => [row.event, row.scan?.studyUID])).toEqual([
        ['ScansUploaded', studyUID],
      ])
  })

  it('of a person has what that person did in the organization, without views of lists', async () => {
    const { data } = await admin.call(businessUser.get, { id: staff.userId })
    const rows = await eventsOf({ actorId: data.id })
    expect([...new Set(rows.map(({ actorEmail }) => actorEmail))]).toEqual(['staff@north.example'])
    expect(rows.map(({ event }) => event)).toContain('SignedIn')
    expect(rows.map(({ event }) => event)).not.toContain('ScansQueried')
  })

  it('of an account says what was done to it and by whom, and names the person to those who may see them', async () => {
    const [person] = (await admin.call(businessUser.list, { search: 'mfa@north.example' })).data
    if (!person) throw new Error('There is nobody.')
    await admin.call(businessUser.deactivateUser, { id: person.id })
    await admin.call(businessUser.activateUser, { id: person.id })
    const affected = { id: person.id, fullName: person.fullName, email: person.email }
    const rows = await eventsOf({ affectedId: person.id, organizationId: undefined })
    expect(rows.slice(0, 2).map((row) => [row.event, row.actorEmail, row.affected])).toEqual([
      ['UserActivated', 'admin@north.example', affected],
      ['UserDeactivated', 'admin@north.example', affected],
    ])
    expect(await eventsOf({ affectedId: person.id, organizationId: undefined }, south)).toEqual([])
    const [row] = rows
    const found = await admin.call(audit.list, { search: person.email, event: 'UserDeactivated' })
    expect(found.data.map((one) => [one.event, one.affected])).toEqual([['UserDeactivated', affected]])
    expect((await admin.call(audit.get, { id: row?.id ?? '' })).data.affected).toEqual(affected)
    const { data } = await admin.call(audit.exportRows, { affectedId: person.id })
    expect(data.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect(JSON.stringify(await server.deps.db.selectFrom('audit').select('subject').execute())).not.toContain(
      person.lastName,
    )
  })

  it('of one day is that day’s', async () => {
    expect(await eventsOf({ studyUID: '1.81', to: '2020-01-01T00:00:00.000Z' })).toEqual([])
    expect(await eventsOf({ studyUID: '1.81', from: '2020-01-01T00:00:00.000Z' })).toHaveLength(2)
  })

  it('is recorded as a look at scans, once per organization whose patients it named [P24]', async () => {
    const countLooks = async () =>
      (await root.call(audit.list, { event: 'ScansQueried', actorId: root.userId, pageSize: 50 })).data.map(
        ({ organization }) => organization,
      )
    await root.call(audit.listActivity, { actorId: south.userId })
    expect(await countLooks()).toEqual([southClinic.name])
    await root.call(audit.listActivity, { actorId: root.userId })
    expect(await countLooks()).toEqual([southClinic.name])
  })

  it('of another organization’s study, patient or person is empty for an organization [P02]', async () => {
    for (const input of [
      { studyUID: '1.86' },
      { studyUID: '1.86', organizationId: southClinic.id },
      { studyUID: '1.86', organizationId: southClinic.id, isPatient: 'true' },
      { actorId: south.userId, organizationId: undefined },
    ])
      expect(await eventsOf(input)).toEqual([])
  })

  it('is refused to people who may not read the audit [P01]', async () => {
    expect((await staff.call(audit.listActivity, { studyUID: '1.81' })).status).toBe(403)
  })

  it('still tells of a deleted study, which no name is left of', async () => {
    const remove = { organizationId: northClinic.id, seriesIdList: ['1.85.1'] }
    expect((await admin.call(scan.remove, remove)).status).toBe(200)
    expect((await eventsOf({ studyUID: '1.85' })).map(({ event, scan: named }) => [event, named])).toEqual([
      ['ScansDeleted', null],
    ])
  })

  it('narrows the audit list and its export by the same words [P24]', async () => {
    const input = { organizationId: northClinic.id, studyUID: '1.82', isPatient: 'true' }
    const listed = (await admin.call(audit.list, { ...input, pageSize: 50 })).data
    expect(listed.map(({ event }) => event)).toEqual(['ScanViewed', 'ScanViewed', 'ScansUploaded', 'ScansUploaded'])
    expect((await admin.call(audit.exportRows, input)).data.map(({ id }) => id)).toEqual(listed.map(({ id }) => id))
  })
})
