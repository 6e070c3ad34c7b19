import { sql } from 'kysely'
import type { ByteBudget } from '../../../core/byteBudget.ts'
import type { Turn } from '../../../core/fairTurns.ts'
import type { Db } from '../../../db/client.ts'
import { readingLimits } from '../../../dicom/limits.ts'
import type { DataKey, ValuePlace } from '../../../outside/encryption/dataKey.ts'
import type { Encryption } from '../../../outside/encryption/encryption.ts'

/** The instance whose row holds the header. */
interface HeaderOf {
  readonly organizationId: string
  readonly sopInstanceUID: string
}

const toPlace = ({ organizationId, sopInstanceUID }: HeaderOf): ValuePlace => ['header', organizationId, sopInstanceUID]

/** A packed header as its row holds it: sealed when encryption is on. */
export const sealHeader = (packed: Uint8Array, instance: HeaderOf, dataKey: DataKey | undefined): Uint8Array =>
  dataKey ? dataKey.seal(toPlace(instance), packed) : packed

/** The packed header of a row: sealed where the row names a key. */
export const unsealHeader = (
  encryption: Encryption,
  instance: HeaderOf,
  { header, key_id }: { readonly header: Uint8Array; readonly key_id: string | null },
): Promise<Uint8Array> => encryption.unseal(toPlace(instance), header, key_id)

/** A header on its way to a thread: as the database gave it, unsealed, and the thread's own copy. */
const copiesOfHeader = 3
/** That of a slice has some 5 kB; as many of these as may wait fit into memory beside everything else. */
const shortHeaderBytes = 64 * 1024

/** Does the work with a header of this length once there is memory for it (P18): senders choose how long it is. */
export async function withHeaderMemory<T>(
  memory: ByteBudget,
  turn: Turn,
  headerBytes: number,
  work: () => Promise<T>,
): Promise<T> {
  if (headerBytes <= shortHeaderBytes) return work()
  const reservation = await memory.reserve(turn, copiesOfHeader * headerBytes)
  try {
    return await work()
  } finally {
    reservation.release()
  }
}

/** Headers of the instances, in their order, as many as fit into memory; at least one. */
export async function loadHeaders(
  { db, encryption }: { readonly db: Db; readonly encryption: Encryption },
  organizationId: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { rows } = await sql<{ sop_instance_uid: string; header: Uint8Array; key_id: string | null }>`
    select sop_instance_uid, header, key_id from (
      select i.sop_instance_uid, i.header, i.key_id, sum(octet_length(i.header)) over (order by position) as bytes,
        octet_length(i.header) as own_bytes
      from unnest(${[...uids]}::text[]) with ordinality as requested (uid, position)
      join instances i on i.organization_id = ${organizationId} and i.sop_instance_uid = requested.uid
    ) page where bytes - own_bytes < ${readingLimits.headerPageBytes}`.execute(db)
  const headers = new Map<string, Uint8Array>()
  for (const { sop_instance_uid: sopInstanceUID, ...row } of rows)
    headers.set(sopInstanceUID, await unsealHeader(encryption, { organizationId, sopInstanceUID }, row))
  return headers
}
