import { scan, type Input } from '@dmp/contract'
import { seedScans } from '../demo/seedScans.ts'
import { demoPatients } from '../demo/demoPatients.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let staff: SignedIn
let south: SignedIn
let provider: SignedIn
let northId: string

beforeAll(async () => {
  server = await startServer()
  await seedScans(server.deps)
  ;[staff, south, provider] = await Promise.all([
    server.signIn('staff'),
    server.signIn('admin@south.example'),
    server.signIn('super_admin'),
  ])
  northId = (
    await server.deps.db
      .selectFrom('organizations')
      .select('id')
      .where('name', '=', 'North-Clinic')
      .executeTakeFirstOrThrow()
  ).id
})
afterAll(() => server.close())

const list = async (input: Input<typeof scan.list>, who = staff) => {
  const reply = await who.call(scan.list, input)
  expect(reply.status).toBe(200)
  return reply
}

describe('list of scans', () => {
  it('shows one row per series with the fields of a scan [3.12, 7.38]', async () => {
    const { data, total } = await list({})
    expect([data.length, total]).toEqual([36, 36])
    const heads = data.filter((row) => row.seriesDescription === 'FSE PD axial oblique')
    expect(heads.map((row) => row.noOfImages)).toEqual([20, 20, 20])
    expect(heads.map((row) => row.imageInstances)).toEqual([20, 20, 20])
    // Each a film of ten frames.
    const films = data.filter((row) => row.modality === 'US')
    expect(films.map((row) => [row.noOfImages, row.imageInstances])).toEqual([
      [10, 1],
      [10, 1],
      [10, 1],
    ])
    const { data: studies } = await staff.call(scan.listStudies, {})
    const ofHead = studies.find(({ studyUID }) => studyUID === heads[0]?.studyUID)
    expect(ofHead).toMatchObject({ images: 20, imageInstances: 20 })
    for (const row of data) {
      expect(row.dataStoreID).toMatch(/^[0-9a-z]{32}$/)
      expect(row.imageSetID).toMatch(/^[0-9a-z]{32}$/)
      expect(row.acqDate).toMatch(/^202[45]-\d\d-\d\d$/)
    }
    expect(heads[0]?.compatibleSaas).toEqual(['Autometrics', 'OssView'])
    expect(data.find((row) => row.modality === 'CT')?.compatibleSaas).toEqual([
      'Autometrics',
      'BMD',
      'OssView',
      'PeekMed',
    ])
    expect(data.find((row) => row.modality === 'US')?.compatibleSaas).toEqual([])
  })

  it('has the newest acquisition first and sorts by each column both ways, never minding case [2.63, 5.19]', async () => {
    const dates = (await list({})).data.map((row) => row.acqDate ?? '')
    expect(dates).toEqual(dates.toSorted().reverse())
    const names = (await list({ sort: 'patientName', direction: 'asc' })).data.map((row) =>
      row.patientName.toLowerCase(),
    )
    expect(names).toEqual(names.toSorted())
    const images = (await list({ sort: 'noOfImages', direction: 'desc' })).data.map((row) => row.noOfImages ?? 0)
    expect(images).toEqual(images.toSorted((a, b) => b - a))
    for (const sort of scan.list.definition.sortable)
      expect((await list({ sort, direction: 'asc', page: 1 })).data.length).toBe(10)
  })

  it('pages without gaps or repeats, with the total of all [9.01]', async () => {
    const listedUIDs: string[] = []
    for (const page of [1, 2, 3, 4]) {
      const { data, total } = await list({ page, pageSize: 10, sort: 'modality', direction: 'asc' })
      expect(total).toBe(36)
      listedUIDs.push(...data.map((row) => row.seriesUID))
    }
    expect(new Set(listedUIDs).size).toBe(36)
  })

  it('finds by name, id, UID, description, date, modality and app, as a substring in any case [5.19]', async () => {
    const [first] = (await list({})).data
    if (!first) throw new Error('There are scans.')
    const terms = [
      first.patientName.slice(1, 5).toUpperCase(),
      first.patientID,
      first.seriesUID.slice(5, 25),
      first.studyUID,
      first.seriesDescription.slice(2),
      first.acqDate ?? '',
      first.modality.toLowerCase(),
    ]
    for (const term of terms)
      expect((await list({ query: term })).data.map((row) => row.seriesUID)).toContain(first.seriesUID)
    expect((await list({ query: 'chloé' })).total).toBeGreaterThan(0)
    expect((await list({ search: 'peekmed' })).total).toBe(12)
    expect((await list({ query: 'nobody at all' })).data).toEqual([])
  })

  it('counts what a search finds, on a first page, on a later one and on the last [5.19, 9.01]', async () => {
    const matches = (await list({ query: 'peekmed' })).data.length
    expect(matches).toBe(12)
    for (const [page, pageSize, rows] of [
      [1, 10, 10],
      [2, 10, 2],
      [1, 12, 12],
      [3, 5, 2],
      [2, 12, 0],
    ] as const) {
      const { data, total } = await list({ query: 'peekmed', page, pageSize })
      expect([page, pageSize, data.length, total]).toEqual([page, pageSize, rows, 12])
    }
  })

  it('records that somebody searched, and not what for [P23, P24]', async () => {
    const admin = await server.signIn('admin')
    await list({ query: 'Canarysearch', page: 1 }, admin)
    await list({ page: 2 }, admin)
    const rows = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ScansQueried')
      .where('actor_id', '=', admin.userId)
      .orderBy('position')
      .execute()
    expect(rows.map(({ subject }) => subject)).toEqual([
      { page: 1, isSearch: true },
      { page: 2, isSearch: false },
    ])
  })

  it('records each list that is taken along as an export, with how much it was [P24]', async () => {
    const exports = async () =>
      (
        await server.deps.db
          .selectFrom('audit')
          .select('subject')
          .where('event', '=', 'ScansExported')
          .where('organization_id', '=', northId)
          .where('actor_id', '=', provider.userId)
          .orderBy('position')
          .execute()
      ).map(({ subject }) => subject)
    const before = (await exports()).length
    const organizationId = northId
    await list({ organizationId, page: 1, pageSize: 50 }, provider)
    // The largest page of the worklist is still one that is looked at.
    const [study] = (await provider.call(scan.listStudies, { organizationId, page: 1, pageSize: 100 })).data
    await provider.call(scan.listStudies, { organizationId, patientOf: study?.studyUID ?? '' })
    expect((await exports()).length).toBe(before)
    const all = await list({ organizationId }, provider)
    await list({ organizationId }, provider)
    await list({ organizationId, query: 'peekmed' }, provider)
    const studies = await provider.call(scan.listStudies, { organizationId })
    expect((await exports()).slice(before)).toEqual([
      { rows: all.data.length, isSearch: false },
      { rows: all.data.length, isSearch: false },
      { rows: 12, isSearch: true },
      { rows: studies.data.length, isSearch: false },
    ])
  })

  it('takes the characters of patterns and of SQL as themselves [P16]', async () => {
    for (const query of ['%', '_', '\\', "'; drop table series; --", '%%%'])
      expect((await list({ query })).data).toEqual([])
    expect((await staff.call(scan.list, { query: '\u0000' })).status).toBe(400)
    expect((await list({})).total).toBe(36)
  })

  it('is the own organization’s; only the provider names another [2.58, P02]', async () => {
    expect((await list({}, south)).data.length).toBe(12)
    expect((await south.call(scan.list, { organizationId: northId })).status).toBe(404)
    const unknown = await south.call(scan.list, { organizationId: '00000000-0000-4000-8000-000000000000' })
    const foreign = await south.call(scan.list, { organizationId: northId })
    expect([foreign.status, foreign.message, foreign.code]).toEqual([unknown.status, unknown.message, unknown.code])
    expect((await list({ organizationId: northId }, provider)).total).toBe(36)
    expect((await list({}, provider)).data).toEqual([])
  })
})

describe('a scan', () => {
  it('tells everything about scan, patient and device [3.13, 2.59]', async () => {
    const [row] = (await list({ query: 'T1 coronal' })).data
    const { status, data } = await staff.call(scan.get, { organizationId: northId, seriesUID: row?.seriesUID ?? '' })
    expect(status).toBe(200)
    const person = demoPatients.find((patient) => data.patient.birthDate?.replaceAll('-', '') === patient.birthDate)
    expect(data.basic).toMatchObject({
      institutionName: 'North-Clinic',
      bodyPartExamined: 'SHOULDER',
      totalSliceCount: 1,
      seriesDescription: 'T1 coronal',
      studyDescription: 'MR Shoulder',
      acquisitionDate: row?.acqDate,
    })
    expect(data.patient).toMatchObject({
      ID: row?.patientID,
      name: row?.patientName,
      weight: person?.weight,
      height: person?.height,
      ethnicity: person?.ethnicity,
      referringPhysician: 'Referrer, Dr Robin',
      requestingPhysician: 'Requester, Dr Alex',
    })
    expect(data.patient.BMI).toBeCloseTo((person?.weight ?? 0) / (person?.height ?? 1) ** 2, 1)
    expect(data.patient.age).toMatch(/^\d+ years$/)
    expect(data.advanced).toMatchObject({
      rows: 1024,
      columns: 1024,
      laterality: 'R',
      manufacturer: expect.any(String),
      pixelSpacing: expect.stringMatching(/^[\d.]+ × [\d.]+ mm$/),
      imageSetID: row?.imageSetID,
    })
    expect(Date.parse(data.advanced.uploadDateTime)).toBeGreaterThan(Date.now() - 3_600_000)
  })

  it('keeps all tags, items of sequences too [3.13]', async () => {
    const [row] = (await list({ query: 'Lung 1.0' })).data
    const { data } = await staff.call(scan.get, { organizationId: northId, seriesUID: row?.seriesUID ?? '' })
    const tags = new Map(data.tags.map(({ key, value }) => [key, value]))
    expect(tags.get('(0010,0010) PatientName')).toContain('^')
    expect(tags.get('(0008,0060) Modality')).toBe('CT')
    expect(tags.get('(0012,0064)[1] (0008,0100) CodeValue')).toBe('113100')
    expect(data.tags.length).toBeGreaterThan(60)
  })

  it('of another organization does not exist, like one that nobody has [P02]', async () => {
    const [row] = (await list({})).data
    const foreign = await south.call(scan.get, { organizationId: northId, seriesUID: row?.seriesUID ?? '' })
    const reply = await south.call(scan.get, {
      organizationId: await server.organizationOf(south),
      seriesUID: row?.seriesUID ?? '',
    })
    const unknown = await south.call(scan.get, { organizationId: northId, seriesUID: '1.2.3.4.5.6.7' })
    expect([foreign.status, reply.status, unknown.status]).toEqual([404, 404, 404])
    expect([foreign.message, reply.message]).toEqual([unknown.message, unknown.message])
  })

  it('is recorded when it is seen, without the patient’s name [P24, P23]', async () => {
    const rows = await server.deps.db.selectFrom('audit').select('subject').where('event', '=', 'ScanViewed').execute()
    expect(rows.length).toBeGreaterThan(1)
    expect(JSON.stringify(rows)).not.toMatch(/Sample|Fiktiv|Exemple|Mock/)
  })
})
