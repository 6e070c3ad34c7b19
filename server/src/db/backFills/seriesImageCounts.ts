import { sql } from 'kysely'
import type { BackFill } from './backFill.ts'

interface Position {
  readonly organizationId: string
  readonly seriesUID: string
}

export const seriesImageCounts = '0075-series-image-counts'

/**
 * How many images each series of before has, beside it. A series that gets images meanwhile has its row from the
 * trigger, which is newer; one that is being deleted is waited for, or waits for the end of the batch.
 */
export const fillSeriesImageCounts: BackFill<Position> = {
  name: seriesImageCounts,
  fill: async (trx, position, size) => {
    const behind = position
      ? sql`where (organization_id, series_uid) > (${position.organizationId}::uuid, ${position.seriesUID})`
      : sql``
    const { rows } = await sql<Position>`
      with next as (
        select organization_id, series_uid, images from series ${behind}
        order by organization_id, series_uid limit ${size}::int for key share),
      added as (
        insert into series_image_counts (organization_id, series_uid, images)
        select organization_id, series_uid, images from next on conflict do nothing)
      select organization_id as "organizationId", series_uid as "seriesUID" from next
      order by organization_id, series_uid`.execute(trx)
    const last = rows.at(-1)
    return last && { position: last, rows: rows.length }
  },
  // Servers of the version before then sort by number of images without an index: slowly, and right.
  listRemovals: (isAlone) => [`drop index ${isAlone ? '' : 'concurrently '}if exists series_images`],
}
