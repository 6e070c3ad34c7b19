import { createHmac, randomBytes } from 'node:crypto'
import { BoundedMap } from '../../core/BoundedMap.ts'

const rememberedMs = 3_600_000
const maxEntries = 10_000

export interface WrongPasswords {
  /** Whether this password of this account was wrong lately. */
  has(email: string, password: string): boolean
  remember(email: string, password: string): void
}

/**
 * The same wrong password again is no further guess: an app whose password was changed sends it for hours, and must not
 * use up the attempts of everybody behind its address. Kept in memory, under a key that ends with the process.
 */
export function createWrongPasswords(): WrongPasswords {
  const key = randomBytes(32)
  const seen = new BoundedMap<string, number>(maxEntries)
  const toEntry = (email: string, password: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([email.toLowerCase(), password]))
      .digest('base64url')
  return {
    has: (email, password) => performance.now() - (seen.get(toEntry(email, password)) ?? -Infinity) < rememberedMs,
    remember: (email, password) => seen.set(toEntry(email, password), performance.now()),
  }
}
