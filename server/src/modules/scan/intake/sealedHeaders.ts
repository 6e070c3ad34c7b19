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
