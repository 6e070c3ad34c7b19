import type { Source } from '../../../db/client.ts'
import { prepared } from '../../../db/prepared.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import type { InstanceRows } from './instanceRows.ts'

/** What is asked and written for every object that arrives (docs/decisions/0193-the-fastest-durable-receiver.md). */

/** Organization, studies, series; a row without a series is of a study. */
export const findStudiesAndSeries = prepared<{
  study_uid: string
  series_uid: string | null
  attributes: JsonDataset
}>(`
  select study_uid, null as series_uid, attributes from studies
    where organization_id = $1 and study_uid = any($2::text[])
  union all select study_uid, series_uid, null from series
    where organization_id = $1 and series_uid = any($3::text[])`)

const instanceColumns = [
  'organization_id',
  'sop_instance_uid',
  'series_uid',
  'study_uid',
  'sop_class_uid',
  'transfer_syntax_uid',
  'instance_number',
  'images',
  'sha256',
  'byte_size',
  'object_key',
  'header',
  'key_id',
] as const satisfies readonly (keyof InstanceRows['instance'])[]

/** Headers go as bytes each, because in an array they would be text. */
function insertInstances(count: number) {
  const toRow = (_: unknown, row: number): string =>
    `(${instanceColumns.map((_column, index) => `$${row * instanceColumns.length + index + 1}`).join(', ')})`
  return prepared<{ sop_instance_uid: string }>(`
    insert into instances (${instanceColumns.join(', ')}) values ${Array.from({ length: count }, toRow).join(', ')}
    on conflict do nothing returning sop_instance_uid`)
}

/** By the number of rows, of which a group has a few dozen at most. */
const insertions: ReturnType<typeof insertInstances>[] = []

export async function addInstances(
  source: Source,
  rows: readonly InstanceRows['instance'][],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const insert = (insertions[rows.length] ??= insertInstances(rows.length))
  const added = await insert(
    source,
    rows.flatMap((row) => instanceColumns.map((column) => row[column])),
  )
  return new Set(added.map((row) => row.sop_instance_uid))
}

/**
 * Organization; series, and of each of them how many instances and images are new; how many series, instances and
 * bytes are new in all. Locks the series in their order, then the organization's totals, which wait for them by
 * counting them.
 */
export const addToTotals = prepared<{ study_uid: string; series_uid: string; instances: number }>(`
  with added as materialized (
    select series.series_uid, given.instances, given.images
    from unnest($2::text[], $3::int[], $4::int[]) as given (series_uid, instances, images)
      join series on series.organization_id = $1 and series.series_uid = given.series_uid
    order by series.series_uid for no key update of series),
  grown as (
    update series set instances = series.instances + added.instances, images = series.images + added.images
    from added where series.organization_id = $1 and series.series_uid = added.series_uid
    returning series.study_uid, series.series_uid, series.instances),
  totals as (
    insert into scan_totals (organization_id, series, instances, byte_size)
      select $1, $5::int, $6::bigint, $7::bigint from (select count(*) from grown) counted
      on conflict (organization_id) do update set series = scan_totals.series + excluded.series,
        instances = scan_totals.instances + excluded.instances,
        byte_size = scan_totals.byte_size + excluded.byte_size)
  select study_uid, series_uid, instances from grown order by series_uid`)
