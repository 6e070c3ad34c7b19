import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { patiently } from '../db/patience.ts'

const families = [
  'Mil',
  'Schnei',
  'Fish',
  'Web',
  'Mey',
  'Wag',
  'Beck',
  'Schul',
  'Hoff',
  'Koch',
  'Rich',
  'Klein',
  'Wolf',
  'Schroe',
  'Neu',
  'Schwar',
  'Zimmer',
  'Brau',
  'Krue',
  'Hart',
]
const endings = [
  'ler',
  'der',
  'er',
  'mann',
  'ner',
  'berg',
  'stein',
  'feld',
  'bach',
  'hofer',
  'son',
  'sen',
  'ing',
  'ley',
  'ford',
  'wood',
  'ham',
  'ton',
  'field',
  'burn',
]
const givenNames = [
  'Anna',
  'Ben',
  'Clara',
  'David',
  'Emma',
  'Felix',
  'Greta',
  'Hugo',
  'Ida',
  'Jonas',
  'Karla',
  'Leo',
  'Marie',
  'Noah',
  'Olga',
  'Paul',
  'Quirin',
  'Rosa',
  'Samuel',
  'Tilda',
  'Ulla',
  'Viktor',
  'Wanda',
  'Xaver',
  'Yara',
]
const descriptions = [
  'Knee left',
  'Knee right',
  'Hip left',
  'Hip right',
  'Ankle',
  'Shoulder',
  'Spine lumbar',
  'Spine cervical',
  'Thorax',
  'Abdomen native',
  'Abdomen contrast',
  'Head native',
  'Angio carotid',
  'Pelvis',
  'Foot',
  'Hand',
  'Elbow',
  'Whole body',
  'Localizer',
  'Dose report',
]
const modalities = ['CT', 'CT', 'CT', 'MR', 'MR', 'CR', 'DX', 'XA', 'US', 'RF']

/** The search terms, in the numbers of `seriesNumber`. */
export const seriesPerStudy = 4
export const studiesPerPatient = 2

const pick = (list: readonly string[], by: number): string => list[by % list.length] ?? ''

/** Values of the series of a number; the statement below makes the same. */
export function seriesNumber(i: number) {
  const study = Math.floor(i / seriesPerStudy)
  const patient = Math.floor(study / studiesPerPatient)
  return {
    family: `${pick(families, patient * 7)}${pick(endings, patient * 3 + Math.floor(patient / 20))}`,
    given: `${pick(givenNames, patient * 11 + Math.floor(patient / 400))}`,
    patientId: `P-${String(patient).padStart(7, '0')}`,
    description: `${pick(descriptions, i * 3 + Math.floor(i / 20))} ${(i % 5) + 1} mm`,
    modality: pick(modalities, study),
    date: new Date(Date.UTC(2016, 0, 1) + ((study * 37 + Math.floor(study / 3650) * 1009) % 3650) * 86_400_000)
      .toISOString()
      .slice(0, 10),
    studyNumber: study,
    studyUID: `1.2.826.0.1.3680043.9.7433.1.${study}.${(study * 48_271) % 2_147_483_647}`,
    seriesUID: `1.2.826.0.1.3680043.9.7433.2.${i}.${(i * 69_621) % 2_147_483_647}`,
  }
}

const array = (list: readonly string[]): string => `(array[${list.map((value) => `'${value}'`).join(',')}]::text[])`
const picked = (list: readonly string[], by: string): string => `${array(list)}[((${by}) % ${list.length}) + 1]`

const columns = (from: number, to: number): string => `
  select i, s, p,
    ${picked(families, 'p * 7')} || ${picked(endings, 'p * 3 + p / 20')} as family,
    ${picked(givenNames, 'p * 11 + p / 400')} as given,
    'P-' || lpad(p::text, 7, '0') as patient_id,
    ${picked(descriptions, 'i * 3 + i / 20')} || ' ' || (i % 5 + 1) || ' mm' as description,
    ${picked(modalities, 's')} as modality,
    to_char(date '2016-01-01' + ((s * 37 + s / 3650 * 1009) % 3650)::int, 'YYYY-MM-DD') as day,
    '1.2.826.0.1.3680043.9.7433.1.' || s || '.' || ((s * 48271) % 2147483647) as study_uid,
    '1.2.826.0.1.3680043.9.7433.2.' || i || '.' || ((i * 69621) % 2147483647) as series_uid
  from (select i, i / ${seriesPerStudy} as s, i / ${seriesPerStudy} / ${studiesPerPatient} as p from
  generate_series(${from}::bigint, ${to - 1}::bigint) i) n`

const value = (key: string, vr: string, values: string): string =>
  `'${key}', jsonb_build_object('vr', '${vr}', 'Value', jsonb_build_array(${values}))`
const object = (...values: string[]): string => `jsonb_build_object(${values.join(', ')})`
const time = (number: string): string =>
  `to_char(time '06:00' + make_interval(secs => (${number}) % 50000), 'HH24MISS')`

/** What the rows keep of the objects, as the keys of searches read it. */
const studyAttributes = object(
  value('0020000D', 'UI', 'study_uid'),
  value('00080030', 'TM', time('s * 61')),
  value('00080090', 'PN', object(`'Alphabetic'`, `'Refer^' || ${picked(givenNames, 's')}`)),
  value('00081030', 'LO', `'Study ' || s`),
  value('00100010', 'PN', object(`'Alphabetic'`, `family || '^' || given`)),
  value('00100030', 'DA', `to_char(date '1930-01-01' + (p % 30000)::int, 'YYYYMMDD')`),
  value('00100040', 'CS', `(array['F','M','O'])[(p % 3) + 1]`),
  value('00100021', 'LO', `'Clinic ' || (p % 50)`),
  value('00200010', 'SH', `'S' || s`),
)
const seriesAttributes = object(
  value('0020000E', 'UI', 'series_uid'),
  value('00080060', 'CS', 'modality'),
  value('0008103E', 'LO', 'description'),
  value('00080021', 'DA', `replace(day, '-', '')`),
  value('00080031', 'TM', time('i * 17')),
  value('00200011', 'IS', 'i % 4 + 1'),
  value('00180015', 'CS', `upper(split_part(description, ' ', 1))`),
  value('00080070', 'LO', `'Maker ' || (s % 7)`),
  value('00081090', 'LO', `'Model ' || (s % 90)`),
  value('00080080', 'LO', `'Clinic ' || (s % 50)`),
  value('00400244', 'DA', `replace(day, '-', '')`),
  value('00400245', 'TM', time('i * 17')),
  value('00400275', 'SQ', object(value('00400009', 'SH', `'P' || i`), value('00401001', 'SH', `'R' || s`))),
)

const step = 50_000
/** Connections that fill beside each other: making a row takes the processor, not the disk. */
const lanes = 2

type Run = (statement: string) => Promise<readonly Record<string, unknown>[]>

/** Statements in their order, each by the connection that is free first. */
async function runAll(db: Db, statements: readonly string[]): Promise<void> {
  const left = [...statements]
  const lane = async (run: Run): Promise<void> => {
    // Triggers that keep counts and summaries are off, and so is the look for each of these rows' series.
    await run(`set session_replication_role = replica`)
    await run(`set maintenance_work_mem = '512MB'`)
    await run(`set work_mem = '256MB'`)
    for (let next = left.shift(); next !== undefined; next = left.shift()) await run(next)
    await run(`reset session_replication_role`)
    await run(`reset maintenance_work_mem`)
    await run(`reset work_mem`)
  }
  // Settings of the session hold for one connection.
  const both = Array.from({ length: lanes }, () => db.connection().execute((connection) => lane(runOn(connection))))
  await Promise.all(both)
}

const runOn =
  (db: Db): Run =>
  async (statement) =>
    (await sql.raw<Record<string, unknown>>(statement).execute(db)).rows

/**
 * Puts index rows of so many series into an organization, as uploads would make them; without instances, which no list
 * and no search reads.
 */
export function fillSeries(db: Db, organizationId: string, from: number, to: number): Promise<void> {
  return patiently(() => fill(db, organizationId, from, to), 60)
}

async function fill(db: Db, organizationId: string, from: number, to: number): Promise<void> {
  const run = runOn(db)
  // Uploads add to the indexes row by row; here they are made as a whole afterwards, so that the bench does not wait
  // for it.
  const indexes = await run(
    `select indexname, indexdef from pg_indexes where tablename in ('series', 'studies', 'study_summaries') and indexdef not like '% UNIQUE %'`,
  )
  for (const { indexname } of indexes) await run(`drop index ${String(indexname)}`)
  const rows: string[] = []
  for (let at = from; at < to; at += step) rows.push(insertRows(organizationId, columns(at, Math.min(to, at + step))))
  await runAll(db, rows)
  // Without figures of these rows each study looks through all series.
  await run(`analyze studies, series`)
  // The indexes that take longest first, so that no lane is left alone with one of them.
  const made = indexes.map(({ indexdef }) => String(indexdef))
  const slowest = made.filter((statement) => statement.includes('USING gin'))
  const rest = made.filter((statement) => !slowest.includes(statement))
  const ofSummaries = (statement: string): boolean => statement.includes('study_summaries')
  await runAll(db, [
    insertSummaries(organizationId),
    ...[...slowest, ...rest].filter((statement) => !ofSummaries(statement)),
    insertImageCounts(organizationId),
  ])
  await runAll(db, [...slowest, ...rest].filter(ofSummaries))
  await runAll(
    db,
    ['series', 'studies', 'study_summaries', 'series_image_counts'].map((table) => `vacuum analyze ${table}`),
  )
  await run(`insert into scan_totals (organization_id, series, instances, byte_size) values ('${organizationId}', ${to},
  ${to * 100}, ${to * 100 * 524_288})
    on conflict (organization_id) do update set series = excluded.series, instances = excluded.instances, byte_size =
    excluded.byte_size`)
}

/** Both tables in one statement: nothing refers to a row that is not there. */
const insertRows = (organizationId: string, rows: string): string => `with r as materialized (${rows}), t as (
  insert into studies (organization_id, study_uid, patient_id, patient_name, study_date, accession_number, attributes)
    select distinct on (s) '${organizationId}'::uuid, study_uid, patient_id, family || '^' || given, day, 'A' || s,
      ${studyAttributes}
    from r order by s on conflict do nothing)
  insert into series (organization_id, series_uid, study_uid, image_set_id, patient_name, patient_id,
    modality, description, source, acq_date, images, instances, compatible_saas, attributes, search_words)
    select '${organizationId}'::uuid, series_uid, study_uid, md5(series_uid), family || ', ' || given, patient_id,
    modality, description, 'Upload', day, 100, 100, '{Autometrics}',
      ${seriesAttributes},
      concat_ws(E'\\n', family || ', ' || given, family || '^' || given, patient_id, description, 'Study ' || s, day,
      modality, 'Upload', 'A' || s, '', 'Autometrics')
    from r`

const insertImageCounts = (organizationId: string): string => `
  insert into series_image_counts (organization_id, series_uid, images)
    select organization_id, series_uid, images from series where organization_id = '${organizationId}'
    order by organization_id, series_uid on conflict do nothing`

const insertSummaries = (organizationId: string): string => `
  insert into study_summaries (organization_id, study_uid, patient_name, patient_id, study_date, description,
    modalities, body_parts, sources, compatible_saas, series, arrived_date, words)
    select t.organization_id, t.study_uid, min(s.patient_name), t.patient_id, t.study_date, '',
    array_agg(distinct s.modality), '{}', array_agg(distinct s.source), '{Autometrics}', count(*)::int,
    -- Uploads of years, not of one moment.
    now() - make_interval(mins => (abs(hashtext(t.study_uid)) % 5000000)),
    string_agg(distinct s.search_text, E'\\n') || E'\\n' || t.study_date
    from studies t join series s on s.organization_id = t.organization_id and s.study_uid = t.study_uid
    where t.organization_id = '${organizationId}' group by t.organization_id, t.study_uid
    on conflict do nothing`
