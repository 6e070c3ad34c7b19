import { scan, type Input } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { startRetention } from '../../../db/retention.ts'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let staff: SignedIn
let admin: SignedIn

interface Made {
  readonly study: string
  readonly series: string
  readonly name: string
  readonly description?: string
  readonly modality?: string
  readonly date?: string
}

const made: readonly Made[] = [
  { study: '1.71', series: '1.71.1', name: 'Doe^Peter', description: 'Brain native', modality: 'CT', date: '20250616' },
  { study: '1.71', series: '1.71.2', name: 'Doe^Peter', description: 'Dose report', modality: 'SR', date: '20250616' },
  { study: '1.72', series: '1.72.1', name: 'Próba^Łucja', description: 'Knie groß', modality: 'MR', date: '20240102' },
  { study: '1.73', series: '1.73.1', name: 'Doe^Anna', description: 'Knee', modality: 'MR', date: '20250701' },
]

async function upload(who: SignedIn, { study, series, name, description = '', modality = 'CT', date = '' }: Made) {
  const elements = slice({
    '00080005': text('CS', 'ISO_IR 192'),
    '00080018': text('UI', `${series}.1`),
    '00080020': text('DA', date),
    '00080022': text('DA', date),
    '00080060': text('CS', modality),
    '0008103E': text('LO', description),
    '00100010': text('PN', name),
    '00100020': text('LO', name.length.toString()),
    '0020000D': text('UI', study),
    '0020000E': text('UI', series),
  })
  expect((await stow(server, who, [dicomFile({ elements })])).statusCode).toBe(200)
}

beforeAll(async () => {
  server = await startServer()
  ;[staff, admin] = await Promise.all([server.signIn('staff'), server.signIn('admin')])
  for (const one of made) await upload(staff, one)
})
afterAll(() => server.close())

const list = async (input: Input<typeof scan.listStudies> = {}, who = staff) => {
  const reply = await who.call(scan.listStudies, input)
  expect(reply.status).toBe(200)
  return reply
}
const uidsOf = async (input: Input<typeof scan.listStudies>, who = staff) =>
  (await list(input, who)).data.map(({ studyUID }) => studyUID).toSorted()

const terms: readonly [string, readonly string[]][] = [
  ['peter doe', ['1.71']],
  ['Doe^Peter', ['1.71']],
  ['doe, PETER', ['1.71']],
  ['proba', ['1.72']],
  ['lucja próba', ['1.72']],
  ['grosse', []],
  ['gross', ['1.72']],
  ['CT brain 2025', ['1.71']],
  ['16 Jun 2025', ['1.71']],
  ['2025-06', ['1.71']],
  ['doe 2025', ['1.71', '1.73']],
  ['doe brain knee', []],
  ['100%', []],
]

describe('a word search', () => {
  it.each(terms)('for %s finds %j among studies [2.58, 5.19]', async (search, expected) => {
    expect(await uidsOf({ search })).toEqual(expected)
  })

  it.each(terms)('for %s finds %j among series [2.58, 5.19]', async (search, expected) => {
    const { data } = await staff.call(scan.list, { query: search })
    expect([...new Set(data.map(({ studyUID }) => studyUID))].toSorted()).toEqual(expected)
  })

  it('finds a study by its UID, and by that of a series', async () => {
    await upload(staff, { study: '1.2.3.4.5.70', series: '1.2.3.4.5.71', name: 'Uid^Una' })
    expect(await uidsOf({ search: '1.2.3.4.5.70' })).toEqual(['1.2.3.4.5.70'])
    expect(await uidsOf({ search: '1.2.3.4.5.71' })).toEqual(['1.2.3.4.5.70'])
    expect(await uidsOf({ search: '1.2.3.4.5.72' })).toEqual([])
    await admin.call(scan.remove, { organizationId: northClinic.id, seriesIdList: ['1.2.3.4.5.71'] })
  })

  it('finds words of several series of a study', async () => {
    expect(await uidsOf({ search: 'dose brain' })).toEqual(['1.71'])
  })
})

describe('the worklist', () => {
  it('has a row per study with its series, the newest arrival first', async () => {
    const { data, total } = await list({ page: 1, pageSize: 2 })
    expect([data.map(({ studyUID }) => studyUID), total]).toEqual([['1.73', '1.72'], 3])
    const [study] = (await list({ search: 'peter' })).data
    expect(study).toMatchObject({
      patientName: 'Doe, Peter',
      studyDate: '2025-06-16',
      modalities: ['CT', 'SR'],
      seriesCount: 2,
      isShared: false,
      isTransferred: false,
    })
    expect(study?.series.map(({ seriesUID }) => seriesUID)).toEqual(['1.71.1', '1.71.2'])
  })

  it('says a name in its own script beside the other one, as the detail does [2.59]', async () => {
    const [study, series] = ['1.74', '1.74.1']
    await upload(staff, { study, series, name: 'Yamada^Tarou=山田^太郎=やまだ^たろう' })
    expect((await list({ search: 'yamada' })).data).toMatchObject([
      { patientName: 'Yamada, Tarou', nativeName: '山田, 太郎' },
    ])
    const detail = (await staff.call(scan.get, { organizationId: northClinic.id, seriesUID: series })).data
    expect(detail.patient).toMatchObject({ name: 'Yamada, Tarou', nativeName: '山田, 太郎' })
    const [doe] = (await list({ search: 'peter' })).data
    expect(doe).not.toHaveProperty('nativeName')
    await admin.call(scan.remove, { organizationId: northClinic.id, seriesIdList: [series] })
  })

  it('is narrowed by what the filters say, all of it together', async () => {
    expect(await uidsOf({ modality: 'SR,CT' })).toEqual(['1.71'])
    expect(await uidsOf({ modality: 'MR', studyFrom: '2025-01-01' })).toEqual(['1.73'])
    expect(await uidsOf({ studyFrom: '2025-01-01', studyTo: '2025-06-30' })).toEqual(['1.71'])
    expect(await uidsOf({ source: 'Nothing' })).toEqual([])
    expect(await uidsOf({ saas: 'BMD' })).toEqual(['1.71'])
    const today = new Date().toISOString().slice(0, 10)
    expect(await uidsOf({ receivedFrom: today, receivedTo: today })).toHaveLength(3)
    expect(await uidsOf({ receivedTo: '2020-01-01' })).toEqual([])
    const kinds = (await staff.call(scan.getStudyKinds, {})).data
    expect(kinds).toMatchObject({ modalities: ['CT', 'MR', 'SR'] })
  })

  it('knows what is new for each person, until they open it or more of it arrives', async () => {
    const later = await server.signIn('staff')
    expect(await uidsOf({ isNew: 'true' }, later)).toEqual(['1.71', '1.72', '1.73'])
    await staff.call(scan.get, { organizationId: northClinic.id, seriesUID: '1.71.1' })
    expect(await uidsOf({ isNew: 'true' })).toEqual(['1.72', '1.73'])
    expect(await uidsOf({ isMine: 'true' })).toEqual(['1.71'])
    expect(await uidsOf({ isNew: 'true' }, admin)).toEqual(['1.71', '1.72', '1.73'])
    const organizationId = northClinic.id
    await upload(staff, { ...made[0]!, series: '1.71.4' })
    await staff.call(scan.get, { organizationId, seriesUID: '1.71.4' })
    expect(await uidsOf({ isNew: 'true' })).toEqual(['1.72', '1.73'])
    await admin.call(scan.remove, { organizationId, seriesIdList: ['1.71.4'] })
    await upload(staff, { ...made[0]!, series: '1.71.3' })
    expect(await uidsOf({ isNew: 'true' })).toEqual(['1.71', '1.72', '1.73'])
  })

  it('says which studies arrived since a moment', async () => {
    const newest = (await list({})).data[0]!.arrivedDate
    const count = async (search?: string) =>
      (await staff.call(scan.countStudies, { arrivedAfter: newest, ...(search ? { search } : {}) })).data.count
    expect(await count()).toBe(0)
    await upload(staff, { study: '1.74', series: '1.74.1', name: 'New^One' })
    expect([await count(), await count('one'), await count('doe')]).toEqual([1, 1, 0])
  })

  it('says which studies are shared, for as long as a link works', async () => {
    await staff.call(scan.share, { organizationId: northClinic.id, seriesUID: '1.73.1', expireInDay: 1 })
    expect(await uidsOf({ isShared: 'true' })).toEqual(['1.73'])
    expect((await list({ search: 'anna doe' })).data[0]).toMatchObject({ isShared: true })
    const { data } = await staff.call(scan.listShares, { organizationId: northClinic.id, seriesUID: '1.73.1' })
    await staff.call(scan.revokeShare, { id: data[0]!.id })
    expect(await uidsOf({ isShared: 'true' })).toEqual([])
    // A link opens series of several studies.
    const both = { organizationId: northClinic.id, seriesUID: '1.73.1', alsoSeriesUIDs: ['1.72.1'], expireInDay: 1 }
    expect((await staff.call(scan.share, both)).status).toBe(200)
    expect(await uidsOf({ isShared: 'true' })).toEqual(['1.72', '1.73'])
    const { data: again } = await staff.call(scan.listShares, { organizationId: northClinic.id, seriesUID: '1.73.1' })
    await staff.call(scan.revokeShare, { id: again[0]!.id })
    expect(await uidsOf({ isShared: 'true' })).toEqual([])
  })

  it('forgets a deleted series, and with the last one the study and who opened it', async () => {
    const remove = (seriesIdList: string[]) => admin.call(scan.remove, { organizationId: northClinic.id, seriesIdList })
    expect((await remove(['1.71.2', '1.71.3'])).status).toBe(200)
    const [study] = (await list({ search: 'peter doe' })).data
    expect(study).toMatchObject({ seriesCount: 1, modalities: ['CT'] })
    expect(await uidsOf({ search: 'dose report' })).toEqual([])
    await remove(['1.71.1'])
    expect(await uidsOf({ search: 'peter doe' })).toEqual([])
    const marks = await server.deps.db
      .selectFrom('opened_studies')
      .selectAll()
      .where('study_uid', '=', '1.71')
      .execute()
    expect(marks).toEqual([])
  })

  it('keeps the marks of who opened what for as long as they say something', async () => {
    await staff.call(scan.get, { organizationId: northClinic.id, seriesUID: '1.73.1' })
    await staff.call(scan.get, { organizationId: northClinic.id, seriesUID: '1.72.1' })
    await server.deps.db
      .updateTable('opened_studies')
      .set({ opened_date: sql<Date>`now() - interval '15 days'` })
      .where('study_uid', '=', '1.73')
      .execute()
    await startRetention(server.deps.db, server.deps.settings, () => undefined).close()
    const marks = await server.deps.db.selectFrom('opened_studies').select('study_uid').execute()
    expect(marks).toEqual([{ study_uid: '1.72' }])
  })

  it('has a summary of series that a server of the version before writes, as of its own', async () => {
    const { db } = server.deps
    const row = await db.selectFrom('series').selectAll().where('series_uid', '=', '1.73.1').executeTakeFirstOrThrow()
    const { search_text: _made, ...columns } = row
    await db
      .insertInto('series')
      .values({
        ...columns,
        attributes: JSON.stringify(row.attributes),
        series_uid: '1.73.9',
        image_set_id: '9'.repeat(32),
        modality: 'PT',
      })
      .execute()
    expect((await list({ search: 'anna doe' })).data[0]).toMatchObject({ modalities: ['MR', 'PT'], seriesCount: 2 })
    await db.deleteFrom('series').where('series_uid', '=', '1.73.9').execute()
    expect((await list({ search: 'anna doe' })).data[0]).toMatchObject({ modalities: ['MR'], seriesCount: 1 })
  })

  it('shows no other organization [P02]', async () => {
    const south = await server.signIn('admin@south.example')
    expect(await uidsOf({}, south)).toEqual([])
    expect((await south.call(scan.listStudies, { organizationId: northClinic.id })).status).toBe(404)
    expect((await south.call(scan.getStudyKinds, { organizationId: northClinic.id })).status).toBe(404)
  })

  it('writes neither the search nor the names into the log or the record [P23]', async () => {
    await list({ search: 'Próba' })
    expect(server.logs.filter((line) => /Pr(?:ó|o|%C3%B3)ba/i.test(line))).toEqual([])
    const rows = await server.deps.db.selectFrom('audit').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter((row) => /Pr[óo]ba/i.test(JSON.stringify(row)))).toEqual([])
  })
})
