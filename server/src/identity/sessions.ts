import { randomBytes } from 'node:crypto'
import type { LoginTokens } from '@dmp/contract/account'
import { sql } from 'kysely'
import { sharedNow } from '../core/clock.ts'
import type { Write } from '../db/write.ts'
import type { PublicContext } from '../core/context.ts'
import type { Settings } from '../settings/settings.ts'
import { signAccessToken, signIdToken } from './accessToken.ts'
import { describeDevice } from './device.ts'
import type { Keys } from './keys.ts'

export const createSecret = (): string => randomBytes(32).toString('base64url')

export interface SignInResult {
  readonly id: string
  readonly email: string
  readonly fullName: string
  readonly organizationId: string
}

interface Issuer {
  readonly settings: Settings
  readonly keys: Keys
}

export interface NewSession {
  readonly sessionId: string
  readonly refreshToken: string
  /** For the browser's cookie; absent for apps without cookies. */
  readonly binding?: string
}

/**
 * Begins a session with its tokens. A browser's refresh token is bound to an HttpOnly cookie, so that a token that a
 * script reads is of no use elsewhere; apps without cookies, such as the uploader, hold an unbound token.
 */
export async function beginSession(
  { trx }: Write,
  { settings, keys }: Issuer,
  userId: string,
  clientId: string,
  { request }: PublicContext,
): Promise<NewSession> {
  const binding = request.isBrowser ? createSecret() : undefined
  const { id: sessionId } = await trx
    .insertInto('sessions')
    .values({
      user_id: userId,
      client_id: clientId,
      binding_hash: binding === undefined ? null : keys.digest('binding', binding),
      device: describeDevice(request.userAgent),
      address: request.ip,
      expires_date: new Date(sharedNow() + settings.sessionHours * 3_600_000),
      ended_date: null,
      end_reason: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const refreshToken = createSecret()
  await trx
    .insertInto('refresh_tokens')
    .values({ hash: keys.digest('refresh', refreshToken), session_id: sessionId, used_date: null })
    .execute()
  return { sessionId, refreshToken, ...(binding === undefined ? {} : { binding }) }
}

/** 3.01: the answer to a completed sign-in or renewal. */
export async function createTokens(
  { settings, keys }: Issuer,
  who: SignInResult,
  sessionId: string,
  refreshToken: string,
  clientId: string,
): Promise<LoginTokens> {
  const access = await signAccessToken(keys, { userId: who.id, sessionId, scope: 'all' }, settings.accessTokenMinutes)
  return {
    accessToken: access.token,
    refreshToken,
    idToken: await signIdToken(keys, who.id, { email: who.email, name: who.fullName }, access.expires, clientId),
    challengeName: null,
    userId: who.id,
    session: null,
    expiresIn: Math.max(1, Math.round((access.expires.getTime() - sharedNow()) / 1000)),
    expireDate: access.expires.toISOString(),
  }
}

/** Why a session ended that its own person ended, also by being away from it. */
export const ownSignOut = 'signed out'

export interface SessionFilter {
  readonly userIds?: readonly string[]
  readonly organizationId?: string
  readonly sessionIds?: readonly string[]
  /** This one goes on. */
  readonly except?: string
}

/**
 * Ends sessions within a write: tokens are worthless and live channels closed as soon as it is committed.
 *
 * @example
 * await endSessions(write, { userIds: [id] }, 'deactivated')
 */
export async function endSessions(
  { trx, announce }: Write,
  { userIds, organizationId, sessionIds, except }: SessionFilter,
  why: string,
  reason: 'logout' | 'error' = 'logout',
): Promise<number> {
  if (userIds?.length === 0 || sessionIds?.length === 0) return 0
  let query = trx
    .updateTable('sessions')
    .set({ ended_date: sql<Date>`now()`, end_reason: why })
    .where('ended_date', 'is', null)
  if (userIds) query = query.where('user_id', 'in', [...userIds])
  if (sessionIds) query = query.where('id', 'in', [...sessionIds])
  if (organizationId !== undefined)
    query = query.where('user_id', 'in', (from) =>
      from.selectFrom('users').select('id').where('organization_id', '=', organizationId),
    )
  if (except !== undefined) query = query.where('id', '!=', except)
  const endedRows = await query.returning('id').execute()
  if (endedRows.length > 0)
    await announce({ kind: 'sessionsEnded', sessionIds: endedRows.map((row) => row.id), reason })
  return endedRows.length
}
