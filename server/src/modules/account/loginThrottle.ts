import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { tooManyRequests } from '../../core/errors.ts'
import type { Keys } from '../../identity/keys.ts'
import { toAttemptKey, type LoginAttempt } from '../../identity/loginAttempts.ts'

const longestWaitSeconds = 900
const forgottenAfter = '1 hour'
/** Nobody has to wait longer: a block that ends later is one of a clock that was set back since. */
const longestWait = `${longestWaitSeconds + 1} seconds`
/** Long ago, so that it lies in the past whatever the clock does. */
const notBlocked = sql`to_timestamp(0)`
/** Attempts that wait for each other; a person does not make more at once. */
const mostWaiting = 50

export interface LoginThrottle {
  /**
   * One at a time for the same key: a person who signs in ten times at once is let in ten times, and of many wrong
   * attempts at once only the free ones are looked at. Throws 429 when too many wait already.
   */
  inTurn<T>(attempt: LoginAttempt, work: () => Promise<T>): Promise<T>
  /**
   * Counts an attempt before it is looked at, so that a flood is not looked at; throws 429 while one has to wait.
   * Returns the seconds that the next one will have to wait if this one is wrong.
   */
  reserve(attempt: LoginAttempt): Promise<number>
  /** The attempt was right: an account then starts anew, an address gets one attempt back. */
  release(attempt: LoginAttempt, how: 'all' | 'one'): Promise<void>
}

/** After `free` failures the n-th further one costs 2^n seconds, at most 15 minutes (P04). Keys are kept as hashes. */
export function createLoginThrottle(db: Db, keys: Keys): LoginThrottle {
  const lines = new Map<string, { last: Promise<unknown>; length: number; failures: number }>()
  return {
    inTurn: async ({ key, free }, work) => {
      const line = lines.get(key) ?? { last: Promise.resolve(), length: 0, failures: 0 }
      if (line.length >= mostWaiting) throw tooManyRequests(1)
      line.length += 1
      lines.set(key, line)
      const failuresBefore = line.failures
      const turn = line.last.then(() => {
        // Wrong ones went ahead while this one waited: however slow the machine is, of those at once only the free ones
        // are looked at.
        if (line.failures - failuresBefore >= free) throw tooManyRequests(1)
        return work()
      })
      line.last = turn.catch(() => {
        line.failures += 1
      })
      try {
        return await turn
      } finally {
        line.length -= 1
        if (line.length === 0) lines.delete(key)
      }
    },
    reserve: async (attempt) => {
      const key = toAttemptKey(keys, attempt)
      // A clinic's people come from one address and may do so at the same moment: a request that waited for the row has
      // to ask the clock again, since now() stands still at the instant this began, before the one ahead wrote its own.
      const counted = await sql<{ seconds: number }>`
        insert into login_attempts as g (key, failures, blocked_until, updated_date)
        values (${key}, 1, ${attempt.free <= 1 ? sql`now() + interval '1 second'` : notBlocked}, now())
        on conflict (key) do update set
          failures = case when g.updated_date < now() - ${forgottenAfter}::interval then 1 else g.failures + 1 end,
          blocked_until = case
            when g.updated_date < now() - ${forgottenAfter}::interval
              or g.failures + 1 < ${attempt.free}::int then ${notBlocked}
            else now() + make_interval(
              secs => least(power(2, least(g.failures + 1 - ${attempt.free}::int, 20)), ${longestWaitSeconds}::int)
            ) end,
          updated_date = now()
        where g.blocked_until <= clock_timestamp()
          or g.blocked_until > clock_timestamp() + ${longestWait}::interval
        returning greatest(0, extract(epoch from blocked_until - now()))::int as seconds`.execute(db)
      if (counted.rows[0]) return counted.rows[0].seconds
      const waiting = await sql<{
        seconds: number
      }>`select extract(epoch from blocked_until - now())::float8 as seconds from login_attempts where key = ${key}`.execute(
        db,
      )
      throw tooManyRequests(waiting.rows[0]?.seconds ?? 1)
    },
    release: async (attempt, how) => {
      const key = toAttemptKey(keys, attempt)
      if (how === 'all') await db.deleteFrom('login_attempts').where('key', '=', key).execute()
      else await sql`update login_attempts set failures = greatest(failures - 1, 0) where key = ${key}`.execute(db)
    },
  }
}
