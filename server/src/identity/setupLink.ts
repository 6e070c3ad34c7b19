import { randomBytes } from 'node:crypto'
import { sharedNow } from '../core/clock.ts'
import { isEqualSecret } from '../core/isEqualSecret.ts'
import type { Keys } from './keys.ts'

/** Whoever starts a server reads its output at once. */
export const setupMinutes = 60

const sign = (keys: Keys, signed: string): string => keys.digest('setup', signed)

/**
 * Opens an installation without an administrator. It is signed and not stored, so that the command line can make one
 * while the server holds the embedded database; the first administrator ends all of them.
 */
export function createSetupToken(keys: Keys): string {
  const signed = `${(sharedNow() + setupMinutes * 60_000).toString(36)}.${randomBytes(16).toString('base64url')}`
  return `${signed}.${sign(keys, signed)}`
}

export function isSetupToken(keys: Keys, token: string): boolean {
  const [until = '', nonce = '', signature = '', ...more] = token.split('.')
  if (more.length > 0 || !/^[0-9a-z]{1,12}$/.test(until)) return false
  return isEqualSecret(signature, sign(keys, `${until}.${nonce}`)) && parseInt(until, 36) > sharedNow()
}

/** After the hash, which browsers send to nobody: no request log and no Referer ever holds the token. */
export const toSetupLink = (publicUrl: string, token: string): string => `${publicUrl}/setup#${token}`
