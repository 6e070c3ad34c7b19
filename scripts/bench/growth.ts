import type { Database } from '../../server/src/db/client.ts'

const tables = [
  'series',
  'series_image_counts',
  'studies',
  'study_summaries',
  'scan_totals',
  'instances',
  'growing_series',
  'change_feeds',
]

export interface Updates {
  readonly table: string
  readonly updates: number
  /** Of those: how many left all indexes alone. */
  readonly hot: number
}

export interface Counted {
  readonly logBytes: number
  readonly updates: readonly Updates[]
}

/** What the log and the rows of uploads have cost since the database began. */
export async function countWrites(pool: NonNullable<Database['pool']>): Promise<Counted> {
  const log = await pool.query<{ bytes: string }>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`)
  // Each connection tells of what it has written when it has been idle for a moment.
  await pool.query('select pg_sleep(2)')
  const { rows: updates } = await pool.query<Updates>(
    `select relname as table, n_tup_upd::int as updates, n_tup_hot_upd::int as hot
     from pg_stat_user_tables where relname = any($1) order by relname`,
    [tables],
  )
  return { logBytes: Number(log.rows[0]?.bytes ?? 0), updates }
}

/** What came between the two, for each of so many objects. */
export function describeGrowth(before: Counted, after: Counted, objects: number): string {
  const kilobytes = (after.logBytes - before.logBytes) / 1000 / objects
  const shares = after.updates.flatMap(({ table, updates, hot }) => {
    const earlier = before.updates.find((one) => one.table === table)
    const made = updates - (earlier?.updates ?? 0)
    return made === 0 ? [] : [`${table} ${hot - (earlier?.hot ?? 0)} of ${made}`]
  })
  return `${kilobytes.toFixed(1)} kB of log an object; updates that left the indexes alone: ${shares.join(', ')}`
}
