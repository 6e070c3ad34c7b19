import type { Parsed, scan } from '@dmp/contract'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { Refusal, notFound } from '../../core/errors.ts'
import { isVisibleTo, type Tenant } from '../../core/tenant.ts'
import { unpackedHeader } from './intake/instanceRows.ts'
import { beginsUid, countLimit, isWholeUid, showing } from './reading/scan.search.ts'
import type { SeriesTable } from '../../db/tables/scan.ts'

/** Without a page the list is answered whole, as section 7 has it, but never more than this: then the total tells that there is more. */
const WHOLE_LIST_ROWS = 10_000

export interface Datastore {
  readonly organizationId: string
  readonly dataStoreID: string | null
  /** Only the provider's staff still reach a deactivated organization, and only to look. */
  readonly isActivated: boolean
}

/** The organization that a call means; what is not the viewer's does not exist (P02). */
export async function getDatastore(
  db: Db,
  reader: Tenant,
  organizationId: string = reader.organizationId,
): Promise<Datastore> {
  if (!isVisibleTo(reader, organizationId)) throw notFound()
  const row = await db
    .selectFrom('organizations')
    .select(['id', 'datastore_id', 'status'])
    .where('id', '=', organizationId.toLowerCase())
    .executeTakeFirst()
  if (!row) throw notFound()
  return { organizationId: row.id, dataStoreID: row.datastore_id, isActivated: row.status === 'Activated' }
}

/** Nothing comes into a deactivated organization, and nothing leaves it. */
export function refuseDeactivated({ isActivated }: Datastore): void {
  if (!isActivated)
    throw new Refusal(
      409,
      'ORGANIZATION_DEACTIVATED',
      'This organization is deactivated. Its scans can be looked at, but nothing is added, shared, downloaded or transferred.',
    )
}

type Sortable = NonNullable<Parsed<typeof scan.list>['sort']>

const sortBy: Record<Sortable, RawBuilder<unknown>> = {
  patientName: sql`lower(patient_name) collate "C"`,
  patientID: sql`lower(patient_id) collate "C"`,
  seriesDescription: sql`lower(description) collate "C"`,
  acqDate: sql`acq_date`,
  studyUID: sql`study_uid`,
  seriesUID: sql`series_uid`,
  source: sql`lower(source) collate "C"`,
  modality: sql`modality`,
  noOfImages: sql`images`,
}

export interface SeriesQuery {
  readonly search?: string | undefined
  readonly sort?: Sortable | undefined
  readonly direction?: 'asc' | 'desc' | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

function ordering({ sort, direction }: SeriesQuery): RawBuilder<unknown> {
  // Newest first unless asked otherwise; the UID makes every order total, so that pages never overlap.
  if (!sort) return sql`acq_date desc, series_uid desc`
  return direction === 'desc' ? sql`${sortBy[sort]} desc, series_uid desc` : sql`${sortBy[sort]} asc, series_uid asc`
}

type SeriesListRow = Pick<
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
  | 'compatible_saas'
>

/**
 * Pages further on than this are found by their keys first: the rows before them are then skipped in the index, not
 * read.
 */
const DEEP = 1_000

function page(
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  size: number,
  offset: number,
): RawBuilder<SeriesListRow> {
  const columns = sql`study_uid, series_uid, image_set_id, patient_name, patient_id, modality, description, source, acq_date, images, compatible_saas`
  if (offset <= DEEP)
    return sql<SeriesListRow>`select ${columns} from series where ${where} order by ${order} limit ${size}::int offset ${offset}::bigint`
  return sql<SeriesListRow>`select ${columns} from series where (organization_id, series_uid) in
    (select organization_id, series_uid from series where ${where} order by ${order} limit ${size}::int offset
    ${offset}::bigint) order by ${order}`
}

/** One page of an organization's series, and how many match. */
export async function listSeries(
  db: Db,
  store: Datastore,
  query: SeriesQuery,
): Promise<{ rows: SeriesListRow[]; total: number }> {
  const search = (query.search ?? '').trim()
  const size = query.page === undefined ? (query.pageSize ?? WHOLE_LIST_ROWS) : (query.pageSize ?? 10)
  const offset = ((query.page ?? 1) - 1) * size
  const mine = sql`organization_id = ${store.organizationId}`
  const all = await db
    .selectFrom('scan_totals')
    .select('series')
    .where('organization_id', '=', store.organizationId)
    .executeTakeFirst()
  const series = all?.series ?? 0
  if (search === '') return { rows: (await page(mine, ordering(query), size, offset).execute(db)).rows, total: series }
  // A UID that somebody pasted is found at once; where none begins so, it may still be a part of one.
  const found = isWholeUid(search)
    ? await pageOf(db, sql`${mine} and ${beginsUid(search)}`, query, size, offset, series)
    : undefined
  return found && found.total > 0
    ? found
    : pageOf(db, sql`${mine} and ${showing(search, series)}`, query, size, offset, series)
}

async function pageOf(
  db: Db,
  where: RawBuilder<unknown>,
  query: SeriesQuery,
  size: number,
  offset: number,
  series: number,
): Promise<{ rows: SeriesListRow[]; total: number }> {
  const { rows } = await page(where, ordering(query), size, offset).execute(db)
  // A first page that is not full has told everything.
  if (offset === 0 && rows.length < size) return { rows, total: rows.length }
  const counted = await sql<{
    count: number
  }>`select count(*)::int as count from (select 1 from series where ${where} ${countLimit(series)}) found`.execute(db)
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

export interface StoredScan {
  readonly store: Datastore
  readonly series: Selectable<SeriesTable>
  /** Header of the first instance, which stands for the series. */
  readonly header: JsonDataset
}

export async function getScan(db: Db, reader: Tenant, organizationId: string, seriesUID: string): Promise<StoredScan> {
  const store = await getDatastore(db, reader, organizationId)
  const series = await db
    .selectFrom('series')
    .selectAll()
    .where('organization_id', '=', store.organizationId)
    .where('series_uid', '=', seriesUID)
    .executeTakeFirst()
  const first = await db
    .selectFrom('instances')
    .select('header')
    .where('organization_id', '=', store.organizationId)
    .where('series_uid', '=', seriesUID)
    .orderBy('instance_number')
    .orderBy('sop_instance_uid')
    .limit(1)
    .executeTakeFirst()
  if (!series || !first) throw notFound()
  return { store, series, header: unpackedHeader(first.header) }
}
