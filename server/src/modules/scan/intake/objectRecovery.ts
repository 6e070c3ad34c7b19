import type { Db } from '../../../db/client.ts'
import type { ObjectStore } from '../../../outside/objectStore.ts'
import { keysWithRows } from './objectKeys.ts'

/**
 * Run at start, before anything is answered: finishes or discards uploads that a crash interrupted, and removes objects
 * whose rows were deleted but whose bytes were still there (P20). `olderThanMs` protects uploads of other living
 * servers on the same store.
 */
export async function recoverObjects(
  db: Db,
  objects: ObjectStore,
  olderThanMs: number,
): Promise<{ kept: number; discarded: number; removed: number }> {
  const settled = await objects.recover((keys) => keysWithRows(db, keys), olderThanMs)
  return { ...settled, removed: await removeObjects(db, objects) }
}

const REMOVALS_AT_ONCE = 500

/** Removes the bytes of deleted rows; a removal is forgotten only after it happened. */
export async function removeObjects(db: Db, objects: ObjectStore): Promise<number> {
  let removed = 0
  for (;;) {
    const rows = await db.selectFrom('object_removals').select('object_key').limit(REMOVALS_AT_ONCE).execute()
    if (rows.length === 0) return removed
    const keys = rows.map((row) => row.object_key)
    await objects.remove(keys)
    await db.deleteFrom('object_removals').where('object_key', 'in', keys).execute()
    removed += rows.length
  }
}
