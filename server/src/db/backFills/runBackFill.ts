import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../client.ts'
import type { Tables } from '../tables/index.ts'
import type { AnyBackFill } from './backFill.ts'
import { isAnotherVersionThere } from './versions.ts'

const firstSize = 500
const [leastSize, mostSize] = [20, 5_000]
/** A batch that took less is followed by a larger one, one that took more than the second by a smaller one. */
const [shortMs, longMs] = [60, 200]
/** For a row that somebody else holds: until then the batch's own rows are held as well. */
const lockMs = 400
/** A lock that was not free in time, and two who waited for each other. */
const passing = ['55P03', '40P01']

export interface Run {
  readonly database: Pick<Database, 'db' | 'embedded'>
  readonly signal: AbortSignal
}

/**
 * Fills in batch by batch; each says in its own transaction how far it is, so that whoever comes next goes on there.
 * Then takes away what no server needs any more. Between two batches others have the database for as long as the batch
 * took.
 *
 * @returns whether it is over; otherwise an earlier version still serves beside this one
 */
export async function runBackFill(backFill: AnyBackFill, { database, signal }: Run): Promise<boolean> {
  const { db } = database
  let size = firstSize
  for (;;) {
    signal.throwIfAborted()
    const began = performance.now()
    const left = await db
      .transaction()
      .execute((trx) => fillNext(trx, backFill, size))
      .catch((error: unknown) => {
        if (passing.includes((error as { code?: string }).code ?? '')) return 'busy'
        throw error
      })
    if (left === 'none') break
    const ms = performance.now() - began
    if (ms < shortMs) size = Math.min(mostSize, size * 2)
    if (ms > longMs || left === 'busy') size = Math.max(leastSize, Math.ceil(size / 2))
    await pause(ms, undefined, { signal })
  }
  const isAlone = database.embedded !== undefined
  if (!isAlone && (await isAnotherVersionThere(db, backFill.name))) return false
  for (const statement of backFill.listRemovals(isAlone)) await sql.raw(statement).execute(db)
  await sql`update back_fills set ended_date = now(), changed_date = now()
    where name = ${backFill.name}`.execute(db)
  return true
}

async function fillNext(trx: Transaction<Tables>, backFill: AnyBackFill, size: number): Promise<'some' | 'none'> {
  await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(trx)
  // Only one server goes on with it, also where another one is taken for dead and is not.
  const { rows } = await sql<{ position: unknown; isFilled: boolean }>`
    select position, filled_date is not null as "isFilled" from back_fills where name = ${backFill.name}
    for update`.execute(trx)
  const [before] = rows
  if (!before || before.isFilled) return 'none'
  const batch = await backFill.fill(trx, (before.position ?? undefined) as never, size)
  if (!batch) {
    await sql`update back_fills set filled_date = now(), changed_date = now()
      where name = ${backFill.name}`.execute(trx)
    return 'none'
  }
  await sql`update back_fills set position = ${JSON.stringify(batch.position)}::jsonb, changed_date = now(),
    rows_done = rows_done + ${batch.rows}::int where name = ${backFill.name}`.execute(trx)
  return 'some'
}
