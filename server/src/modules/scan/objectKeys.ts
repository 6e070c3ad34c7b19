import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../db/client.ts'

/** One folder per series; the random end makes every key new, so that an upload never meets the removal of an earlier copy. */
export function objectKey(organizationId: string, instance: { seriesUID: string; sopInstanceUID: string }, sha256: string): string {
  const folder = createHash('sha256').update(instance.seriesUID).digest('hex').slice(0, 4)
  return `scans/${organizationId}/${folder}/${instance.sopInstanceUID}~${sha256}~${randomBytes(6).toString('hex')}`
}

/** The instance that a key of `objectKey` belongs to. */
function instanceOfKey(key: string): { organizationId: string; sopInstanceUID: string } | undefined {
  const match = /^scans\/([^/]+)\/[^/]+\/([^~/]+)~/.exec(key)
  return match?.[1] && match[2] ? { organizationId: match[1], sopInstanceUID: match[2] } : undefined
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
