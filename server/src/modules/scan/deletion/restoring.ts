import { sql, type Selectable, type Transaction } from 'kysely'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { ScanChange } from '../../../db/changes.ts'
import type { BinEntryTable } from '../../../db/tables/bin.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { isSamePatient, toPatient } from '../conflicts/patient.ts'
import { instanceColumns } from './bin.repository.ts'

export type BinEntryRow = Selectable<BinEntryTable>

export interface Restored {
  readonly series: readonly string[]
  readonly studies: readonly string[]
  readonly instances: number
  readonly changes: readonly ScanChange[]
  /** The same bytes had arrived again: their second copies go. */
  readonly duplicates: number
}

/** Every column of a series but the one that the database makes; a test compares them with the table. */
export const seriesColumns: readonly string[] = (
  'organization_id series_uid study_uid image_set_id patient_name patient_id modality description source acq_date ' +
  'images instances compatible_saas attributes search_words sender created_date'
).split(' ')

/** Locks entries that can be taken back, in the order of every lock: the studies, then the bin. */
export async function lockEntries(
  trx: Transaction<Tables>,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly BinEntryRow[]> {
  const uniqueIds = [...new Set(ids)]
  await sql`select 1 from studies where organization_id = ${organizationId} and study_uid in (
    select study_uid from bin_entries where organization_id = ${organizationId} and id = any(${uniqueIds}::uuid[]))
    order by study_uid for update`.execute(trx)
  const entries = await trx
    .selectFrom('bin_entries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', uniqueIds)
    .where('purge_began_date', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (entries.length !== uniqueIds.length) throw notFound()
  return entries
}

/** The newest deletion of each series that is the person's own; 404 unless each has one. */
export async function listOwnDeletions(
  trx: Transaction<Tables>,
  organizationId: string,
  userId: string,
  seriesUIDs: readonly string[],
): Promise<readonly string[]> {
  const unique = [...new Set(seriesUIDs)]
  const { rows } = await sql<{ id: string; deleted_by: string }>`
    select distinct on (series_uid) id, deleted_by from bin_entries
    where organization_id = ${organizationId} and series_uid = any(${unique}::text[])
    order by series_uid, deleted_date desc, id`.execute(trx)
  const own = rows.filter((row) => row.deleted_by === userId)
  if (own.length !== unique.length) throw notFound()
  return own.map(({ id }) => id)
}

/**
 * Brings back what entries hold: the rows as they were, with their bytes. Images that arrived again with the same bytes
 * stay as they are; where something else has taken the place, nothing is brought back.
 */
export async function restoreEntries(
  trx: Transaction<Tables>,
  organizationId: string,
  ids: readonly string[],
): Promise<Restored> {
  const entries = (await lockEntries(trx, organizationId, ids)).toSorted(byDate)
  const changes = new Map<string, ScanChange>()
  let instances = 0
  let duplicates = 0
  for (const entry of entries) {
    await restoreStudy(trx, entry)
    const isNew = await restoreSeries(trx, entry)
    const brought = await restoreInstances(trx, entry)
    instances += brought.instances
    duplicates += brought.duplicates
    const kind = isNew || changes.get(entry.series_uid)?.kind === 'SeriesCreated' ? 'SeriesCreated' : 'SeriesGrown'
    changes.set(entry.series_uid, {
      kind,
      studyUID: entry.study_uid,
      seriesUID: entry.series_uid,
      instances: await countAnew(trx, entry, isNew, brought),
    })
  }
  return {
    series: [...changes.keys()].sort(),
    studies: [...new Set(entries.map((entry) => entry.study_uid))].sort(),
    instances,
    duplicates,
    changes: [...changes.values()],
  }
}

const byDate = (one: BinEntryRow, other: BinEntryRow): number =>
  one.deleted_date.getTime() - other.deleted_date.getTime() || (one.id < other.id ? -1 : 1)

const takenPlace = (sentence: string): Refusal => new Refusal(409, 'PLACE_TAKEN', sentence)

async function restoreStudy(trx: Transaction<Tables>, entry: BinEntryRow): Promise<void> {
  const kept = JSON.stringify(entry.study)
  await sql`insert into studies select * from jsonb_populate_record(null::studies, ${kept}::jsonb)
    on conflict do nothing`.execute(trx)
  const stored = await trx
    .selectFrom('studies')
    .select('attributes')
    .where('organization_id', '=', entry.organization_id)
    .where('study_uid', '=', entry.study_uid)
    .forUpdate()
    .executeTakeFirst()
  if (stored && !isSamePatient(toPatient(stored.attributes), toPatient(entry.study.attributes)))
    throw takenPlace(
      'Images of another patient have arrived in this study since it was deleted, so nothing was restored.',
    )
}

/** Whether it was not there. */
async function restoreSeries(trx: Transaction<Tables>, entry: BinEntryRow): Promise<boolean> {
  const columns = sql.raw(seriesColumns.join(', '))
  const kept = JSON.stringify({ ...entry.series, images: 0, instances: 0 })
  const { rows } = await sql`insert into series (${columns})
    select ${columns} from jsonb_populate_record(null::series, ${kept}::jsonb)
    on conflict (organization_id, series_uid) do nothing returning 1`.execute(trx)
  if (rows.length > 0) return true
  const stored = await trx
    .selectFrom('series')
    .select('study_uid')
    .where('organization_id', '=', entry.organization_id)
    .where('series_uid', '=', entry.series_uid)
    .forUpdate()
    .executeTakeFirst()
  if (stored?.study_uid !== entry.study_uid)
    throw takenPlace('This series has arrived in another study since it was deleted, so nothing was restored.')
  return false
}

interface Brought {
  readonly instances: number
  readonly images: number
  readonly bytes: number
  readonly duplicates: number
}

async function restoreInstances(trx: Transaction<Tables>, entry: BinEntryRow): Promise<Brought> {
  const { rows } = await sql<{ images: number; byte_size: string }>`
    insert into instances (${instanceColumns}) select ${instanceColumns} from bin_instances where entry_id = ${entry.id}
    order by sop_instance_uid on conflict do nothing returning images, byte_size`.execute(trx)
  const brought = {
    instances: rows.length,
    images: rows.reduce((sum, row) => sum + row.images, 0),
    bytes: rows.reduce((sum, row) => sum + Number(row.byte_size), 0),
  }
  const arrived = await sql<{ object_key: string; is_same: boolean }>`
    select b.object_key, b.sha256 = i.sha256 and b.series_uid = i.series_uid as is_same
    from bin_instances b join instances i using (organization_id, sop_instance_uid)
    where b.entry_id = ${entry.id} and b.object_key <> i.object_key`.execute(trx)
  if (arrived.rows.some((row) => !row.is_same))
    throw takenPlace(
      'Other images with the same IDs have arrived since these were deleted, so nothing was restored. Delete those first if the deleted ones are right.',
    )
  const keys = arrived.rows.map((row) => row.object_key)
  await sql`insert into object_removals (object_key) select unnest(${keys}::text[]) on conflict do nothing`.execute(trx)
  await trx.deleteFrom('bin_entries').where('id', '=', entry.id).execute()
  await sql`update bin_totals set byte_size = byte_size - ${entry.byte_size}::bigint
    where organization_id = ${entry.organization_id}`.execute(trx)
  return { ...brought, duplicates: keys.length }
}

/** Returns how many instances the series has by now. */
async function countAnew(
  trx: Transaction<Tables>,
  { organization_id: organizationId, series_uid: seriesUID }: BinEntryRow,
  isNew: boolean,
  { instances, images, bytes }: Brought,
): Promise<number> {
  const row = await trx
    .updateTable('series')
    .set({ instances: sql`instances + ${instances}::int`, images: sql`images + ${images}::int` })
    .where('organization_id', '=', organizationId)
    .where('series_uid', '=', seriesUID)
    .returning('instances')
    .executeTakeFirstOrThrow()
  await sql`update scan_totals set series = series + ${isNew ? 1 : 0}::int,
    instances = instances + ${instances}::bigint, byte_size = byte_size + ${bytes}::bigint
    where organization_id = ${organizationId}`.execute(trx)
  return row.instances
}
