import { sql } from 'kysely'
import type { ByteBudget } from '../../../core/byteBudget.ts'
import type { Turn } from '../../../core/fairTurns.ts'
import type { Db } from '../../../db/client.ts'
import { readingLimits } from '../../../dicom/limits.ts'
import { isShortHeader, joinHeader } from '../../../dicom/packedHeader.ts'
import { damagedValue, type DataKey, type ValuePlace } from '../../../outside/encryption/dataKey.ts'
import type { Encryption } from '../../../outside/encryption/encryption.ts'

/** The instance whose row holds the header. */
interface HeaderOf {
  readonly organizationId: string
  readonly sopInstanceUID: string
}

const toPlace = ({ organizationId, sopInstanceUID }: HeaderOf): ValuePlace => ['header', organizationId, sopInstanceUID]

/**
 * A packed header as its row holds it: sealed when encryption is on. The mark of a short one stays outside, so that
 * the database can tell which they are.
 */
export function sealHeader(packed: Uint8Array, instance: HeaderOf, dataKey: DataKey | undefined): Uint8Array {
  if (!dataKey) return packed
  if (!isShortHeader(packed)) return dataKey.seal(toPlace(instance), packed)
  return Buffer.concat([packed.subarray(0, 1), dataKey.seal(toPlace(instance), packed.subarray(1))])
}

interface SealedHeader {
  readonly header: Uint8Array
  readonly key_id: string | null
}

/** The packed header of a row: unsealed where the row names a key, and short where it is. */
export async function unsealHeader(
  encryption: Encryption,
  instance: HeaderOf,
  { header, key_id }: SealedHeader,
): Promise<Uint8Array> {
  if (!isShortHeader(header)) return encryption.unseal(toPlace(instance), header, key_id)
  const short = await encryption.unseal(toPlace(instance), header.subarray(1), key_id)
  return Buffer.concat([header.subarray(0, 1), short])
}

/** What a header may lack, as `series_headers` has it. */
export interface CommonHeader {
  readonly common: Uint8Array
  readonly key_id: string | null
}

export const toCommonPlace = (organizationId: string, seriesUID: string): ValuePlace => [
  'commonHeader',
  organizationId,
  seriesUID,
]

/** The whole packed header of a row, with what it has in common with its series. */
export async function openHeader(
  encryption: Encryption,
  instance: HeaderOf & { readonly seriesUID: string },
  row: SealedHeader,
  common: CommonHeader | undefined,
): Promise<Uint8Array> {
  const header = await unsealHeader(encryption, instance, row)
  if (!isShortHeader(header)) return header
  const place = toCommonPlace(instance.organizationId, instance.seriesUID)
  if (!common) throw damagedValue(place)
  return joinHeader(await encryption.unseal(place, common.common, common.key_id), header)
}

/** Of the columns `common` and `common_key_id` that a statement joined from `series_headers`. */
export const toCommonHeader = ({ common, common_key_id }: CommonColumns): CommonHeader | undefined =>
  common === null ? undefined : { common, key_id: common_key_id }

export interface CommonColumns {
  readonly common: Uint8Array | null
  readonly common_key_id: string | null
}

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
  const { rows } = await sql<HeaderRow>`
    select sop_instance_uid, series_uid, header, key_id, common, common_key_id from (
      select i.sop_instance_uid, i.series_uid, i.header, i.key_id, c.common, c.key_id as common_key_id,
        sum(octet_length(i.header) + coalesce(octet_length(c.common), 0)) over (order by position) as bytes,
        octet_length(i.header) + coalesce(octet_length(c.common), 0) as own_bytes
      from unnest(${[...uids]}::text[]) with ordinality as requested (uid, position)
      join instances i on i.organization_id = ${organizationId} and i.sop_instance_uid = requested.uid
      left join series_headers c on c.organization_id = i.organization_id and c.series_uid = i.series_uid
    ) page where bytes - own_bytes < ${readingLimits.headerPageBytes}`.execute(db)
  const headers = new Map<string, Uint8Array>()
  for (const { sop_instance_uid: sopInstanceUID, series_uid: seriesUID, ...row } of rows) {
    const instance = { organizationId, sopInstanceUID, seriesUID }
    headers.set(sopInstanceUID, await openHeader(encryption, instance, row, toCommonHeader(row)))
  }
  return headers
}

interface HeaderRow extends SealedHeader, CommonColumns {
  readonly sop_instance_uid: string
  readonly series_uid: string
}
