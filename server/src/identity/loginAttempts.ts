import { toAddressKey } from '../core/addressKey.ts'
import type { Db } from '../db/client.ts'
import type { Keys } from './keys.ts'

/** The key of an attempt, and how many are free before each further one has to wait (P04). */
export interface LoginAttempt {
  readonly key: string
  readonly free: number
}

const freeAttempts = 5

export const accountAttempt = (email: string): LoginAttempt => ({
  key: `account:${email.toLowerCase()}`,
  free: freeAttempts,
})
export const deviceAttempt = (device: string): LoginAttempt => ({ key: `device:${device}`, free: freeAttempts })
/** Codes for a device that signed in to the account before count apart. */
export const codeAttempt = (userId: string, deviceHash: string | null = null): LoginAttempt => ({
  key: `mfa:${userId.toLowerCase()}${deviceHash === null ? '' : `:${deviceHash}`}`,
  free: freeAttempts,
})
export const confirmAttempt = (userId: string): LoginAttempt => ({ key: `confirm:${userId}`, free: freeAttempts })
export const addressAttempt = (address: string, factor: number): LoginAttempt => ({
  key: `address:${toAddressKey(address)}`,
  free: Math.round(30 * factor),
})

/** The database holds hashes: neither emails nor addresses (P23). */
export const toAttemptKey = (keys: Pick<Keys, 'digest'>, { key }: LoginAttempt): string => keys.digest('guess', key)

export interface Lockout {
  readonly failures: number
  /** Until when the account had to wait; in the past where it did not. */
  readonly blockedUntil: Date
}

/**
 * Forgets the failed attempts on an account, so that its owner gets in at once. Returns those that were counted. The
 * attempts of a device that its owner signed in on before are the owner's own and stay.
 */
export async function liftLockout(
  db: Pick<Db, 'deleteFrom'>,
  keys: Pick<Keys, 'digest'>,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<readonly Lockout[]> {
  const attempts = [accountAttempt(email), codeAttempt(id), confirmAttempt(id)]
  const rows = await db
    .deleteFrom('login_attempts')
    .where(
      'key',
      'in',
      attempts.map((attempt) => toAttemptKey(keys, attempt)),
    )
    .returning(['failures', 'blocked_until'])
    .execute()
  return rows.map(({ failures, blocked_until: blockedUntil }) => ({ failures, blockedUntil }))
}
