import { sql } from 'kysely'
import { sharedDate, sharedNow } from '../core/clock.ts'
import { BoundedMap } from '../core/BoundedMap.ts'
import type { Db } from '../db/client.ts'
import { createBatchedWrites } from './batchedWrites.ts'

export interface SessionActivity {
  /** The person of the session did something just now, or at the instant that a page reports. */
  seen(sessionId: string, at?: Date): void
  close(): Promise<void>
}

/** Of one session this often at most; the idle flow counts in minutes. */
const everyMs = 30_000
const maxSessions = 10_000

/** Keeps the last activity of sessions, written together now and then instead of once per call. */
export function createSessionActivity(db: Db, onProblem: (error: unknown) => void): SessionActivity {
  const writtenDates = new BoundedMap<string, number>(maxSessions)
  const writes = createBatchedWrites<number>((batch) => {
    const rows = sql.join(
      batch.map(([sessionId, at]) => sql`(${sessionId}::uuid, ${new Date(at).toISOString()}::timestamptz)`),
    )
    return sql`
      update sessions set last_seen_date = now(), active_date = greatest(active_date, seen.at)
      from (values ${rows}) as seen (session_id, at) where sessions.id = seen.session_id and ended_date is
      null`.execute(db)
  }, onProblem)

  return {
    seen: (sessionId, at = sharedDate()) => {
      // A page cannot report activity in the future.
      const when = Math.min(at.getTime(), sharedNow())
      // Either way: a clock that was set back must not keep people from being seen.
      if (Math.abs(when - (writtenDates.get(sessionId) ?? 0)) < everyMs) return
      writtenDates.set(sessionId, when)
      writes.set(sessionId, Math.max(when, writes.get(sessionId) ?? 0))
    },
    close: writes.close,
  }
}
