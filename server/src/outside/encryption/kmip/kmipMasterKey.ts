import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { MasterKeyError, type DataKeyNames, type MasterKey } from '../masterKey.ts'
import { onLine, type KmipAccess } from './kmipLine.ts'
import { KmipRefusal, tag, type Operation } from './kmipMessage.ts'
import { explain } from './kmipRefusal.ts'
import * as ttlv from './ttlv.ts'

const aes = 3
const gcm = 9
const format = 1
const nonceBits = 96
/** Never shorter: a service may take a tag that somebody cut. */
const tagBytes = 16
const proofBytes = 32
const leastNonce = 12
const mostNonce = 64

/**
 * A master key that never leaves a service that speaks KMIP 1.4: the service wraps and unwraps with AES-GCM, and names
 * of data key and organization are what it authenticates beside. A proof made from the data key goes with it, so that
 * also a service that does not look at names or tag opens no key under other names, and none that was changed.
 */
export function createKmipMasterKey(keyId: string, access: KmipAccess): MasterKey {
  const service = `The key management service at ${access.address.host}:${access.address.port}`
  /** What an answer holds is read on the line as well: also an answer that lacks it ends with a sentence. */
  const call = <T>(
    name: 'Encrypt' | 'Decrypt',
    payload: readonly Buffer[],
    read: (answer: ttlv.Item) => T,
  ): Promise<T> =>
    onLine(access, async (ask) => {
      try {
        return read(await ask(name, ttlv.text(tag.uniqueIdentifier, keyId), parameters(name), ...payload))
      } catch (cause) {
        if (!(cause instanceof KmipRefusal)) throw cause
        throw new MasterKeyError(`${service} ${await explain(ask, name, keyId, cause)}`)
      }
    })

  return {
    id: `kmip:${keyId}`,
    wrap: (dataKey, names) =>
      call(
        'Encrypt',
        [
          ttlv.bytes(tag.data, Buffer.concat([dataKey, proofOf(dataKey, names)])),
          ttlv.bytes(tag.additionalData, boundTo(names)),
        ],
        (answer) => {
          const sealed = ttlv.bytesIn(answer, tag.data)
          const nonce = ttlv.bytesIn(answer, tag.iv)
          const mark = ttlv.bytesIn(answer, tag.authenticationTag)
          if (!sealed || !nonce || nonce.length < leastNonce || nonce.length > mostNonce || mark?.length !== tagBytes)
            throw new MasterKeyError(
              `${service} encrypts without a nonce of its own or without a tag of ${tagBytes} bytes. Use one that does AES-GCM by KMIP 1.4.`,
            )
          return Buffer.concat([Buffer.of(format, nonce.length), nonce, mark, sealed])
        },
      ),
    async unwrap(wrapped, names) {
      const stored = Buffer.from(wrapped)
      const begin = 2 + (stored[1] ?? 0)
      if (stored[0] !== format || stored.length < begin + tagBytes + proofBytes) throw changed(keyId, names)
      const opened = await call(
        'Decrypt',
        [
          ttlv.bytes(tag.data, stored.subarray(begin + tagBytes)),
          ttlv.bytes(tag.iv, stored.subarray(2, begin)),
          ttlv.bytes(tag.additionalData, boundTo(names)),
          ttlv.bytes(tag.authenticationTag, stored.subarray(begin, begin + tagBytes)),
        ],
        (answer) => ttlv.bytesOf(answer, tag.data),
      )
      const dataKey = Buffer.from(opened.subarray(0, -proofBytes))
      const proof = opened.subarray(-proofBytes)
      if (proof.length !== proofBytes || !timingSafeEqual(proof, proofOf(dataKey, names))) throw changed(keyId, names)
      return dataKey
    },
  }
}

/** The service draws the nonce: two servers never use one twice, and modules after FIPS 140 allow no other. */
const parameters = (name: Operation): Buffer =>
  ttlv.structure(
    tag.cryptographicParameters,
    ttlv.enumeration(tag.blockCipherMode, gcm),
    ttlv.enumeration(tag.cryptographicAlgorithm, aes),
    ...(name === 'Encrypt' ? [ttlv.flag(tag.randomIv, true), ttlv.integer(tag.ivLength, nonceBits)] : []),
    ttlv.integer(tag.tagLength, tagBytes),
  )

const boundTo = ({ keyId, organizationId }: DataKeyNames): Buffer => Buffer.from(`${keyId} ${organizationId}`)

const proofOf = (dataKey: Buffer, names: DataKeyNames): Buffer =>
  Buffer.from(hkdfSync('sha256', dataKey, boundTo(names), 'dmp wrapped key', proofBytes))

const changed = (keyId: string, names: DataKeyNames): MasterKeyError =>
  new MasterKeyError(
    `The data key ${names.keyId} does not open with the master key kmip:${keyId}, which wrapped it. Restore the table organization_keys from a backup.`,
  )
