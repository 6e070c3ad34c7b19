import type { LoginTokens } from '@dmp/contract/account'
import { sql } from 'kysely'
import type { PublicContext } from '../../core/context.ts'
import { isEqualSecret } from '../../core/isEqualSecret.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createPersonCookie, audienceSeconds } from '../../identity/personCookie.ts'
import { sessionAlarmMail } from './account.mails.ts'
import { getAccount } from './account.repository.ts'
import { createTokens, endSessions } from '../../identity/sessions.ts'
import { fullName } from '../../identity/user.ts'

/** 8.06 has the words; the caller does not learn the reason. */
const over = (): Refusal => new Refusal(401, 'RENEWAL_FAILED', 'Your session renewal has failed. Please Login again.')

/**
 * 7.06: exchanges a refresh token for its successor; each works once. The successor is computed from the token, so that
 * a repeat within the grace time (a lost answer, a second tab) gets the same one without it ever being stored. A later
 * repeat means that the token was copied: the whole session ends.
 */
export async function rotateRefreshToken(
  deps: Dependencies,
  refreshToken: string,
  clientId: string,
  context: PublicContext,
): Promise<LoginTokens> {
  const { db, keys, settings } = deps
  const hash = keys.digest('refresh', refreshToken)
  const foundToken = await findToken(deps, hash)
  if (!foundToken || foundToken.ended_date || foundToken.client_id !== clientId) throw over()
  const binding = context.cookies.read('dmp-binding')
  if (foundToken.binding_hash !== null && !isBinding(deps, foundToken.binding_hash, binding)) throw over()
  if (foundToken.isOver || foundToken.status !== 'Activated' || foundToken.organization_status !== 'Activated')
    throw over()
  const successor = keys.digest('successor', refreshToken)

  const isFirst = await db.transaction().execute(async (trx) => {
    const used = await trx
      .updateTable('refresh_tokens')
      .set({ used_date: sql<Date>`now()` })
      .where('hash', '=', hash)
      .where('used_date', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows !== 1n) return false
    await trx
      .insertInto('refresh_tokens')
      .values({ hash: keys.digest('refresh', successor), session_id: foundToken.session_id, used_date: null })
      .execute()
    await trx
      .updateTable('sessions')
      .set({ last_seen_date: sql<Date>`now()`, address: context.request.ip })
      .where('id', '=', foundToken.session_id)
      .execute()
    return true
  })
  if (!isFirst && !(await isWithinGrace(deps, hash))) {
    await raiseAlarm(deps, foundToken, context)
    throw over()
  }
  if (foundToken.binding_hash !== null && binding !== undefined) {
    // Again, because a version before this one kept it from pages over HTTP.
    context.cookies.set('dmp-binding', binding, settings.sessionHours * 3600)
    context.cookies.set(
      'dmp-audience',
      createPersonCookie(keys, foundToken.email, foundToken.session_id),
      audienceSeconds,
    )
  }
  return createTokens(
    { settings, keys },
    {
      id: foundToken.user_id,
      email: foundToken.email,
      fullName: fullName(foundToken),
      organizationId: foundToken.organization_id,
    },
    foundToken.session_id,
    successor,
    clientId,
  )
}

interface Found {
  readonly session_id: string
  readonly user_id: string
  readonly organization_id: string
}

function findToken({ db, settings }: Dependencies, hash: string) {
  // A session that was quiet for longer than the idle flow allows is not renewed by a stolen token (4.13); the life of
  // the access token is added because a person who only reads makes no calls.
  const quietMinutes = settings.idleMinutes + settings.idleTimeoutMinutes + settings.accessTokenMinutes
  const isIdle = settings.idleRequired
    ? sql<boolean>`sessions.binding_hash is not null and sessions.active_date < now() - make_interval(secs => ${quietMinutes * 60}::float8)`
    : sql<boolean>`false`
  return db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select([
      'sessions.id as session_id',
      'sessions.user_id',
      'sessions.client_id',
      'sessions.binding_hash',
      'sessions.ended_date',
    ])
    .select([
      'users.email',
      'users.civility',
      'users.first_name',
      'users.last_name',
      'users.organization_id',
      'users.status',
      'organizations.status as organization_status',
    ])
    .select(
      sql<boolean>`sessions.expires_date < now() or refresh_tokens.created_date < now() - make_interval(secs => ${settings.refreshTokenMinutes * 60}::float8) or (${isIdle})`.as(
        'isOver',
      ),
    )
    .where('refresh_tokens.hash', '=', hash)
    .executeTakeFirst()
}

const isBinding = ({ keys }: Dependencies, hash: string, binding: string | undefined): boolean =>
  binding !== undefined && isEqualSecret(keys.digest('binding', binding), hash)

async function isWithinGrace({ db, settings }: Dependencies, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('refresh_tokens')
    .select(
      sql<boolean>`used_date > now() - make_interval(secs => ${settings.renewGraceSeconds}::float8)`.as('isRecent'),
    )
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.isRecent ?? false
}

async function raiseAlarm(
  { write, mail, publicUrl, log }: Dependencies,
  { session_id, user_id, organization_id }: Found,
  context: PublicContext,
): Promise<void> {
  await write(
    { viewer: { userId: user_id, organizationId: organization_id }, request: context.request },
    async (step) => {
      await endSessions(step, { sessionIds: [session_id] }, 'a used refresh token came again', 'error')
      const account = await getAccount(step.trx, user_id)
      await mail.queue(step.trx, sessionAlarmMail({ email: account.email, fullName: fullName(account) }, publicUrl()))
      await step.audit({ event: 'RefreshTokenReused', outcome: 'refused', subject: { sessionId: session_id } })
      step.afterwards(mail.deliver)
    },
  )
  log.warn({ sessionId: session_id }, 'a used refresh token came again; its session was ended')
}
