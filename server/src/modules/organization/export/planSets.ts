import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** What is written or read as one: its DICOMDIR is made in memory. */
export const setLimits = { objects: 5_000, bytes: 4 * 2 ** 30 }
const seriesPerPage = 500

interface SeriesRow {
  readonly series_uid: string
  readonly date: string
  readonly objects: number
  readonly bytes: number
}

/** The last series of a set, by its arrival. */
export type SeriesPlace = Pick<SeriesRow, 'date' | 'series_uid'>

/** Series that make a DICOM file set of their own. */
export interface PlannedSet {
  readonly series: readonly string[]
  readonly last: SeriesPlace
}

const beforeAll: SeriesPlace = { date: '-infinity', series_uid: '' }

const seriesPage = (organizationId: string, after: SeriesPlace) => sql<SeriesRow>`
  select s.series_uid, s.created_date::text as date, i.objects, i.bytes
  from series s cross join lateral (select count(*)::int as objects, sum(byte_size)::float8 as bytes
    from instances where organization_id = s.organization_id and series_uid = s.series_uid) i
  where s.organization_id = ${organizationId} and i.objects > 0
    and (s.created_date, s.series_uid) > (${after.date}::timestamptz, ${after.series_uid})
  order by s.created_date, s.series_uid limit ${seriesPerPage}`

/** Series in the order of their arrival, so that what was written once stays where it is when more arrive. */
export async function* planSets(db: Db, organizationId: string, start = beforeAll): AsyncGenerator<PlannedSet> {
  let series: string[] = []
  let [objects, bytes] = [0, 0]
  let last = start
  for (;;) {
    const { rows } = await seriesPage(organizationId, last).execute(db)
    for (const row of rows) {
      if (series.length > 0 && (objects + row.objects > setLimits.objects || bytes + row.bytes > setLimits.bytes)) {
        yield { series, last }
        series = []
        objects = bytes = 0
      }
      series.push(row.series_uid)
      objects += row.objects
      bytes += row.bytes
      last = { date: row.date, series_uid: row.series_uid }
    }
    if (rows.length < seriesPerPage) break
  }
  if (series.length > 0) yield { series, last }
}
