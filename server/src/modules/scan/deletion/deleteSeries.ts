import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../db/tables/index.ts'
import { notFound } from '../../../core/errors.ts'

export interface Removed {
  readonly series: number
  readonly instances: number
  readonly keys: readonly string[]
}

/**
 * Deletes series with everything that hangs on them (instances, thumbnails, links, downloads) and writes down which
 * objects are to be removed; `removeObjects` removes them after the commit, again after a crash. All of the series are
 * there, or nothing happens.
 */
export async function deleteSeries(
  trx: Transaction<Tables>,
  organizationId: string,
  seriesUIDs: readonly string[],
): Promise<Removed> {
  const wanted = [...new Set(seriesUIDs)].sort()
  // Locked in one order: uploads into the series and other deletions wait.
  const found = await trx
    .selectFrom('series')
    .select(['series_uid', 'study_uid'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', wanted)
    .orderBy('series_uid')
    .forUpdate()
    .execute()
  if (found.length !== wanted.length) throw notFound()
  const mine = sql`organization_id = ${organizationId} and series_uid = any(${wanted}::text[])`
  const objects = await sql<{ object_key: string; byte_size: string }>`
    with gone as (delete from instances where ${mine} returning object_key, byte_size), noted as (insert into
    object_removals (object_key) select object_key from gone)
    select object_key, byte_size from gone`.execute(trx)
  await trx
    .deleteFrom('series')
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', wanted)
    .execute()
  await sql`delete from studies where organization_id = ${organizationId} and study_uid =
  any(${found.map((one) => one.study_uid)}::text[])
    and not exists (select 1 from series s where s.organization_id = studies.organization_id and s.study_uid =
    studies.study_uid)`.execute(trx)
  const bytes = objects.rows.reduce((sum, row) => sum + Number(row.byte_size), 0)
  await sql`update scan_totals set series = series - ${wanted.length}::int, instances = instances -
  ${objects.rows.length}::bigint, byte_size = byte_size - ${bytes}::bigint
    where organization_id = ${organizationId}`.execute(trx)
  return { series: wanted.length, instances: objects.rows.length, keys: objects.rows.map((row) => row.object_key) }
}
