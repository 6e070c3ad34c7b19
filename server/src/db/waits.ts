import { limits } from '@dmp/contract'
import { waitNames, waits, type WaitCounts, type WaitName } from '@dmp/contract/waits'
import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Db } from './client.ts'

const daysAgo = (days: number): RawBuilder<Date> => sql<Date>`now() - make_interval(days => ${days}::int)`

/** Whether something came as long ago as the wait says. */
export function waitedFor(created: Expression<Date>, wait: WaitName): RawBuilder<boolean> {
  const { from, below } = waits[wait]
  const isOldEnough = from === 0 ? sql`true` : sql`${created} <= ${daysAgo(from)}`
  return below === undefined
    ? sql<boolean>`(${isOldEnough})`
    : sql<boolean>`(${isOldEnough} and ${created} > ${daysAgo(below)})`
}

/** How many of the rows wait for how long; of each wait at most `limits.countedRows` are counted. */
export async function countWaits<DB, TB extends keyof DB>(
  db: Db,
  rows: SelectQueryBuilder<DB, TB, { created_date: Date }>,
): Promise<WaitCounts> {
  const most = limits.countedRows
  const counts = waitNames.map(
    (wait) => sql`(select ${wait}::text as wait, count(*)::int as count from (select 1 from (${rows}) waiting
      where ${waitedFor(sql.ref('waiting.created_date'), wait)} limit ${most + 1}::int) counted)`,
  )
  const { rows: found } = await sql<{ wait: WaitName; count: number }>`${sql.join(counts, sql` union all `)}`.execute(
    db,
  )
  return waitNames.map((wait) => {
    const count = found.find((row) => row.wait === wait)?.count ?? 0
    return { wait, count: Math.min(count, most), isMore: count > most }
  })
}
