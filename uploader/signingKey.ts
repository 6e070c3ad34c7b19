import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ownFile = path.join(import.meta.dirname, '../.cache/uploader-key')

export interface Keys {
  /** Signs what is built. */
  readonly key: KeyObject
  /** Public keys (SPKI in base64) whose programs the built uploader will take. */
  readonly trusted: readonly string[]
}

/**
 * The operator's Ed25519 key from `DMP_UPLOADER_KEY` (PKCS #8, in base64 or PEM), and further public keys from
 * `DMP_UPLOADER_TRUSTED_KEYS`, for the time in which one key follows another. Without it this checkout gets one
 * of its own.
 */
export function readKeys(log: (line: string) => void): Keys {
  const given = process.env['DMP_UPLOADER_KEY']
  const key = given ? parseKey(given) : createPrivateKey(readOwn(log))
  const further = (process.env['DMP_UPLOADER_TRUSTED_KEYS'] ?? '').split(/[\s,]+/).filter((each) => each !== '')
  return { key, trusted: [toPublic(key), ...further] }
}

export const toPublic = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')

function parseKey(text: string): KeyObject {
  try {
    const key = text.includes('-----BEGIN')
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Said below: the message of the library may quote the key.
  }
  throw new Error('DMP_UPLOADER_KEY is not an Ed25519 key. Make one: openssl genpkey -algorithm ed25519')
}

function readOwn(log: (line: string) => void): string {
  if (!existsSync(ownFile)) {
    mkdirSync(path.dirname(ownFile), { recursive: true })
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(ownFile, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
    log(
      'made a key in .cache/uploader-key, which signs the uploaders of this checkout; DMP_UPLOADER_KEY names a lasting one',
    )
  }
  return readFileSync(ownFile, 'utf8')
}
