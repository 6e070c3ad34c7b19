import type { LoginTokens } from '@dmp/contract/account'
import type { Tokens } from './types.ts'

/** Shortens a token's life, so that one that is about to expire is not sent. */
const tokenMarginMs = 2000

/** Creates a random UUID, even outside of a secure context, where `crypto.randomUUID` is missing. */
export function createSessionId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Converts the answer of a login or renewal to the stored tokens. Their end is counted from now by this machine's
 * clock where the server says how long they live: a clock that is hours wrong then does no harm (P28).
 */
export function toTokens(answer: LoginTokens, sessionId: string, now: number = Date.now()): Tokens {
  if (!answer.accessToken || !answer.refreshToken || !answer.userId) throw new Error('The sign-in is not complete.')
  const ends = answer.expiresIn ? now + answer.expiresIn * 1000 - tokenMarginMs : Date.parse(answer.expireDate ?? '')
  return {
    accessToken: answer.accessToken,
    refreshToken: answer.refreshToken,
    idToken: answer.idToken ?? '',
    challengeName: answer.challengeName ?? null,
    userId: answer.userId,
    session: answer.session ?? null,
    expiresIn: answer.expiresIn ?? Math.max(0, Math.round((ends - now) / 1000)),
    expireDate: new Date(Number.isNaN(ends) ? now : ends).toISOString(),
    sessionId,
  }
}

/** Milliseconds until the access token expires; negative afterwards. */
export function msLeft(tokens: Tokens, now: number = Date.now()): number {
  return Date.parse(tokens.expireDate) - now
}

/** Whether there is an access token that has not expired. */
export function areValid(tokens: Tokens | null, now: number = Date.now()): tokens is Tokens {
  return tokens !== null && msLeft(tokens, now) > 0
}
