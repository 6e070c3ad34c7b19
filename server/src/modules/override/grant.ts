import { sharedNow } from '../../core/clock.ts'
import type { Context } from '../../core/context.ts'
import { isEqualSecret } from '../../core/isEqualSecret.ts'
import type { Keys } from '../../identity/keys.ts'

/** The overrides that a browser may use: part → release, development server, or preview with the release agreed to. */
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

/** Adds an override to those of this session in this browser; what another session agreed to is not carried on. */
export function addToGrant(
  { keys }: { readonly keys: Keys },
  { viewer, cookies }: Pick<Context, 'viewer' | 'cookies'>,
  part: string,
  source: string,
): void {
  const previous = openGrant(keys, cookies.read('dmp-overrides'))
  const grant = {
    overrides: { ...(previous?.family === viewer.sessionId ? previous.overrides : {}), [part]: source },
    family: viewer.sessionId,
    userId: viewer.userId,
    expires: sharedNow() + grantSeconds * 1000,
  }
  cookies.set('dmp-overrides', sealGrant(keys, grant), grantSeconds)
}

/** A preview stands in a grant with the release that the person agreed to. */
export const toPreviewSource = (id: string, releaseId: string): string => `preview:${id}:${releaseId}`

export function readPreviewSource(source: string): { readonly id: string; readonly releaseId: string } | undefined {
  const [, id, releaseId] = /^preview:([0-9a-f]{32}):([0-9a-f]{16})$/.exec(source) ?? []
  return id === undefined || releaseId === undefined ? undefined : { id, releaseId }
}

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
