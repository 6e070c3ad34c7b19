import { createHash, createHmac, randomBytes } from 'node:crypto'
import { isEqualSecret } from '../../core/isEqualSecret.ts'
import type { Keys } from '../../identity/keys.ts'

type Digest = Pick<Keys, 'digest'>

/** What the row of a webhook keeps instead of its secret. */
export interface KeptSecret {
  readonly salt: string
  readonly secret_check: string
}

const createSalt = (): string => randomBytes(32).toString('base64url')

/**
 * 32 bytes in the form of Standard Webhooks. They are made anew each time from the salt and a key of the server, so
 * that a copy of the database signs nothing.
 */
export const toSecret = ({ digest }: Digest, salt: string): string =>
  `whsec_${Buffer.from(digest('webhook', salt), 'base64url').toString('base64')}`

/** Tells whether the server still has the key: receivers must not get signatures that nobody can verify. */
export const toCheck = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** A new secret, and what the row keeps of it. */
export function createSecret(keys: Digest): { readonly secret: string; readonly kept: KeptSecret } {
  const salt = createSalt()
  const secret = toSecret(keys, salt)
  return { secret, kept: { salt, secret_check: toCheck(secret) } }
}

export const isSameKey = (keys: Digest, { salt, secret_check }: KeptSecret): boolean =>
  isEqualSecret(toCheck(toSecret(keys, salt)), secret_check)

interface Message {
  readonly id: string
  /** Seconds since the epoch. */
  readonly timestamp: number
  readonly payload: string
}

/** The headers of Standard Webhooks, with a signature for each secret. */
export function signedHeaders(secrets: readonly string[], { id, timestamp, payload }: Message): Record<string, string> {
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64')}`
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
