import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { Refusal, notFound } from '../../core/errors.ts'
import { isVisibleTo, type Tenant } from '../../core/tenant.ts'
import type { Encryption } from '../../outside/encryption/encryption.ts'
import { openHeader, toCommonHeader } from './intake/sealedHeaders.ts'
import type { SeriesTable } from '../../db/tables/scan.ts'

export interface Datastore {
  readonly organizationId: string
  readonly dataStoreID: string | null
  /** Only the provider's staff can still reach a deactivated organization, and only to look. */
  readonly isActivated: boolean
}

/** The organization that a call addresses; another tenant's organization does not exist (P02). */
export async function getDatastore(
  db: Db,
  reader: Tenant,
  organizationId: string = reader.organizationId,
): Promise<Datastore> {
  if (!isVisibleTo(reader, organizationId)) throw notFound()
  const [row] = await findOrganization(db, [organizationId.toLowerCase()])
  if (!row) throw notFound()
  return { organizationId: row.id, dataStoreID: row.datastore_id, isActivated: row.status === 'Activated' }
}

const findOrganization = prepared<{ id: string; datastore_id: string | null; status: string }>(
  'select id, datastore_id, status from organizations where id = $1',
)

/** Nothing enters or leaves a deactivated organization. */
export function refuseDeactivated({ isActivated }: Datastore): void {
  if (!isActivated)
    throw new Refusal(
      409,
      'ORGANIZATION_DEACTIVATED',
      'This organization is deactivated. Its scans can be viewed, but not added to, shared, downloaded or transferred.',
    )
}

/** Scans need a datastore to lie in. */
export function assertDatastore({ dataStoreID }: Datastore): void {
  if (dataStoreID === null)
    throw new Refusal(
      409,
      'NO_DATASTORE',
      'This organization has no storage yet. Your provider still has to set it up.',
    )
}

export interface StoredScan {
  readonly store: Datastore
  readonly series: Selectable<SeriesTable>
}

/** One scan within the tenant's wall; 404 when there is none. */
export async function getScan(db: Db, reader: Tenant, organizationId: string, seriesUID: string): Promise<StoredScan> {
  const store = await getDatastore(db, reader, organizationId)
  const series = await db
    .selectFrom('series')
    .selectAll()
    .where('organization_id', '=', store.organizationId)
    .where('series_uid', '=', seriesUID)
    .executeTakeFirst()
  if (!series) throw notFound()
  return { store, series }
}

/** The first instance of a series, which represents it. */
const selectFirst = (db: Db, organizationId: string, seriesUID: string) =>
  db
    .selectFrom('instances')
    .where('instances.organization_id', '=', organizationId)
    .where('instances.series_uid', '=', seriesUID)
    .orderBy('instance_number')
    .orderBy('sop_instance_uid')
    .limit(1)

/** The packed header of the first instance. */
export async function getSeriesHeader(
  { db, encryption }: { readonly db: Db; readonly encryption: Encryption },
  organizationId: string,
  seriesUID: string,
): Promise<Uint8Array> {
  const first = await selectFirst(db, organizationId, seriesUID)
    .leftJoin('series_headers as c', (join) =>
      join
        .onRef('c.organization_id', '=', 'instances.organization_id')
        .onRef('c.series_uid', '=', 'instances.series_uid'),
    )
    .select(['header', 'instances.key_id', 'sop_instance_uid', 'common', 'c.key_id as common_key_id'])
    .executeTakeFirst()
  if (!first) throw notFound()
  const instance = { organizationId, seriesUID, sopInstanceUID: first.sop_instance_uid }
  return openHeader(encryption, instance, first, toCommonHeader(first))
}

/** How many bytes `getSeriesHeader` takes, without reading them. */
export async function measureSeriesHeader(db: Db, organizationId: string, seriesUID: string): Promise<number> {
  const first = await selectFirst(db, organizationId, seriesUID)
    .select(sql<number>`octet_length(header)`.as('bytes'))
    .executeTakeFirst()
  return first?.bytes ?? 0
}
