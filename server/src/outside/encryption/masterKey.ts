import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** The organization and the id of a data key; a wrapped key opens under these names alone. */
export interface DataKeyNames {
  readonly keyId: string
  readonly organizationId: string
}

/** Wraps data keys. It comes from outside and is never stored. */
export interface MasterKey {
  /** Names it beside what it wrapped; says nothing about a secret. */
  readonly id: string
  wrap(dataKey: Buffer, names: DataKeyNames): Promise<Buffer>
  unwrap(wrapped: Uint8Array, names: DataKeyNames): Promise<Buffer>
}

/** Why a master key does not wrap or unwrap, in a sentence for the operator. */
export class MasterKeyError extends Error {}

const nonceBytes = 12
const tagBytes = 16

/** A master key of 32 bytes that the settings hold: AES-256-GCM. */
export function createLocalMasterKey(secret: Buffer): MasterKey {
  const id = `local:${createHmac('sha256', secret).update('dmp master key').digest('hex').slice(0, 16)}`
  const boundTo = ({ keyId, organizationId }: DataKeyNames): Buffer => Buffer.from(`${keyId} ${organizationId}`)
  return {
    id,
    async wrap(dataKey, names) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(boundTo(names))
      return Buffer.concat([nonce, cipher.update(dataKey), cipher.final(), cipher.getAuthTag()])
    },
    async unwrap(wrapped, names) {
      const bytes = Buffer.from(wrapped)
      try {
        const cipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, nonceBytes)).setAAD(boundTo(names))
        cipher.setAuthTag(bytes.subarray(-tagBytes))
        return Buffer.concat([cipher.update(bytes.subarray(nonceBytes, -tagBytes)), cipher.final()])
      } catch {
        throw new MasterKeyError(
          `The data key ${names.keyId} does not open with the master key ${id}, which wrapped it. Restore the table organization_keys from a backup.`,
        )
      }
    },
  }
}
