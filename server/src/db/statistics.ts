import { sql } from 'kysely'
import type { Db } from './client.ts'
import { patiently } from './patience.ts'

const everyMs = 600_000
const firstMs = 60_000

/** 300 times as many rows are looked at: enough to tell what is rare, and over before anybody else waits. */
const target = 10

/** Tables of which much has changed since they were last looked at; counts do not outlive a restart. */
const changedText = sql<{ name: string }>`select class.relname as name
  from pg_class class join pg_stat_user_tables counted on counted.relid = class.oid
  where class.relnamespace = 'public'::regnamespace and (
    counted.n_mod_since_analyze > 1000 + 0.2 * class.reltuples
    or (class.reltuples < 0 and pg_relation_size(class.oid) > 1000000))
  order by class.relname`

/**
 * For the embedded database, which has nobody in the background to look at its tables: without statistics it walks a
 * long one where an index would find the rows at once. Begins a minute after the start, and looks every ten.
 */
export function startStatistics(
  db: Db,
  onProblem: (error: unknown) => void,
): { round(): Promise<string[]>; close(): Promise<void> } {
  const round = async (): Promise<string[]> => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await changedText.execute(db)
    for (const { name } of rows)
      await db.transaction().execute(async (trx) => {
        await sql`set local default_statistics_target = ${sql.lit(target)}`.execute(trx)
        await sql`analyze ${sql.table(name)}`.execute(trx)
      })
    return rows.map(({ name }) => name)
  }
  let running: Promise<unknown> = Promise.resolve()
  const again = (): void => {
    running = running.then(() => patiently(round)).catch(onProblem)
  }
  const timers = [setTimeout(again, firstMs), setInterval(again, everyMs)]
  for (const timer of timers) timer.unref()
  return {
    round,
    close: async () => {
      timers.forEach((timer) => clearInterval(timer))
      await running
    },
  }
}
