import { sql, type Transaction } from 'kysely'
import type { ScanChange } from '../../../db/changes.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { notFound } from '../../../core/errors.ts'
import { detachShares } from '../sharing/sharing.repository.ts'
import { removeUnusedCommon } from '../headers/shortHeaders.repository.ts'
import { takeInstances, type Deleter } from './bin.repository.ts'
import { assertNotHeld, type Asker } from './holds.repository.ts'

/** Who asks for a deletion, and who has it in the bin; null there where it is final. */
export interface Deletion {
  readonly asker: Asker | null
  readonly deleter: Deleter | null
}

export interface Deleted {
  /** Series that are deleted, or the one that has an instance less. */
  readonly series: readonly string[]
  /** Whose series they are: once they are gone, nothing else leads from the study to what is recorded. */
  readonly studies: readonly string[]
  readonly instances: number
  /** Links that change or end, for open pages. */
  readonly shareIds: readonly string[]
  /** What programs are told. */
  readonly changes: readonly ScanChange[]
}

/**
 * Deletes series with everything that depends on them (instances, thumbnails, downloads, links that open nothing else).
 * Their objects stay in the bin, or are listed for removal: `removeObjects` removes them after the commit, or again
 * after a crash. All of the series exist and no study is held, or nothing happens.
 */
export async function deleteSeries(
  trx: Transaction<Tables>,
  organizationId: string,
  seriesUIDs: readonly string[],
  { asker, deleter }: Deletion,
): Promise<Deleted> {
  const uniqueSeriesUIDs = [...new Set(seriesUIDs)].sort()
  // Locked in the same order everywhere, studies first: uploads into the series and other deletions wait.
  await sql`select from studies where organization_id = ${organizationId} and study_uid in (select study_uid from series
    where organization_id = ${organizationId} and series_uid = any(${uniqueSeriesUIDs}::text[]))
    order by study_uid for update`.execute(trx)
  const series = await trx
    .selectFrom('series')
    .select(['series_uid', 'study_uid'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', uniqueSeriesUIDs)
    .orderBy('series_uid')
    .forUpdate()
    .execute()
  if (series.length !== uniqueSeriesUIDs.length) throw notFound()
  const studyUIDs = series.map((row) => row.study_uid)
  await assertNotHeld(trx, organizationId, studyUIDs, asker)
  const shareIds = await detachShares(trx, organizationId, uniqueSeriesUIDs)
  const gone = await takeInstances(trx, { organizationId, seriesUIDs: uniqueSeriesUIDs }, deleter)
  await trx
    .deleteFrom('series')
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', uniqueSeriesUIDs)
    .execute()
  await removeUnusedCommon(trx, organizationId, uniqueSeriesUIDs)
  await sql`delete from studies where organization_id = ${organizationId} and study_uid = any(${studyUIDs}::text[])
    and not exists (select 1 from series s
      where s.organization_id = studies.organization_id and s.study_uid = studies.study_uid)`.execute(trx)
  await deleteConflicts(trx, organizationId, uniqueSeriesUIDs, studyUIDs)
  const bytes = gone.reduce((sum, row) => sum + Number(row.byte_size), 0)
  await sql`update scan_totals set series = series - ${uniqueSeriesUIDs.length}::int,
    instances = instances - ${gone.length}::bigint, byte_size = byte_size - ${bytes}::bigint
    where organization_id = ${organizationId}`.execute(trx)
  return {
    series: uniqueSeriesUIDs,
    studies: [...new Set(studyUIDs)],
    instances: gone.length,
    shareIds,
    changes: series.map((row) => ({
      kind: 'SeriesDeleted',
      studyUID: row.study_uid,
      seriesUID: row.series_uid,
      instances: 0,
    })),
  }
}

/** Series of a path; unknown ones do not exist for whoever asks. */
export async function listSeries(
  trx: Transaction<Tables>,
  organizationId: string,
  { study, series, instance }: { study?: string; series?: string; instance?: string },
): Promise<string[]> {
  const rows =
    instance === undefined
      ? await trx
          .selectFrom('series')
          .select('series_uid')
          .where('organization_id', '=', organizationId)
          .where('study_uid', '=', study ?? '')
          .$if(series !== undefined, (query) => query.where('series_uid', '=', series ?? ''))
          .execute()
      : await trx
          .selectFrom('instances')
          .select('series_uid')
          .where('organization_id', '=', organizationId)
          .where('study_uid', '=', study ?? '')
          .where('series_uid', '=', series ?? '')
          .where('sop_instance_uid', '=', instance)
          .execute()
  if (rows.length === 0) throw notFound()
  return rows.map((row) => row.series_uid)
}

/** Deletes one instance, and its series with the last one. */
export async function deleteInstance(
  trx: Transaction<Tables>,
  organizationId: string,
  [seriesUID = '']: readonly string[],
  sopInstanceUID: string,
  deletion: Deletion,
): Promise<Deleted> {
  // As in `deleteSeries`: the study first, then uploads into the series wait.
  await sql`select from studies where organization_id = ${organizationId} and study_uid = (select study_uid from series
    where organization_id = ${organizationId} and series_uid = ${seriesUID}) for update`.execute(trx)
  const series = await trx
    .selectFrom('series')
    .select(['instances', 'study_uid'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', '=', seriesUID)
    .forUpdate()
    .executeTakeFirst()
  if (!series) throw notFound()
  if (series.instances <= 1) return deleteSeries(trx, organizationId, [seriesUID], deletion)
  await assertNotHeld(trx, organizationId, [series.study_uid], deletion.asker)
  const taken = { organizationId, seriesUIDs: [seriesUID], sopInstanceUID }
  const [gone] = await takeInstances(trx, taken, deletion.deleter)
  if (!gone) throw notFound()
  await removeUnusedCommon(trx, organizationId, [seriesUID])
  await sql`update series set instances = instances - 1, images = images - ${gone.images}::int
    where organization_id = ${organizationId} and series_uid = ${seriesUID}`.execute(trx)
  await sql`update scan_totals set instances = instances - 1, byte_size = byte_size - ${gone.byte_size}::bigint
    where organization_id = ${organizationId}`.execute(trx)
  await trx
    .deleteFrom('thumbnails')
    .where('organization_id', '=', organizationId)
    .where('series_uid', '=', seriesUID)
    .where('sop_instance_uid', '=', sopInstanceUID)
    .execute()
  const instances = series.instances - 1
  return {
    series: [seriesUID],
    studies: [series.study_uid],
    instances: 1,
    shareIds: [],
    changes: [{ kind: 'SeriesReduced', studyUID: series.study_uid, seriesUID, instances }],
  }
}

/** Conflicts one side of which is no longer stored: whoever sends the other side again is not refused any more. */
async function deleteConflicts(
  trx: Transaction<Tables>,
  organizationId: string,
  seriesUIDs: readonly string[],
  studyUIDs: readonly string[],
): Promise<void> {
  await sql`delete from scan_conflicts
    where organization_id = ${organizationId} and study_uid = any(${studyUIDs}::text[])
    and (series_uid = any(${seriesUIDs}::text[])
      or (is_stored and arrived ->> 'seriesUID' = any(${seriesUIDs}::text[]))
      or not exists (select 1 from studies t
        where t.organization_id = scan_conflicts.organization_id and t.study_uid = scan_conflicts.study_uid))`.execute(
    trx,
  )
}
