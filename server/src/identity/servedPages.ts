import { sql } from 'kysely'
import { BoundedMap } from '../core/BoundedMap.ts'
import type { Db } from '../db/client.ts'

export interface ServedRelease {
  readonly part: string
  readonly releaseId: string
}

export interface ServedPages {
  /** A page went to the browser of a session: made of these releases, of which it asks for some at once. */
  served(sessionId: string, releases: readonly ServedRelease[], needed: readonly ServedRelease[]): void
  /**
   * Takes one page of the session for each of the releases, and returns those of which one was left. The page on which
   * a session began was served before it, so one more page than was counted is taken for granted.
   */
  spend<R extends ServedRelease>(sessionId: string, told: readonly R[], what: 'loaded' | 'failed'): Promise<R[]>
  close(): Promise<void>
}

const flushMs = 250
/** Of the pages of one session one in so long counts for the share of pages that fail. */
const everyMs = 1000
const maxSessions = 10_000
const maxPending = 20_000

/** Counts served pages in memory and writes them together, so that no page waits for the database. */
export function createServedPages(db: Db, onProblem: (error: unknown) => void): ServedPages {
  const pending = new Map<string, { sessionId: string; part: string; releaseId: string; pages: number }>()
  const needed = new Map<string, { part: string; release_id: string; pages: number }>()
  const countedAt = new BoundedMap<string, number>(maxSessions)

  const write = async (): Promise<void> => {
    const [rows, shares] = [sorted(pending), sorted(needed)]
    pending.clear()
    needed.clear()
    if (rows.length > 0) await writeServed(db, rows)
    if (shares.length > 0) await writeShares(db, shares)
  }
  // One after the other, so that closing waits for the write under way.
  let underWay = Promise.resolve()
  const flush = (): Promise<void> => (underWay = underWay.then(write).catch(onProblem))
  const timer = setInterval(() => void (pending.size > 0 && flush()), flushMs)
  timer.unref()

  return {
    served: (sessionId, releases, asked) => {
      for (const { part, releaseId } of releases) {
        const key = `${sessionId} ${part} ${releaseId}`
        const known = pending.get(key)
        if (known) known.pages += 1
        else if (pending.size < maxPending) pending.set(key, { sessionId, part, releaseId, pages: 1 })
      }
      if (performance.now() - (countedAt.get(sessionId) ?? -Infinity) < everyMs) return
      countedAt.set(sessionId, performance.now())
      for (const { part, releaseId } of asked) {
        const key = `${part} ${releaseId}`
        needed.set(key, { part, release_id: releaseId, pages: (needed.get(key)?.pages ?? 0) + 1 })
      }
    },
    spend: async (sessionId, told, what) => {
      if (told.length === 0) return []
      await flush()
      return spendPages(db, sessionId, told, what)
    },
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

/** In one order, so that two servers that count the same rows cannot deadlock. */
const sorted = <T>(rows: ReadonlyMap<string, T>): T[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)

async function writeServed(
  db: Db,
  rows: readonly { sessionId: string; part: string; releaseId: string; pages: number }[],
): Promise<void> {
  const values = sql.join(
    rows.map(
      ({ sessionId, part, releaseId, pages }) => sql`(${sessionId}::uuid, ${part}, ${releaseId}, ${pages}::int)`,
    ),
  )
  await sql`
    insert into served_pages (session_id, part, release_id, pages)
    select served.session_id, served.part, served.release_id, served.pages
    from (values ${values}) as served (session_id, part, release_id, pages)
    join sessions on sessions.id = served.session_id
    on conflict (session_id, part, release_id)
    do update set pages = served_pages.pages + excluded.pages, seen_date = now()`.execute(db)
}

/** Beside what pages tell: the same rows, under a word that no page can use. */
async function writeShares(
  db: Db,
  rows: readonly { part: string; release_id: string; pages: number }[],
): Promise<void> {
  const minute = sql<Date>`date_trunc('minute', now())`
  await db
    .insertInto('release_reports')
    .values(rows.map((row) => ({ ...row, what: 'served', minute })))
    .onConflict((row) =>
      row
        .columns(['part', 'release_id', 'minute', 'what'])
        .doUpdateSet({ pages: sql<number>`release_reports.pages + excluded.pages` }),
    )
    .execute()
}

async function spendPages<R extends ServedRelease>(
  db: Db,
  sessionId: string,
  told: readonly R[],
  what: 'loaded' | 'failed',
): Promise<R[]> {
  const byKey = new Map(told.map((release) => [`${release.part} ${release.releaseId}`, release]))
  const values = sql.join(
    sorted(byKey).map(({ part, releaseId }) => sql`(${sessionId}::uuid, ${part}, ${releaseId}, 1)`),
  )
  const column = sql.ref(what)
  const { rows } = await sql<{ part: string; release_id: string }>`
    insert into served_pages as known (session_id, part, release_id, ${column}) values ${values}
    on conflict (session_id, part, release_id)
    do update set ${column} = known.${column} + 1, seen_date = now() where known.${column} <= known.pages
    returning part, release_id`.execute(db)
  return rows.flatMap(({ part, release_id }) => byKey.get(`${part} ${release_id}`) ?? [])
}
