import { randomInt } from 'node:crypto'
import { sql, type ExpressionBuilder, type Transaction } from 'kysely'
import { tooManyRequests } from '../../core/errors.ts'
import { isEqualSecret } from '../../core/isEqualSecret.ts'
import type { Source } from '../../db/client.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { ChallengeTable } from '../../db/tables/account.ts'
import type { Keys } from '../../identity/keys.ts'
import { createSecret } from '../../identity/sessions.ts'

type Purpose = ChallengeTable['purpose']

/** Wrong codes that one challenge bears; the account's own budget (the login throttle) is not refilled by a new one. */
const mostTries = 5
/** Codes of one account, or of one known device of it, that may be open at the same time. */
const mostOpen = 3

interface Challenge {
  /** The secret that the client sends back; kept as a hash. */
  readonly challengeToken: string
  /** 6 digits, for MFA only. */
  readonly code: string
}

/** For whom a challenge is opened, and for how long. */
interface Opening {
  readonly purpose: Purpose
  readonly userId: string
  readonly clientId: string
  readonly minutes: number
  /** Where the account has signed in before. */
  readonly device?: string | undefined
}

/**
 * A new link or new-password step replaces those that the user has not answered: the newest mail is the one that
 * counts.
 */
export async function replaceChallenge(trx: Transaction<Tables>, keys: Keys, opening: Opening): Promise<Challenge> {
  // Ended, not deleted: how many were opened lately is counted.
  await trx
    .updateTable('challenges')
    .set({ expires_date: sql<Date>`now()` })
    .where('user_id', '=', opening.userId)
    .where('purpose', '=', opening.purpose)
    .where('used_date', 'is', null)
    .where('expires_date', '>', sql<Date>`now()`)
    .execute()
  return insertChallenge(trx, keys, opening)
}

/** Ended for good: links that were mailed, and sign-ins that another password began. */
export async function endChallenges(trx: Source, userId: string): Promise<void> {
  await trx
    .updateTable('challenges')
    .set({ expires_date: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('used_date', 'is', null)
    .where('expires_date', '>', sql<Date>`now()`)
    .execute()
}

/** Of requests at the same time each counts those before it. */
export async function lockForChallenges(trx: Transaction<Tables>, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

/**
 * A challenge beside those that are open, or a wait where there are as many as there may be. Somebody else who knows
 * the password ends none of them, and fills no mailbox; a device that has signed in before has room of its own.
 */
export async function addChallenge(trx: Transaction<Tables>, keys: Keys, opening: Opening): Promise<Challenge> {
  const deviceHash = toDeviceHash(keys, opening.device)
  await lockForChallenges(trx, opening.userId)
  const { count, wait } = await trx
    .selectFrom('challenges')
    .select(sql<number>`count(*)::int`.as('count'))
    .select(sql<number>`extract(epoch from min(expires_date) - now())::float8`.as('wait'))
    .where('user_id', '=', opening.userId)
    .where('purpose', '=', opening.purpose)
    .where('device_hash', 'is not distinct from', deviceHash)
    .where('used_date', 'is', null)
    .where('expires_date', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  if (count >= mostOpen) throw tooManyRequests(wait, 'Several codes were mailed already: use the newest of them.')
  return insertChallenge(trx, keys, opening)
}

const toDeviceHash = (keys: Keys, device: string | undefined): string | null =>
  device === undefined ? null : keys.digest('challenge', `device:${device}`)

async function insertChallenge(
  trx: Transaction<Tables>,
  keys: Keys,
  { purpose, userId, clientId, minutes, device }: Opening,
): Promise<Challenge> {
  const challengeToken = createSecret()
  const hash = keys.digest('challenge', challengeToken)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await trx
    .insertInto('challenges')
    .values({
      hash,
      purpose,
      user_id: userId,
      client_id: clientId,
      code_hash: purpose === 'MFA' ? keys.digest('code', `${hash}:${code}`) : null,
      expires_date: sql<Date>`now() + make_interval(secs => ${minutes * 60}::float8)`,
      used_date: null,
      device_hash: toDeviceHash(keys, device),
    })
    .execute()
  return { challengeToken, code }
}

export interface Answered {
  readonly hash: string
  readonly userId: string
}

/**
 * The open challenge of this purpose, user and client that the token names. Who cannot name one is refused before
 * anything is counted, so that no stranger spends the attempts of somebody else.
 */
export async function findOpenChallenge(
  db: Source,
  keys: Keys,
  ...named: Named
): Promise<{ readonly deviceHash: string | null } | undefined> {
  return db
    .selectFrom('challenges')
    .select('device_hash as deviceHash')
    .where(isOpen(keys, ...named))
    .executeTakeFirst()
}

/**
 * The open challenge that the token names, if it is of this purpose, user and client. Counts the try, so that parallel
 * tries share one budget. It stays open: `closeChallenge` uses it up.
 */
export async function tryChallenge(
  db: Source,
  keys: Keys,
  ...named: Named
): Promise<(Answered & { isRight(code: string): boolean }) | undefined> {
  const row = await db
    .updateTable('challenges')
    .set({ tries: sql<number>`tries + 1` })
    .where(isOpen(keys, ...named))
    .returning(['hash', 'user_id', 'code_hash'])
    .executeTakeFirst()
  if (!row) return undefined
  const { hash, user_id: userId, code_hash: codeHash } = row
  return {
    hash,
    userId,
    isRight: (code) => codeHash !== null && isEqualSecret(codeHash, keys.digest('code', `${hash}:${code}`)),
  }
}

/** A link in a mail may be opened in another app than the one that asked for it: then no client is named. */
type Named = [purpose: Purpose, challengeToken: string, userId: string, clientId?: string]

const isOpen =
  (keys: Keys, ...[purpose, challengeToken, userId, clientId]: Named) =>
  (where: ExpressionBuilder<Tables, 'challenges'>) =>
    where.and([
      where('hash', '=', keys.digest('challenge', challengeToken)),
      where('purpose', '=', purpose),
      where('used_date', 'is', null),
      where('tries', '<', mostTries),
      where('expires_date', '>', sql<Date>`now()`),
      where(sql<string>`user_id::text`, '=', userId.toLowerCase()),
      ...(clientId === undefined ? [] : [where('client_id', '=', clientId)]),
    ])

/** One use: false when another request was first. */
export async function closeChallenge(trx: Transaction<Tables>, { hash }: Answered): Promise<boolean> {
  const closed = await trx
    .updateTable('challenges')
    .set({ used_date: sql<Date>`now()` })
    .where('hash', '=', hash)
    .where('used_date', 'is', null)
    .executeTakeFirst()
  return closed.numUpdatedRows === 1n
}
