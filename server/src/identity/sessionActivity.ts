import { sql } from 'kysely'
import { sharedDate, sharedNow } from '../core/clock.ts'
import { BoundedMap } from '../core/BoundedMap.ts'
import type { Db } from '../db/client.ts'

export interface SessionActivity {
  /** The person of the session did something just now, or at the instant that a page reports. */
  seen(sessionId: string, at?: Date): void
  close(): Promise<void>
}

const flushMs = 5000
/** Of one session this often at most; the idle flow counts in minutes. */
const everyMs = 30_000
const maxSessions = 10_000

/** Keeps the last activity of sessions, written together now and then instead of once per call. */
export function createSessionActivity(db: Db, onProblem: (error: unknown) => void): SessionActivity {
  const writtenDates = new BoundedMap<string, number>(maxSessions)
  const pendingDates = new Map<string, number>()

  const write = async (): Promise<void> => {
    if (pendingDates.size === 0) return
    const batch = [...pendingDates]
    pendingDates.clear()
    const rows = sql.join(
      batch.map(([sessionId, at]) => sql`(${sessionId}::uuid, ${new Date(at).toISOString()}::timestamptz)`),
    )
    await sql`
      update sessions set last_seen_date = now(), active_date = greatest(active_date, seen.at)
      from (values ${rows}) as seen (session_id, at) where sessions.id = seen.session_id and ended_date is
      null`.execute(db)
  }
  // One after the other, so that closing waits for the write under way.
  let underWay = Promise.resolve()
  const flush = (): Promise<void> => (underWay = underWay.then(write).catch(onProblem))
  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()

  return {
    seen: (sessionId, at = sharedDate()) => {
      // A page cannot report activity in the future.
      const when = Math.min(at.getTime(), sharedNow())
      // Either way: a clock that was set back must not keep people from being seen.
      if (Math.abs(when - (writtenDates.get(sessionId) ?? 0)) < everyMs) return
      writtenDates.set(sessionId, when)
      pendingDates.set(sessionId, Math.max(when, pendingDates.get(sessionId) ?? 0))
    },
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
