import { timingSafeEqual } from 'node:crypto'
import type { Keys } from '../../identity/keys.ts'

/** What a browser was allowed to put in place of what is live: part → release or development server. */
export interface Grant {
  readonly overrides: Readonly<Record<string, string>>
  /**
   * The session of the person who allowed it; outside of the demo the grant ends with that session. Cookies that are out name it so.
   */
  readonly family: string
  readonly userId: string
  /** Milliseconds since the epoch. */
  readonly expires: number
}

/** A working day: who forgets an override has what is live again in the morning. */
export const grantSeconds = 12 * 3600

/** The grant as the browser keeps it. It can read it, and hand it back, but not make one. */
export function sealGrant(keys: Keys, grant: Grant): string {
  const text = Buffer.from(JSON.stringify(grant)).toString('base64url')
  return `${text}.${keys.digest('override', text)}`
}

/** What the browser handed back; undefined where this server did not write it, or it is over. */
export function openGrant(keys: Keys, cookie: string | undefined): Grant | undefined {
  const [text = '', proof] = cookie?.split('.') ?? []
  if (proof === undefined || !isSame(keys.digest('override', text), proof)) return undefined
  const grant = JSON.parse(Buffer.from(text, 'base64url').toString()) as Grant
  return grant.expires > Date.now() ? grant : undefined
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
