import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../../db/client.ts'
import type { ObjectStore } from '../../../outside/objectStore.ts'

/**
 * One folder per series; the random end makes every key new, so that an upload never meets the removal of an earlier
 * copy. A key of an archive says under which UIDs the object is there.
 */
export function objectKey(
  { isArchive }: Pick<ObjectStore, 'isArchive'>,
  organizationId: string,
  instance: { studyUID: string; seriesUID: string; sopInstanceUID: string },
  sha256: string,
): string {
  const name = `${instance.sopInstanceUID}~${sha256}~${randomBytes(6).toString('hex')}`
  if (isArchive) return `archive/${organizationId}/${instance.studyUID}/${instance.seriesUID}/${name}`
  return `scans/${organizationId}/${createHash('sha256').update(instance.seriesUID).digest('hex').slice(0, 4)}/${name}`
}

/** The instance that a key of `objectKey` belongs to. */
function instanceOfKey(key: string): { organizationId: string; sopInstanceUID: string } | undefined {
  const [, organizationId, sopInstanceUID] = /^(?:scans|archive)\/([^/]+)\/(?:[^/]+\/){1,2}([^~/]+)~/.exec(key) ?? []
  return organizationId && sopInstanceUID ? { organizationId, sopInstanceUID } : undefined
}

/** Those of the keys that a row names. */
export async function keysWithRows(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const kept = new Set<string>()
  for (const key of keys) {
    const instance = instanceOfKey(key)
    if (!instance) continue
    const row = await db
      .selectFrom('instances')
      .select('object_key')
      .where('organization_id', '=', instance.organizationId)
      .where('sop_instance_uid', '=', instance.sopInstanceUID)
      .executeTakeFirst()
    if (row?.object_key === key) kept.add(key)
  }
  return kept
}
