import { createHash } from 'node:crypto'
import type { Db } from '../../../db/client.ts'
import type { ObjectStore, StagedObject } from '../../../outside/objectStore.ts'

/**
 * One folder per series. Its name's end makes every key new, so that an upload never meets the removal of an earlier
 * copy. The key in an archive holds the UIDs under which the object lies there.
 */
export function createObjectKey(
  { isArchive }: Pick<ObjectStore, 'isArchive'>,
  organizationId: string,
  instance: { studyUID: string; seriesUID: string; sopInstanceUID: string },
  { nameHash, nameEnd }: Pick<StagedObject, 'nameHash' | 'nameEnd'>,
): string {
  const name = `${instance.sopInstanceUID}~${nameHash}~${nameEnd}`
  if (isArchive) return `archive/${organizationId}/${instance.studyUID}/${instance.seriesUID}/${name}`
  return `scans/${organizationId}/${createHash('sha256').update(instance.seriesUID).digest('hex').slice(0, 4)}/${name}`
}

/** The instance that a key belongs to; none of what others have put there, of which the database could not be asked. */
function parseObjectKey(key: string): { organizationId: string; sopInstanceUID: string } | undefined {
  const [, organizationId, sopInstanceUID] =
    /^(?:scans|archive)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/(?:[^/]+\/){1,2}([^~/]+)~/.exec(key) ?? []
  return organizationId && sopInstanceUID ? { organizationId, sopInstanceUID } : undefined
}

/** Below it lies what has arrived of uploads that are not finished. */
export const uploadsFolder = 'uploads/'

/** The keys that a row names, also one in the bin. */
export async function listCommittedKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const committedKeys = new Set<string>()
  for (const key of keys) if (await isCommitted(db, key)) committedKeys.add(key)
  return committedKeys
}

async function isCommitted(db: Db, key: string): Promise<boolean> {
  if (key.startsWith(uploadsFolder)) return isPiece(db, key)
  const instance = parseObjectKey(key)
  if (!instance) return false
  // One that is taken back meanwhile has left the second table for the first.
  for (const table of ['instances', 'bin_instances', 'instances'] as const) {
    const row = await db
      .selectFrom(table)
      .select('object_key')
      .where('organization_id', '=', instance.organizationId)
      .where('sop_instance_uid', '=', instance.sopInstanceUID)
      .where('object_key', '=', key)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}

async function isPiece(db: Db, key: string): Promise<boolean> {
  const row = await db.selectFrom('upload_pieces').select('object_key').where('object_key', '=', key).executeTakeFirst()
  return row !== undefined
}
