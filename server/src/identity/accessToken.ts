import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { sharedDate, sharedNow } from '../core/clock.ts'
import type { Keys } from './keys.ts'

export const issuer = 'dmp'
export const audience = 'dmp-api'
/** 4.14: what an external app gets for a session id can only read scans. */
export type Scope = 'all' | 'scan-read'

export interface AccessClaims {
  readonly userId: string
  readonly sessionId: string
  readonly scope: Scope
  /** Milliseconds since the epoch. */
  readonly expires: number
}

export async function signAccessToken(
  keys: Keys,
  claims: Omit<AccessClaims, 'expires'>,
  minutes: number,
): Promise<{ token: string; expires: Date }> {
  // A token's times are whole seconds; rounding up keeps a life of a fraction of a minute from being none.
  const expires = Math.ceil((sharedNow() + minutes * 60_000) / 1000)
  const token = await new SignJWT({ sid: claims.sessionId, scope: claims.scope })
    .setProtectedHeader({ alg: 'EdDSA', kid: keys.kid, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(claims.userId)
    .setJti(randomUUID())
    .setIssuedAt(Math.floor(sharedNow() / 1000))
    .setExpirationTime(expires)
    .sign(keys.signing)
  return { token, expires: new Date(expires * 1000) }
}

/** For pages that show who is signed in: name and email only. The API does not accept it. */
export async function signIdToken(
  keys: Keys,
  userId: string,
  who: { email: string; name: string },
  expires: Date,
  clientId: string,
): Promise<string> {
  return new SignJWT(who)
    .setProtectedHeader({ alg: 'EdDSA', kid: keys.kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject(userId)
    .setIssuedAt(Math.floor(sharedNow() / 1000))
    .setExpirationTime(expires)
    .sign(keys.signing)
}

/** The claims of a token that this server signed for its API and that is not over; undefined for anything else. */
export async function verifyAccessToken(keys: Keys, token: string): Promise<AccessClaims | undefined> {
  const { sub, sid, scope, exp } = (await verifySigned(keys, token, audience, ['exp', 'sub', 'sid', 'scope'])) ?? {}
  if (!isUuid(sub) || !isUuid(sid) || typeof exp !== 'number') return undefined
  if (scope !== 'all' && scope !== 'scan-read') return undefined
  return { userId: sub, sessionId: sid, scope, expires: exp * 1000 }
}

/**
 * What a token says that this server signed for this audience, in the one spelling of its signature, and that is not
 * over; undefined for anything else.
 */
export async function verifySigned(
  keys: Keys,
  token: string,
  wantedAudience: string,
  requiredClaims: string[],
): Promise<JWTPayload | undefined> {
  if (!hasCanonicalSignature(token)) return undefined
  try {
    // The key is ours, never one that the token names; algorithm, type, issuer and audience are fixed.
    const { payload } = await jwtVerify(token, keys.verifying, {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer,
      audience: wantedAudience,
      currentDate: sharedDate(),
      requiredClaims,
    })
    return payload
  } catch {
    return undefined
  }
}

/**
 * A signature ends in the middle of its last character, which could be written in 16 ways: one token is one text, for
 * whatever is remembered of it. Header and claims are signed as text.
 */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
