import { randomBytes } from 'node:crypto'
import { isEqualSecret } from '../core/isEqualSecret.ts'
import type { Keys } from './keys.ts'
import { createPlace, findPlace } from './personCookie.ts'

/**
 * A device that signed in to the account before has tries of its own, so that strangers' guesses do not lock its owner
 * out. Browsers keep it as a cookie; so do apps such as the uploader.
 */
export const deviceSeconds = 180 * 86_400

type Digest = Pick<Keys, 'digest'>

const toProof = ({ digest }: Digest, nonce: string, email: string): string =>
  digest('device', `${nonce}:${email.toLowerCase()}`)

export function createDeviceCookie(keys: Digest, email: string): string {
  const nonce = randomBytes(32).toString('base64url')
  // Versions before read the first two fields alone.
  return `${nonce}.${toProof(keys, nonce, email)}.${createPlace(keys, email)}`
}

/** The person who signed in on the app last, before it says who it is; undefined from a cookie of a version before. */
export const findAppPerson = (keys: Digest, cookie: string | undefined): string | undefined =>
  findPlace(keys, cookie?.split('.').slice(2) ?? [])

/** The device, if the cookie was given to it at a sign-in to this account. */
export function findDevice(keys: Digest, cookie: string | undefined, email: string): string | undefined {
  const [nonce = '', proof = ''] = cookie?.split('.') ?? []
  return isEqualSecret(proof, toProof(keys, nonce, email)) ? nonce : undefined
}
