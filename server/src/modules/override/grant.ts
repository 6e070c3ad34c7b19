import { sharedNow } from '../../core/clock.ts'
import { isEqualSecret } from '../../core/isEqualSecret.ts'
import type { Keys } from '../../identity/keys.ts'

/** The overrides that a browser may use: part → release or development server. */
export interface Grant {
  readonly overrides: Readonly<Record<string, string>>
  /** The session that made the grant; outside the demo the grant ends with it. Existing cookies hold this name. */
  readonly family: string
  readonly userId: string
  /** For a monitor, which tries the release before: it needs no session, and holds only what was live. */
  readonly isTrial?: true
  /** Milliseconds since the epoch. */
  readonly expires: number
}

/** A working day: a forgotten override is gone the next morning. */
export const grantSeconds = 12 * 3600

/** Returns the grant as a signed cookie value: the browser can read it, but cannot make one. */
export function sealGrant(keys: Keys, grant: Grant): string {
  const text = Buffer.from(JSON.stringify(grant)).toString('base64url')
  return `${text}.${keys.digest('override', text)}`
}

/** Returns undefined for a grant that this server did not sign, and for an expired one. */
export function openGrant(keys: Keys, cookie: string | undefined): Grant | undefined {
  const [text = '', proof] = cookie?.split('.') ?? []
  if (proof === undefined || !isEqualSecret(keys.digest('override', text), proof)) return undefined
  const grant = JSON.parse(Buffer.from(text, 'base64url').toString()) as Grant
  return grant.expires > sharedNow() ? grant : undefined
}
