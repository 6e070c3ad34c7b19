import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** Whether none of these images was deleted since they were listed: their bytes would still be there, in the bin. */
export async function areStored(
  db: Db,
  organizationId: string,
  images: readonly { readonly sop_instance_uid: string }[],
): Promise<boolean> {
  const uids = images.map((image) => image.sop_instance_uid)
  const { rows } = await sql<{ stored: number }>`select count(*)::int as stored from instances
    where organization_id = ${organizationId} and sop_instance_uid = any(${uids}::text[])`.execute(db)
  return rows[0]?.stored === images.length
}
