import type { ReleaseFigures } from '@dmp/contract/releaseCalls'
import { loadFaults, type Observation } from '@dmp/contract/releaseReport'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isBlamed } from './rollbackPolicy.ts'

/** Load times are counted in steps, so that no row is about a single page. */
const stepsMs = [50, 100, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 10_000, 30_000] as const

const slowestStepMs = 600_000

const toStep = (ms: number): number => stepsMs.find((step) => ms <= step) ?? slowestStepMs

/** The release that figures are about. */
export interface MetricsQuery {
  readonly name: string
  readonly releaseId: string
}

/** Whose page told something: a pseudonym for each release, and the organization. */
export interface Teller {
  toAffectedUser(releaseId: string): string
  readonly organizationId: string
}

/** What all pages told of a release, and what those of each organization told, by its id. */
export interface Evidence {
  readonly all: ReleaseFigures
  readonly byOrganization: ReadonlyMap<string, ReleaseFigures>
}

/** Between what the pages of one organization told and its id; no word that a page can use contains it. */
const ofOrganization = '@'

/** Counts the observations of one page, for everybody and for its organization, and the person whose page failed. */
export async function recordObservations(
  db: Db,
  observations: readonly Observation[],
  { toAffectedUser, organizationId }: Teller,
): Promise<void> {
  if (observations.length === 0) return
  const rows = new Map<string, { part: string; release_id: string; what: string }>()
  for (const { part, releaseId, what, ms } of observations) {
    const metrics = [
      what,
      what + ofOrganization + organizationId,
      ...(what === 'loaded' && ms !== undefined ? [`ms:${toStep(ms)}`] : []),
    ]
    for (const metric of metrics)
      rows.set(`${part} ${releaseId} ${metric}`, { part, release_id: releaseId, what: metric })
  }
  await addCounts(db, rows)
  const failures = observations.filter(({ what }) => isBlamed(what))
  if (failures.length === 0) return
  const affectedUsers = new Map(
    failures.map(({ part, releaseId }) => [
      `${part} ${releaseId}`,
      { part, release_id: releaseId, user_hash: toAffectedUser(releaseId), organization_id: organizationId },
    ]),
  )
  await db
    .insertInto('affected_users')
    .values([...affectedUsers.values()])
    .onConflict((row) => row.doNothing())
    .execute()
}

/** Counts what pages told without anybody whose report counts: for people to look at, and for nothing else. */
export async function recordStrangers(db: Db, failures: readonly Observation[]): Promise<void> {
  const rows = failures.map(({ part, releaseId }) => ({ part, release_id: releaseId, what: 'stranger' }))
  if (rows.length > 0) await addCounts(db, new Map(rows.map((row) => [`${row.part} ${row.release_id}`, row])))
}

/** Counts the pages that have a release now. */
export async function recordOpenPages(
  db: Db,
  releases: readonly { readonly part: string; readonly releaseId: string }[],
): Promise<void> {
  const rows = releases.map(({ part, releaseId }) => ({ part, release_id: releaseId, what: 'open' }))
  if (rows.length > 0) await addCounts(db, new Map(rows.map((row) => [`${row.part} ${row.release_id}`, row])))
}

async function addCounts(
  db: Db,
  rows: ReadonlyMap<string, { part: string; release_id: string; what: string }>,
): Promise<void> {
  const minute = sql<Date>`date_trunc('minute', now())`
  // Sorted, so that two servers that count the same rows cannot deadlock.
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
}

/** Figures of a release between two instants. */
export async function getMetrics(
  db: Db,
  { name, releaseId }: MetricsQuery,
  from: Date,
  to = new Date(),
): Promise<ReleaseFigures> {
  const rows = await sumPages(db, { name, releaseId }, from, to)
    .where('what', 'not like', `%${ofOrganization}%`)
    .execute()
  return toFigures(new Map(rows.map(({ what, pages }) => [what, pages])))
}

/** What speaks for and against a release between two instants, also of each organization by itself. */
export async function getEvidence(db: Db, query: MetricsQuery, from: Date, to = new Date()): Promise<Evidence> {
  const byOrganization = new Map<string, Map<string, number>>()
  for (const { what, pages } of await sumPages(db, query, from, to).execute()) {
    const [metric = '', organizationId = ''] = what.split(ofOrganization)
    const pagesByMetric = byOrganization.get(organizationId) ?? new Map<string, number>()
    byOrganization.set(organizationId, pagesByMetric.set(metric, pages))
  }
  const all = toFigures(byOrganization.get('') ?? new Map())
  byOrganization.delete('')
  return { all, byOrganization: new Map([...byOrganization].map(([id, pages]) => [id, toFigures(pages)])) }
}

function sumPages(db: Db, { name, releaseId }: MetricsQuery, from: Date, to: Date) {
  return (
    db
      .selectFrom('release_reports')
      .select(['what', sql<number>`sum(pages)::int`.as('pages')])
      .where('part', '=', name)
      .where('release_id', '=', releaseId)
      // Includes every minute that starts in the interval, and the one that contains its start.
      .where('minute', '>=', sql<Date>`date_trunc('minute', ${from}::timestamptz)`)
      .where('minute', '<=', to)
      .groupBy('what')
  )
}

function toFigures(pagesByMetric: ReadonlyMap<string, number>): ReleaseFigures {
  const faults = loadFaults.flatMap((fault) =>
    pagesByMetric.has(fault) ? [{ fault, pages: pagesByMetric.get(fault) ?? 0 }] : [],
  )
  const failures = faults.reduce((sum, { pages }) => sum + pages, 0)
  const errors = pagesByMetric.get('error') ?? 0
  // A page may show a remote long after it was served, so that more pages tell of it than asked for it at once; and a
  // page that failed altogether tells nothing.
  const pages = Math.max((pagesByMetric.get('loaded') ?? 0) + failures, pagesByMetric.get('served') ?? 0)
  return {
    pages,
    failures,
    errors,
    badShare: pages + errors === 0 ? null : Math.min(1, (failures + errors) / Math.max(pages, 1)),
    loadMsP75: findP75(pagesByMetric),
    strangers: pagesByMetric.get('stranger') ?? 0,
    faults,
  }
}

function findP75(pagesByMetric: ReadonlyMap<string, number>): number | null {
  const counts = [...stepsMs, slowestStepMs].map((step) => ({ step, pages: pagesByMetric.get(`ms:${step}`) ?? 0 }))
  let remainingPages = counts.reduce((sum, { pages }) => sum + pages, 0) * 0.75
  if (remainingPages === 0) return null
  return counts.find(({ pages }) => (remainingPages -= pages) <= 0)?.step ?? null
}
