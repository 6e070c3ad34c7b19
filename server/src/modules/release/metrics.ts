import type { ReleaseFigures } from '@dmp/contract/releaseCalls'
import { loadFaults, type Observation } from '@dmp/contract/releaseReport'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Load times are counted in steps, so that nothing has to be kept of a single page. */
const steps = [50, 100, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 10_000, 30_000] as const

const stepOf = (ms: number): number => steps.find((step) => ms <= step) ?? 600_000

/** What a figure is wanted of: a release, and from when on. */
export interface MetricsQuery {
  readonly name: string
  readonly releaseId: string
}

/** Counts what one page saw, and who met a failure. */
export async function count(
  db: Db,
  seen: readonly Observation[],
  affectedUser: (releaseId: string) => string,
): Promise<void> {
  const rows = new Map<string, { part: string; release_id: string; what: string }>()
  for (const { part, releaseId, what, ms } of seen) {
    const all = [what, ...(what === 'loaded' && ms !== undefined ? [`ms:${stepOf(ms)}`] : [])]
    for (const one of all) rows.set(`${part} ${releaseId} ${one}`, { part, release_id: releaseId, what: one })
  }
  const minute = sql<Date>`date_trunc('minute', now())`
  // In one order, so that two servers that count the same rows wait for each other instead of locking each other out.
  const values = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => ({ ...row, minute, pages: 1 }))
  await db
    .insertInto('release_reports')
    .values(values)
    .onConflict((row) =>
      row
        .columns(['part', 'release_id', 'minute', 'what'])
        .doUpdateSet({ pages: sql<number>`release_reports.pages + 1` }),
    )
    .execute()
  const bad = seen.filter(({ what }) => what !== 'loaded')
  if (bad.length === 0) return
  const witnesses = new Map(
    bad.map(({ part, releaseId }) => [
      `${part} ${releaseId}`,
      { part, release_id: releaseId, user_hash: affectedUser(releaseId) },
    ]),
  )
  await db
    .insertInto('affected_users')
    .values([...witnesses.values()])
    .onConflict((row) => row.doNothing())
    .execute()
}

/** Figures of a release between two instants. */
export async function getMetrics(
  db: Db,
  { name, releaseId }: MetricsQuery,
  from: Date,
  to = new Date(),
): Promise<ReleaseFigures> {
  const rows = await db
    .selectFrom('release_reports')
    .select(['what', sql<number>`sum(pages)::int`.as('pages')])
    .where('part', '=', name)
    .where('release_id', '=', releaseId)
    // A minute counts when it has begun in between, the one in which it began too.
    .where('minute', '>=', sql<Date>`date_trunc('minute', ${from}::timestamptz)`)
    .where('minute', '<=', to)
    .groupBy('what')
    .execute()
  const pagesOf = new Map(rows.map(({ what, pages }) => [what, pages]))
  const faults = loadFaults.flatMap((fault) => (pagesOf.has(fault) ? [{ fault, pages: pagesOf.get(fault) ?? 0 }] : []))
  const failures = faults.reduce((sum, { pages }) => sum + pages, 0)
  const errors = pagesOf.get('error') ?? 0
  const pages = (pagesOf.get('loaded') ?? 0) + failures
  return {
    pages,
    failures,
    errors,
    badShare: pages + errors === 0 ? null : Math.min(1, (failures + errors) / Math.max(pages, 1)),
    loadMsP75: p75(pagesOf),
    faults,
  }
}

function p75(pagesOf: ReadonlyMap<string, number>): number | null {
  const counts = [...steps, 600_000].map((step) => ({ step, pages: pagesOf.get(`ms:${step}`) ?? 0 }))
  let left = counts.reduce((sum, { pages }) => sum + pages, 0) * 0.75
  if (left === 0) return null
  return counts.find(({ pages }) => (left -= pages) <= 0)?.step ?? null
}

/** How many people met a failure of a release. */
export async function listAffectedUsers(db: Db, { name, releaseId }: MetricsQuery): Promise<number> {
  const { people } = await db
    .selectFrom('affected_users')
    .select(sql<number>`count(*)::int`.as('people'))
    .where('part', '=', name)
    .where('release_id', '=', releaseId)
    .executeTakeFirstOrThrow()
  return people
}
