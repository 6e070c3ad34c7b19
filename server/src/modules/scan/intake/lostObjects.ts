import { sql } from 'kysely'
import { forEachInLanes } from '../../../core/semaphore.ts'
import type { Write } from '../../../db/write.ts'
import type { ObjectStore } from '../../../outside/objectStore.ts'
import type { IncomingObject, PreparedObject } from './intake.ts'

/** What the row of a stored instance says about its object. */
export interface StoredRow {
  readonly sha256: string
  readonly object_key: string
  readonly byte_size: string | number
  readonly series_uid: string
  readonly study_uid: string
  readonly transfer_syntax_uid: string
}

/** An object that arrived again, and the key under which its bytes are no longer found. */
export interface LostObject {
  readonly object: PreparedObject
  readonly lostKey: string
}

const atOnce = 8

/** Those of the objects that are known with the same bytes, while the store has them no longer or not whole. */
export async function listLost(
  objects: ObjectStore,
  sent: readonly PreparedObject[],
  stored: ReadonlyMap<string, StoredRow>,
): Promise<LostObject[]> {
  const lost: LostObject[] = []
  await forEachInLanes(atOnce, sent, async (object) => {
    const row = stored.get(object.ids.sopInstanceUID)
    if (row?.sha256 !== object.staged.sha256) return
    if (!(await objects.holds(row.object_key, Number(row.byte_size)))) lost.push({ object, lostKey: row.object_key })
  })
  return lost
}

/** Makes the bytes that arrived the objects of their rows; returns the UIDs of those that nobody replaced before. */
export async function replaceLost(
  { trx, audit, announce }: Write,
  { organizationId, source }: IncomingObject,
  lost: readonly LostObject[],
): Promise<ReadonlySet<string>> {
  const replaced = new Set<string>()
  // Whoever remembers where they lay reads anew.
  await announce({ kind: 'scansChanged', organizationId })
  // In the order of every upload, so that two never deadlock.
  const ordered = lost.toSorted((a, b) => (a.object.ids.sopInstanceUID < b.object.ids.sopInstanceUID ? -1 : 1))
  for (const { object, lostKey } of ordered) {
    const { sopInstanceUID, seriesUID } = object.ids
    const { object_key, header, key_id } = object.rows.instance
    const { numUpdatedRows } = await trx
      .updateTable('instances')
      .set({ object_key, header, key_id: key_id ?? null })
      .where('organization_id', '=', organizationId)
      .where('sop_instance_uid', '=', sopInstanceUID)
      .where('object_key', '=', lostKey)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) continue
    replaced.add(sopInstanceUID)
    // Half an object may still lie there.
    await sql`insert into object_removals (object_key) values (${lostKey}) on conflict do nothing`.execute(trx)
    // It may be in the clear, where its instance is now sealed; it is drawn again when somebody looks.
    await trx
      .deleteFrom('thumbnails')
      .where('organization_id', '=', organizationId)
      .where('series_uid', '=', seriesUID)
      .execute()
  }
  const series = [...new Set(ordered.map(({ object }) => object.ids.seriesUID))]
  await audit({
    event: 'ScansUploaded',
    organizationId,
    subject: { source, instances: 0, replaced: replaced.size, series },
  })
  return replaced
}
