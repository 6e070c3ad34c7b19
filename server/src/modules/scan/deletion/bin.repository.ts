import { sql, type Transaction } from 'kysely'
import type { WriteContext } from '../../../db/write.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Dependencies } from '../../../dependencies.ts'

/** Who deletes into the bin. */
export interface Deleter {
  readonly userId: string
  readonly fullName: string
}

/**
 * Who deletes, where what is deleted can be taken back; null where it is final. An archive is read by others, too:
 * what is deleted there is not left for them to see.
 */
export function toDeleter(
  { settings, objects }: Pick<Dependencies, 'settings' | 'objects'>,
  { viewer }: WriteContext,
): Deleter | null {
  if (settings.binDays === 0 || objects.isArchive || !viewer) return null
  return { userId: viewer.userId, fullName: viewer.fullName ?? '' }
}

const instanceColumnNames = (
  'organization_id sop_instance_uid series_uid study_uid sop_class_uid transfer_syntax_uid instance_number images ' +
  'sha256 byte_size object_key header key_id created_date'
).split(' ')

/** Of an instance, in both of its tables. */
export const instanceColumns = sql.raw(instanceColumnNames.join(', '))
const goneColumns = sql.raw(instanceColumnNames.map((column) => `gone.${column}`).join(', '))

interface Taken {
  readonly organizationId: string
  readonly seriesUIDs: readonly string[]
  /** One image of a series; all of them where left out. */
  readonly sopInstanceUID?: string
}

const toCondition = ({ organizationId, seriesUIDs, sopInstanceUID }: Taken) =>
  sql`i.organization_id = ${organizationId} and i.series_uid = any(${[...seriesUIDs]}::text[])
    and (${sopInstanceUID ?? null}::text is null or i.sop_instance_uid = ${sopInstanceUID ?? null}::text)`

/** What has gone from the instances. */
export interface GoneInstance {
  readonly byte_size: string
  readonly images: number
}

/** Takes instances out of sight: into the bin, or with their objects noted for removal. */
export async function takeInstances(
  trx: Transaction<Tables>,
  taken: Taken,
  deleter: Deleter | null,
): Promise<readonly GoneInstance[]> {
  const isTaken = toCondition(taken)
  if (!deleter) {
    const { rows } = await sql<GoneInstance>`
      with gone as (delete from instances i where ${isTaken} returning object_key, byte_size, images),
        noted as (insert into object_removals (object_key) select object_key from gone)
      select byte_size, images from gone`.execute(trx)
    return rows
  }
  const { rows } = await sql<GoneInstance>`
    with entry as (
      insert into bin_entries (organization_id, study_uid, series_uid, sop_instance_uid, study, series, instances,
        images, byte_size, deleted_by, deleted_by_user)
      select s.organization_id, s.study_uid, s.series_uid, ${taken.sopInstanceUID ?? null}::text, to_jsonb(t),
        to_jsonb(s), counted.instances, counted.images, counted.byte_size, ${deleter.userId}::uuid, ${deleter.fullName}
      from series s join studies t using (organization_id, study_uid)
      join (select i.organization_id, i.series_uid, count(*)::int as instances, sum(i.images)::int as images,
          sum(i.byte_size)::bigint as byte_size from instances i where ${isTaken} group by 1, 2) counted
        using (organization_id, series_uid)
      returning id, series_uid, byte_size),
    gone as (delete from instances i where ${isTaken} returning *),
    kept as (insert into bin_instances (entry_id, ${instanceColumns})
      select entry.id, ${goneColumns} from gone join entry using (series_uid)),
    counted as (insert into bin_totals (organization_id, byte_size)
      select ${taken.organizationId}::uuid, sum(byte_size) from entry having count(*) > 0
      on conflict (organization_id) do update set byte_size = bin_totals.byte_size + excluded.byte_size)
    select byte_size, images from gone`.execute(trx)
  return rows
}
