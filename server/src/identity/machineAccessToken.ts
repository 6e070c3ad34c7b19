import { randomUUID } from 'node:crypto'
import { scopeNames, type ScopeName } from '@dmp/contract/apiToken'
import { decodeJwt, SignJWT } from 'jose'
import { sharedNow } from '../core/clock.ts'
import { issuer, verifySigned } from './accessToken.ts'
import type { Keys } from './keys.ts'

/** Not that of people's tokens: what takes those takes none of these. */
const audience = 'dmp-machine'

export interface MachineClaims {
  readonly apiTokenId: string
  readonly scopes: readonly ScopeName[]
}

/** RFC 6749, 4.4: what a machine gets for its API token, for minutes. It opens nothing once that token has ended. */
export async function signMachineAccessToken(
  keys: Keys,
  { apiTokenId, scopes }: MachineClaims,
  expires: Date,
): Promise<string> {
  return new SignJWT({ client_id: apiTokenId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'EdDSA', kid: keys.kid, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(apiTokenId)
    .setJti(randomUUID())
    .setIssuedAt(Math.floor(sharedNow() / 1000))
    .setExpirationTime(Math.floor(expires.getTime() / 1000))
    .sign(keys.signing)
}

/** Whether the token says of itself that it is a machine's; no proof of anything. */
export function isMachineAccessToken(token: string): boolean {
  try {
    return decodeJwt(token).aud === audience
  } catch {
    return false
  }
}

/** The claims of a machine's token that this server signed and that is not over; undefined for anything else. */
export async function verifyMachineAccessToken(keys: Keys, token: string): Promise<MachineClaims | undefined> {
  const payload = await verifySigned(keys, token, audience, ['exp', 'sub', 'scope'])
  if (!payload) return undefined
  const scopes = String(payload['scope']).split(' ')
  return scopes.every(isScope) ? { apiTokenId: payload.sub ?? '', scopes } : undefined
}

const isScope = (text: string): text is ScopeName => (scopeNames as readonly string[]).includes(text)
