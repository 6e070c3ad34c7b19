import { sql } from 'kysely'
import { openEarlier } from '../testing/earlierSchema.ts'
import type { Database } from './client.ts'
import { migrate } from './migrate.ts'

/** What servers of the version before stored of objects with long values. */
const longId = `id${'Ä'.repeat(500)}`
const studyAttributes = {
  '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
  '00080090': { vr: 'PN', Value: [{ Alphabetic: 'b'.repeat(30_000), Ideographic: 'short' }] },
  '00100020': { vr: 'LO', Value: [longId] },
  '00200010': { vr: 'SH', BulkDataURI: 'bulkdata/00200010' },
  '00100040': { vr: 'OB', InlineBinary: 'A'.repeat(400) },
}
const seriesAttributes = {
  '00400275': { vr: 'SQ', Value: Array.from({ length: 300 }, () => ({ '00400009': { vr: 'SH', Value: ['STEP'] } })) },
}
let database: Database
let organizationId: string

beforeAll(async () => {
  ;({ database, organizationId } = await openEarlier('0025'))
  const { db } = database
  for (const [uid, id, attributes] of [
    ['1.1', longId, studyAttributes],
    ['1.2', 'P-1', { '00100020': { vr: 'LO', Value: ['P-1'] } }],
  ] as const) {
    await sql`insert into studies (organization_id, study_uid, patient_id, patient_name, study_date, accession_number,
      attributes) values (${organizationId}, ${uid}, ${id}, ${'n'.repeat(900)}, '2025-01-02', '', ${JSON.stringify(
        attributes,
      )}::jsonb)`.execute(db)
    await sql`insert into series (organization_id, series_uid, study_uid, image_set_id, patient_name, patient_id,
      modality, description, source, acq_date, compatible_saas, attributes, search_words)
      values (${organizationId}, ${`${uid}.1`}, ${uid}, ${uid.replace('.', 'a').padEnd(32, '0')}, 'Doe, Jane', ${id},
      'MR', ${'d'.repeat(900)}, 'Upload', '2025-01-02', '{Autometrics}', ${JSON.stringify(seriesAttributes)}::jsonb,
      ${['Doe, Jane', '', id, 'd'.repeat(900), 'MR'].join('\n')})`.execute(db)
  }
  await migrate(db)
})
afterAll(() => database.close())

describe('a database of the version before', () => {
  it('opens with its long values cut, and with all that were short [P20, P21]', async () => {
    const { db } = database
    const [long, short] = await db.selectFrom('studies').selectAll().orderBy('study_uid').execute()
    expect(long?.attributes).toEqual({
      '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
      '00080090': { vr: 'PN', Value: [{ Alphabetic: 'b'.repeat(64), Ideographic: 'short' }] },
      '00100020': { vr: 'LO', Value: [longId.slice(0, 64)] },
      '00200010': { vr: 'SH', BulkDataURI: 'bulkdata/00200010' },
      '00100040': { vr: 'OB' },
    })
    expect(long).toMatchObject({ patient_id: longId.slice(0, 64), patient_name: 'n'.repeat(64) })
    expect(short).toMatchObject({ patient_id: 'P-1', attributes: { '00100020': { vr: 'LO', Value: ['P-1'] } } })
    const series = await db.selectFrom('series').selectAll().orderBy('series_uid').execute()
    expect(series.map(({ description, patient_id }) => [description.length, patient_id])).toEqual([
      [64, longId.slice(0, 64)],
      [64, 'P-1'],
    ])
    expect(series.map(({ search_words }) => search_words.split('\n').map((line) => line.length))).toEqual([
      [9, 0, 194, 194, 2],
      [9, 0, 3, 194, 2],
    ])
    expect(series[0]?.attributes['00400275']?.Value).toHaveLength(16)
    const summaries = await db.selectFrom('study_summaries').selectAll().orderBy('study_uid').execute()
    expect(summaries.map(({ series: count, words }) => [count, words.length < 500])).toEqual([
      [1, true],
      [1, true],
    ])
    expect(summaries[1]?.words.split('\n')).toEqual(expect.arrayContaining(['doe, jane', 'p-1', 'mr', '2025-01-02']))
  })

  it('goes on with servers of that version, which write series and know no summaries [P21]', async () => {
    const { db } = database
    await sql`insert into series (organization_id, series_uid, study_uid, image_set_id, patient_name, patient_id,
      modality, description, source, acq_date, compatible_saas, attributes, search_words)
      values (${organizationId}, '1.2.2', '1.2', ${'9'.padEnd(32, '0')}, 'Doe, Jane', 'P-1', 'CT', 'later', 'Upload',
      '2025-01-02', '{}', '{}', 'later')`.execute(db)
    const getStudy = () =>
      db.selectFrom('study_summaries').selectAll().where('study_uid', '=', '1.2').executeTakeFirstOrThrow()
    expect(await getStudy()).toMatchObject({ series: 2, modalities: ['CT', 'MR'] })
    await db.deleteFrom('series').where('series_uid', '=', '1.2.1').execute()
    expect(await getStudy()).toMatchObject({ series: 1, modalities: ['CT'], words: '2025-01-02\nlater' })
  })
})
