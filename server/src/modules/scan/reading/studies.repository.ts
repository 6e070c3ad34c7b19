import { limits, type Parsed, type scan } from '@dmp/contract'
import { studyFilterNames } from '@dmp/contract/scan'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { JsonElement } from '../../../dicom/jsonModel.ts'
import type { Datastore } from '../scan.repository.ts'
import { isShareOpen } from '../sharing/shareExpiry.ts'
import { findAmongMany } from './foundAmongMany.ts'
import { areMany, matchesStudy, toCountLimit } from './scanSearch.ts'
import { studiesOfPatientOf } from './patientStudies.ts'
import type { SeriesListRow } from './reading.repository.ts'

export type StudyQuery = Parsed<typeof scan.listStudies> & Pick<Parsed<typeof scan.countStudies>, 'arrivedAfter'>

export interface StudyRow {
  readonly study_uid: string
  readonly patient_name: string
  readonly patient_id: string
  readonly study_date: string
  readonly description: string
  readonly modalities: string[]
  readonly body_parts: string[]
  readonly sources: string[]
  readonly compatible_saas: scan.Study['compatibleSaas']
  readonly series: number
  readonly arrived_date: Date
  readonly accession_number: string
  readonly birth_date: string | null
  /** The element, with every spelling. */
  readonly name: JsonElement | null
  readonly sex: string | null
  readonly images: number
  readonly image_instances: number
  readonly is_new: boolean
  readonly is_shared: boolean
  readonly is_transferred: boolean
}

const orders: Record<NonNullable<StudyQuery['sort']>, RawBuilder<unknown>> = {
  arrivedDate: sql`m.arrived_date`,
  patientName: sql`lower(m.patient_name) collate "C"`,
  patientID: sql`lower(m.patient_id) collate "C"`,
  studyDate: sql`m.study_date`,
  description: sql`lower(m.description) collate "C"`,
}

/** The study's UID makes every order total, so that pages never overlap. */
function toOrder({ sort = 'arrivedDate', direction = sort === 'arrivedDate' ? 'desc' : 'asc' }: StudyQuery) {
  return direction === 'desc' ? sql`${orders[sort]} desc, m.study_uid desc` : sql`${orders[sort]} asc, m.study_uid asc`
}

/** Whether the list is narrowed at all. */
export const isFiltered = (query: StudyQuery): boolean =>
  (query.search ?? '').trim() !== '' || studyFilterNames.some((name) => query[name] !== undefined)

const newSince = sql`now() - make_interval(days => ${limits.newStudyDays}::int)`

const openedBy = (userId: string): RawBuilder<unknown> => sql`select from opened_studies o where o.user_id = ${userId}
  and o.organization_id = m.organization_id and o.study_uid = m.study_uid`
const isNewFor = (userId: string): RawBuilder<boolean> => sql<boolean>`(m.arrived_date > ${newSince}
  and not exists (${openedBy(userId)} and o.opened_date >= m.arrived_date))`
/**
 * By any of the series that a link opens, which may be of several studies. Not by the view of them, which looks through
 * the links of everybody to list none twice.
 */
const isShared = sql<boolean>`exists (select from (select id as share_id, organization_id, series_uid from scan_shares
    union all select share_id, organization_id, series_uid from scan_share_series) p
  join scan_shares on scan_shares.id = p.share_id
  join series s on s.organization_id = p.organization_id and s.series_uid = p.series_uid
  where s.organization_id = m.organization_id and s.study_uid = m.study_uid
  and ${isShareOpen})`
const isTransferred = sql<boolean>`exists (select from transfer_scans c join transfers t on t.id = c.transfer_id
  where c.study_uid = m.study_uid and c.state = 'Done' and t.organization_id = m.organization_id)`

const hasAny = (column: RawBuilder<unknown>, choices: readonly string[]): RawBuilder<unknown> =>
  sql`${column} && ${[...choices]}::text[]`

/** Start of a day of the viewer; of the day after, with `days` 1. */
const dayStart = (day: string, days: number, timeZone = 'UTC'): RawBuilder<unknown> =>
  sql`((${day}::date + ${days}::int)::timestamp at time zone ${timeZone}::text)`

function toConditions(
  query: StudyQuery,
  userId: string,
  organizationId: string,
  series: number,
): RawBuilder<unknown>[] {
  const { modality, bodyPart, source, saas, studyFrom, studyTo, receivedFrom, receivedTo, timeZone } = query
  const conditions: (RawBuilder<unknown> | undefined | false)[] = [
    query.search !== undefined && query.search.trim() !== '' && matchesStudy(query.search, organizationId, series),
    query.patientOf !== undefined && sql`m.study_uid = any(${studiesOfPatientOf(organizationId, query.patientOf)})`,
    query.studyUID !== undefined && sql`m.study_uid = ${query.studyUID}`,
    modality && hasAny(sql`m.modalities`, modality),
    bodyPart && hasAny(sql`m.body_parts`, bodyPart),
    source && hasAny(sql`m.sources`, source),
    saas && hasAny(sql`m.compatible_saas`, saas),
    studyFrom !== undefined && sql`m.study_date >= ${studyFrom}`,
    studyTo !== undefined && sql`m.study_date <= ${studyTo}`,
    receivedFrom !== undefined && sql`m.arrived_date >= ${dayStart(receivedFrom, 0, timeZone)}`,
    receivedTo !== undefined && sql`m.arrived_date < ${dayStart(receivedTo, 1, timeZone)}`,
    // Answers carry milliseconds, the database microseconds.
    query.arrivedAfter !== undefined &&
      sql`m.arrived_date >= ${query.arrivedAfter}::timestamptz + interval '1 millisecond'`,
    query.isNew !== undefined && isNewFor(userId),
    query.isShared !== undefined && isShared,
    query.isMine !== undefined && sql`exists (${openedBy(userId)} and o.opened_date > ${newSince})`,
  ]
  return conditions.filter((condition) => condition !== undefined && condition !== false)
}

/** The rows that match, whether counting them ends early, and among how many series. */
async function toMatches(db: Db, { organizationId }: Datastore, userId: string, query: StudyQuery) {
  const totals = await db
    .selectFrom('scan_totals')
    .select('series')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  const series = totals?.series ?? 0
  const conditions = [
    sql`m.organization_id = ${organizationId}`,
    ...toConditions(query, userId, organizationId, series),
  ]
  return { where: sql.join(conditions, sql` and `), limit: toCountLimit(series), series }
}

/** How many studies match; among many, counting stops as in the list of series. */
export async function countStudies(db: Db, store: Datastore, userId: string, query: StudyQuery): Promise<number> {
  const { where, limit } = await toMatches(db, store, userId, query)
  const counted = await sql<{ count: number }>`select count(*)::int as count
    from (select 1 from study_summaries m where ${where} ${limit}) found`.execute(db)
  return counted.rows[0]?.count ?? 0
}

/** A page of an organization's studies, and how many match. */
export async function listStudies(
  db: Db,
  store: Datastore,
  userId: string,
  query: StudyQuery,
): Promise<{ rows: StudyRow[]; total: number }> {
  const { where, series } = await toMatches(db, store, userId, query)
  const size = Math.min(query.pageSize ?? limits.worklistPageSize, Math.max(...limits.worklistPageSizes))
  const offset = ((query.page ?? 1) - 1) * size
  const order = toOrder(query)
  const isOwn = sql`m.organization_id = ${store.organizationId}`
  if (areMany(series) && (query.search ?? '').trim() !== '') {
    const { keys, total } = await findAmongMany(db, {
      name: 'study_summaries',
      rows: sql`study_summaries m`,
      key: sql`m.study_uid`,
      order,
      range: isOwn,
      matches: where,
      size,
      offset,
      among: series,
    })
    return {
      rows: await selectPage(db, userId, sql`${isOwn} and m.study_uid = any(${keys}::text[])`, order, size),
      total,
    }
  }
  const rows = await selectPage(db, userId, where, order, size, offset)
  // A first page that is not full holds every match.
  if (offset === 0 && rows.length < size) return { rows, total: rows.length }
  return { rows, total: await countStudies(db, store, userId, query) }
}

/** What costs a look at other tables is worked out for the rows of the page only. */
async function selectPage(
  db: Db,
  userId: string,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  size: number,
  offset = 0,
): Promise<StudyRow[]> {
  const { rows } = await sql<StudyRow>`select m.*, t.accession_number,
      t.attributes -> '00100010' as name,
      t.attributes #>> '{00100030,Value,0}' as birth_date, t.attributes #>> '{00100040,Value,0}' as sex,
      counted.images, counted.image_instances,
      ${isNewFor(userId)} as is_new, ${isShared} as is_shared, ${isTransferred} as is_transferred
    from (select m.organization_id, m.study_uid, m.patient_name, m.patient_id, m.study_date, m.description,
        m.modalities, m.body_parts, m.sources, m.compatible_saas, m.series, m.arrived_date
      from study_summaries m where ${where} order by ${order} limit ${size}::int offset ${offset}::bigint) m
    join studies t on t.organization_id = m.organization_id and t.study_uid = m.study_uid
    cross join lateral (select coalesce(sum(s.images), 0)::int as images,
        coalesce(sum(s.instances) filter (where s.images > 0), 0)::int as image_instances
      from series s where s.organization_id = m.organization_id and s.study_uid = m.study_uid) counted
    order by ${order}`.execute(db)
  return rows
}

export interface SeriesOfStudyRow extends SeriesListRow {
  readonly sender: string | null
  readonly made_by: string
  readonly sop_class_uid: string | null
}

const madeBy = sql`concat_ws(' ', attributes #>> '{00080070,Value,0}', attributes #>> '{00081090,Value,0}')`

/** The series of these studies, in their own order; of each study at most as many as one transfer takes. */
export async function listSeriesOf(
  db: Db,
  { organizationId }: Datastore,
  studyUIDs: readonly string[],
): Promise<readonly SeriesOfStudyRow[]> {
  if (studyUIDs.length === 0) return []
  const { rows } = await sql<SeriesOfStudyRow>`select s.*, first.sop_class_uid
    from unnest(${[...studyUIDs]}::text[]) wanted (study_uid)
    cross join lateral (select study_uid, series_uid, image_set_id, patient_name, patient_id, modality, description,
        source, acq_date, images, instances, compatible_saas, created_date,
        sender, organization_id, ${madeBy} as made_by
      from series
      where organization_id = ${organizationId} and study_uid = wanted.study_uid
      order by case when attributes #>> '{00200011,Value,0}' ~ '^[0-9]{1,9}$'
        then (attributes #>> '{00200011,Value,0}')::int end nulls last, series_uid
      limit ${limits.seriesPerStudy}::int) s
    left join lateral (select i.sop_class_uid from instances i
      where i.organization_id = s.organization_id and i.series_uid = s.series_uid limit 1) first on true`.execute(db)
  return rows
}

/** The choices of the filters are those of the newest studies: reading all of them would take seconds. */
const studiesOfKinds = 2_000
const maxKinds = 50

export async function getStudyKinds(
  db: Db,
  { organizationId }: Datastore,
): Promise<{ modalities: string[]; bodyParts: string[]; sources: string[] }> {
  const { rows } = await sql<{ kind: string; value: string }>`select distinct kind, value from (
      select modalities, body_parts, sources from study_summaries where organization_id = ${organizationId}
      order by arrived_date desc, study_uid desc limit ${studiesOfKinds}::int) m
    cross join lateral (select 'modality' as kind, unnest(m.modalities) as value
      union all select 'bodyPart', unnest(m.body_parts) union all select 'source', unnest(m.sources)) found
    order by kind, value limit ${maxKinds * 3}::int`.execute(db)
  const valuesOf = (wanted: string): string[] =>
    rows
      .filter(({ kind }) => kind === wanted)
      .map(({ value }) => value)
      .slice(0, maxKinds)
  return { modalities: valuesOf('modality'), bodyParts: valuesOf('bodyPart'), sources: valuesOf('source') }
}
