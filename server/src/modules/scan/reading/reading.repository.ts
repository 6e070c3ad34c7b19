import type { Parsed, scan } from '@dmp/contract'
import { saasNames, type SaasName } from '@dmp/contract/organization'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { seriesImageCounts } from '../../../db/backFills/seriesImageCounts.ts'
import { isFilled } from '../../../db/backFills/progress.ts'
import type { Db } from '../../../db/client.ts'
import type { SeriesTable } from '../../../db/tables/scan.ts'
import type { Datastore } from '../scan.repository.ts'
import { findAmongMany } from './foundAmongMany.ts'
import { areMany, isWholeUid, matchesDates, matchesSeries, startsUid, toCountLimit } from './scanSearch.ts'

/**
 * Without a page the whole list is returned, as section 7 has it, but never more than this; the total shows that there
 * is more.
 */
const maxListRows = 10_000

type Sortable = NonNullable<Parsed<typeof scan.list>['sort']>

const sortColumns: Record<Sortable, RawBuilder<unknown>> = {
  patientName: sql`lower(patient_name) collate "C"`,
  patientID: sql`lower(patient_id) collate "C"`,
  seriesDescription: sql`lower(description) collate "C"`,
  acqDate: sql`acq_date`,
  studyUID: sql`study_uid`,
  seriesUID: sql`series_uid`,
  source: sql`lower(source) collate "C"`,
  modality: sql`modality`,
  noOfImages: sql`images`,
  compatibleSaas: sql`compatible_saas`,
  uploadDateTime: sql`created_date`,
}

export interface SeriesQuery {
  readonly search?: string | undefined
  readonly sort?: Sortable | undefined
  readonly direction?: 'asc' | 'desc' | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

function toOrder({ sort, direction }: SeriesQuery): RawBuilder<unknown> {
  // Newest first by default. The UID makes every order total, so that pages never overlap.
  if (!sort) return sql`acq_date desc, series_uid desc`
  return direction === 'desc'
    ? sql`${sortColumns[sort]} desc, series_uid desc`
    : sql`${sortColumns[sort]} asc, series_uid asc`
}

export type SeriesListRow = Pick<
  Selectable<SeriesTable>,
  | 'study_uid'
  | 'series_uid'
  | 'image_set_id'
  | 'patient_name'
  | 'patient_id'
  | 'modality'
  | 'description'
  | 'source'
  | 'acq_date'
  | 'images'
  | 'instances'
  | 'compatible_saas'
  | 'created_date'
>

/** Later pages are found by their keys first: the index then skips the rows before them without reading them. */
const deepOffset = 1_000

/** Where rows come from in an order that an index has. */
interface Ordered {
  readonly order: RawBuilder<unknown>
  readonly rows: RawBuilder<unknown>
  /** Has the keys in that order, in an index: pages of it are found by them. */
  readonly keys?: RawBuilder<unknown>
}

const series = sql`series m`
const countedSeries = sql`series join (select organization_id as counted_organization, series_uid as counted_series,
  images as counted_images from series_image_counts) counted
  on counted_organization = organization_id and counted_series = series_uid`

/** The number of images changes with each that arrives, so that a table beside the series has it in order. */
async function findOrder(db: Db, query: SeriesQuery, isSearch: boolean): Promise<Ordered> {
  const isByImages = query.sort === 'noOfImages' && (await isFilled(db, seriesImageCounts))
  if (!isByImages) return { order: toOrder(query), rows: series }
  if (!isSearch) return { order: toOrder(query), rows: series, keys: sql`series_image_counts` }
  const direction = query.direction === 'desc' ? sql`desc` : sql`asc`
  return { order: sql`counted_images ${direction}, counted_series ${direction}`, rows: countedSeries }
}

function selectPage(
  where: RawBuilder<unknown>,
  { order, rows, keys }: Ordered,
  size: number,
  offset: number,
): RawBuilder<SeriesListRow> {
  const columns = sql`study_uid, series_uid, image_set_id, patient_name, patient_id, modality, description, source,
    acq_date, images, instances, compatible_saas, created_date`
  if (!keys && offset <= deepOffset)
    return sql<SeriesListRow>`select ${columns} from ${rows} where ${where} order by ${order}
      limit ${size}::int offset ${offset}::bigint`
  return sql<SeriesListRow>`select ${columns} from ${rows} where (organization_id, series_uid) in
    (select organization_id, series_uid from ${keys ?? rows} where ${where} order by ${order}
      limit ${size}::int offset ${offset}::bigint) order by ${order}`
}

/** One page of an organization's series, and how many match in all. */
export async function listSeries(
  db: Db,
  store: Datastore,
  query: SeriesQuery,
): Promise<{ rows: SeriesListRow[]; total: number }> {
  const search = (query.search ?? '').trim()
  const size = query.page === undefined ? (query.pageSize ?? maxListRows) : (query.pageSize ?? 10)
  const offset = ((query.page ?? 1) - 1) * size
  const isOwn = sql`organization_id = ${store.organizationId}`
  const totals = await db
    .selectFrom('scan_totals')
    .select('series')
    .where('organization_id', '=', store.organizationId)
    .executeTakeFirst()
  const count = totals?.series ?? 0
  const ordered = await findOrder(db, query, search !== '')
  if (search === '') return { rows: (await selectPage(isOwn, ordered, size, offset).execute(db)).rows, total: count }
  // A pasted UID is found by the index; if no UID begins with it, it may still be part of one.
  const uidMatches = isWholeUid(search)
    ? await findPage(db, sql`${isOwn} and ${startsUid(search)}`, ordered, size, offset, count)
    : undefined
  if (uidMatches && uidMatches.total > 0) return uidMatches
  const matches = sql`${isOwn} and ${matchesSeries(search, count)}`
  if (!areMany(count)) return findPage(db, matches, ordered, size, offset, count)
  const isByDate = query.sort === undefined || query.sort === 'acqDate'
  const range = isByDate ? sql`${isOwn} and ${matchesDates(search, sql`acq_date`)}` : isOwn
  const { keys, total } = await findAmongMany(db, {
    name: 'series',
    rows: ordered.rows,
    key: sql`series_uid`,
    order: ordered.order,
    range,
    matches,
    size,
    offset,
    among: count,
  })
  const found = sql`${isOwn} and series_uid = any(${keys}::text[])`
  return { rows: (await selectPage(found, ordered, size, 0).execute(db)).rows, total }
}

async function findPage(
  db: Db,
  where: RawBuilder<unknown>,
  ordered: Ordered,
  size: number,
  offset: number,
  count: number,
): Promise<{ rows: SeriesListRow[]; total: number }> {
  const { rows } = await selectPage(where, ordered, size, offset).execute(db)
  // A first page that is not full holds every match.
  if (offset === 0 && rows.length < size) return { rows, total: rows.length }
  const countResult = await sql<{
    count: number
  }>`select count(*)::int as count from (select 1 from series where ${where} ${toCountLimit(count)}) found`.execute(db)
  return { rows, total: countResult.rows[0]?.count ?? 0 }
}

/** The add-on apps that the organization has an active license for (3.07, 4.06). */
export async function listLicensedSaas(db: Db, organizationId: string): Promise<SaasName[]> {
  const rows = await db
    .selectFrom('organization_licenses as assigned')
    .innerJoin('licenses', 'licenses.id', 'assigned.license_id')
    .select('licenses.saas')
    .where('assigned.organization_id', '=', organizationId)
    .where('assigned.is_active', '=', true)
    .orderBy('licenses.position')
    .execute()
  return saasNames.filter((name) => rows.some(({ saas }) => saas === name))
}
