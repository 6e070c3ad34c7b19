import { sql } from 'kysely'
import { isClockSteady } from '../../../core/clock.ts'
import type { Db } from '../../../db/client.ts'
import { patiently } from '../../../db/patience.ts'
import type { ObjectStore } from '../../../outside/objectStore.ts'
import { listCommittedKeys } from './objectKeys.ts'

/**
 * Runs at start, before any request is answered: finishes or discards uploads that a crash interrupted, and removes
 * objects whose rows were already deleted (P20). `olderThanMs` protects uploads of other running servers on the same
 * store.
 */
export async function recoverObjects(
  db: Db,
  objects: ObjectStore,
  olderThanMs: number,
): Promise<{ kept: number; discarded: number; removed: number }> {
  const settled = await objects.recover((keys) => listCommittedKeys(db, keys), olderThanMs)
  return { ...settled, removed: await removeObjects(db, objects) }
}

const removalBatchSize = 500

/** Removes the bytes of deleted rows; each removal is listed until it has happened. */
export async function removeObjects(db: Db, objects: ObjectStore): Promise<number> {
  let removed = 0
  for (;;) {
    const rows = await db
      .selectFrom('object_removals')
      .select('object_key')
      .where('created_date', '<=', sql<Date>`now()`)
      .limit(removalBatchSize)
      .execute()
    if (rows.length === 0) return removed
    const keys = rows.map((row) => row.object_key)
    await objects.remove(keys)
    await db.deleteFrom('object_removals').where('object_key', 'in', keys).execute()
    removed += rows.length
  }
}

/** Longer than any upload may be under way, so that no living one loses its files. */
const sweepAgeMs = 24 * 3_600_000
const sweepIntervalMs = 3_600_000

/**
 * Recovers every hour: a server that runs for months must not keep the leftovers of broken uploads until its next
 * start, nor the space of what was removed.
 */
export function startObjectSweep(
  db: Db,
  objects: ObjectStore,
  onProblem: (error: unknown) => void,
): { round(): Promise<void>; close(): Promise<void> } {
  const round = async (): Promise<void> => {
    await recoverObjects(db, objects, sweepAgeMs)
    await objects.compact()
  }
  let running = Promise.resolve()
  const timer = setInterval(() => {
    if (isClockSteady()) running = running.then(() => patiently(round)).catch(onProblem)
  }, sweepIntervalMs)
  timer.unref()
  return {
    round,
    close: async () => {
      clearInterval(timer)
      await running
    },
  }
}
