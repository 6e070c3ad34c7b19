import { randomInt } from 'node:crypto'
import { sql, type ExpressionBuilder, type Transaction } from 'kysely'
import { isEqualSecret } from '../../core/isEqualSecret.ts'
import type { Source } from '../../db/client.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { ChallengeTable } from '../../db/tables/account.ts'
import type { Keys } from '../../identity/keys.ts'
import { createSecret } from '../../identity/sessions.ts'

type Purpose = ChallengeTable['purpose']

/** Wrong codes that one challenge bears; the account's own budget (the login throttle) is not refilled by a new one. */
const mostTries = 5

interface Challenge {
  /** The secret that the client sends back; kept as a hash. */
  readonly challengeToken: string
  /** 6 digits, for MFA only. */
  readonly code: string
}

/**
 * A new challenge replaces those of the same purpose that the user has not answered: the newest mail is the one that
 * counts.
 */
export async function openChallenge(
  trx: Transaction<Tables>,
  keys: Keys,
  purpose: Purpose,
  userId: string,
  clientId: string,
  minutes: number,
): Promise<Challenge> {
  // Ended, not deleted: how many were opened lately is counted.
  await trx
    .updateTable('challenges')
    .set({ expires_date: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_date', 'is', null)
    .where('expires_date', '>', sql<Date>`now()`)
    .execute()
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
    })
    .execute()
  return { challengeToken, code }
}

export interface Answered {
  readonly hash: string
  readonly userId: string
}

/**
 * Whether the token names an open challenge of this purpose, user and client. Who cannot name one is refused before
 * anything is counted, so that no stranger spends the attempts of somebody else.
 */
export async function isChallengeOpen(db: Source, keys: Keys, ...named: Named): Promise<boolean> {
  const row = await db
    .selectFrom('challenges')
    .select('hash')
    .where(isOpen(keys, ...named))
    .executeTakeFirst()
  return row !== undefined
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
