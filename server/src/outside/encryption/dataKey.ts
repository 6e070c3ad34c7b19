import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { ObjectStoreError } from '../objectStore.ts'

const nonceBytes = 12
const tagBytes = 16
const uuidBytes = 16
/**
 * Begins every sealed value. Neither a JPEG nor a deflated header begins so: its two middle bits are a kind of block
 * that deflate does not have.
 */
export const sealedMark = 0x07
const prefixBytes = 1 + uuidBytes + nonceBytes

/** What a sealed value is and whose: it opens as this alone, so that rows cannot be exchanged. */
export type ValuePlace = readonly [
  kind: 'header' | 'commonHeader' | 'thumbnail' | 'project' | 'export',
  ...ids: string[],
]

/** A data key of an organization, unwrapped. Every use derives a key of its own from it. */
export class DataKey {
  readonly id: string
  readonly organizationId: string
  readonly #secret: Buffer
  readonly #valueKey: Buffer

  constructor(id: string, organizationId: string, secret: Buffer) {
    this.id = id
    this.organizationId = organizationId
    this.#secret = secret
    this.#valueKey = this.derive('value', Buffer.alloc(0))
  }

  /** Two uses or two salts never give the same key. The use is part of the derivation: never rename one. */
  derive(use: 'object' | 'upload' | 'value' | 'name', salt: Uint8Array): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, salt, `dmp ${use} ${this.organizationId}`, 32))
  }

  /** Tells nobody without the key that two organizations hold the same file, or that a known one is there. */
  hashName(sha256: string): string {
    return createHmac('sha256', this.derive('name', Buffer.alloc(0)))
      .update(sha256)
      .digest('hex')
  }

  /** Encrypts a small value, such as a header. */
  seal(place: ValuePlace, value: Uint8Array): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#valueKey, nonce).setAAD(toBytes(place))
    const mark = Buffer.of(sealedMark)
    return Buffer.concat([mark, uuidToBytes(this.id), nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
  }

  unseal(place: ValuePlace, sealed: Buffer): Buffer {
    try {
      const nonce = sealed.subarray(1 + uuidBytes, prefixBytes)
      const cipher = createDecipheriv('aes-256-gcm', this.#valueKey, nonce).setAAD(toBytes(place))
      cipher.setAuthTag(sealed.subarray(-tagBytes))
      return Buffer.concat([cipher.update(sealed.subarray(prefixBytes, -tagBytes)), cipher.final()])
    } catch {
      throw damagedValue(place)
    }
  }
}

/** The place is what the operator finds the row by. */
export const damagedValue = (place: ValuePlace): ObjectStoreError =>
  new ObjectStoreError('DAMAGED', new Error(place.join(' ')))

const toBytes = (place: ValuePlace): Buffer => Buffer.from(JSON.stringify(place))

/** The id of the key that sealed a value; undefined when it is in the clear. */
export const keyIdOf = (value: Uint8Array): string | undefined =>
  value[0] === sealedMark ? bytesToUuid(value.subarray(1, 1 + uuidBytes)) : undefined

export const uuidToBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

export const bytesToUuid = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
