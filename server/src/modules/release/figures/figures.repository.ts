import {
  pageTimeKinds,
  type PageTime,
  type PageTimeKind,
  type ShownTime,
  type TimeBudget,
} from '@dmp/contract/releaseFigures'
import { sql, type Transaction } from 'kysely'
import type { Db, Source } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'

/** In milliseconds, or thousandths of the page: fine where people begin to notice. */
const steps = [
  10, 25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000, 6000,
  8000, 10_000, 15_000, 20_000, 30_000, 60_000,
] as const
const lastStep = 60_000

const toStep = (value: number): number => steps.find((step) => value <= step) ?? lastStep

/** Counts what one page told: no row is about a single page. */
export async function recordTimes(db: Db, times: readonly PageTime[], day: string): Promise<void> {
  const rows = times.flatMap(({ part, releaseId, what, value }) =>
    what === 'open' ? [] : [{ part, release_id: releaseId, day, what, step: toStep(value), pages: 1 }],
  )
  if (rows.length === 0) return
  await db
    .insertInto('release_times')
    .values(byKey(rows, (row) => `${row.part} ${row.release_id} ${row.what}`))
    .onConflict((row) =>
      row
        .columns(['part', 'release_id', 'day', 'what', 'step'])
        .doUpdateSet({ pages: sql<number>`release_times.pages + 1` }),
    )
    .execute()
}

/** Each once, and sorted, so that two servers that count the same rows cannot deadlock. */
const byKey = <T>(rows: readonly T[], toKey: (row: T) => string): T[] =>
  [...new Map(rows.map((row) => [toKey(row), row]))].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)

/** What pages needed, by release; those that were told of last come first. */
export async function listTimes(db: Source, part: string): Promise<ReadonlyMap<string, ShownTime[]>> {
  const rows = await db
    .selectFrom('release_times')
    .select(['release_id', 'what', 'step', sql<number>`sum(pages)::int`.as('pages')])
    .where('part', '=', part)
    .groupBy(['release_id', 'what', 'step'])
    .orderBy(sql`max(max(day)) over (partition by release_id)`, 'desc')
    .orderBy('release_id')
    .orderBy('step')
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ release_id }) => release_id)].map(([releaseId, of]) => [
      releaseId,
      pageTimeKinds.flatMap(
        (what) =>
          toShownTime(
            what,
            of.filter((row) => row.what === what),
          ) ?? [],
      ),
    ]),
  )
}

function toShownTime(
  what: PageTimeKind,
  counts: readonly { readonly step: number; readonly pages: number }[],
): ShownTime | undefined {
  const pages = counts.reduce((sum, count) => sum + count.pages, 0)
  if (pages === 0) return undefined
  const findStep = (share: number): number => {
    let left = pages * share
    return counts.find((count) => (left -= count.pages) <= 0)?.step ?? lastStep
  }
  return { what, p75: findStep(0.75), p95: findStep(0.95), pages }
}

interface OpenPages {
  readonly openPages: number
  readonly mostOpenPages: number
}

/** Pages say once an hour that they are there: those of one hour are different ones. */
export async function listOpenPages(db: Db, part: string): Promise<ReadonlyMap<string, OpenPages>> {
  const rows = await db
    .selectFrom('release_reports')
    .select([
      'release_id',
      sql<number>`floor(extract(epoch from now() - minute) / 3600)::int`.as('hour'),
      sql<number>`sum(pages)::int`.as('pages'),
    ])
    .where('part', '=', part)
    .where('what', '=', 'open')
    .where('minute', '>', sql<Date>`now() - interval '24 hours'`)
    .groupBy(['release_id', 'hour'])
    .orderBy('release_id')
    .orderBy('hour')
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ release_id }) => release_id)].map(([releaseId, hours]) => [
      releaseId,
      {
        openPages: hours.find(({ hour }) => hour <= 0)?.pages ?? 0,
        mostOpenPages: Math.max(...hours.map(({ pages }) => pages)),
      },
    ]),
  )
}

export async function listBudgets(db: Source, part: string): Promise<TimeBudget[]> {
  const rows = await db
    .selectFrom('release_budgets')
    .select(['what', 'p75'])
    .where('part', '=', part)
    .orderBy('what')
    .execute()
  return pageTimeKinds.flatMap((kind) => rows.filter(({ what }) => what === kind))
}

export async function replaceBudgets(
  trx: Transaction<Tables>,
  part: string,
  budgets: readonly TimeBudget[],
): Promise<void> {
  await trx.deleteFrom('release_budgets').where('part', '=', part).execute()
  if (budgets.length > 0)
    await trx
      .insertInto('release_budgets')
      .values(budgets.map(({ what, p75 }) => ({ part, what, p75 })))
      .execute()
}

/** Fewer pages than this say nothing about most people. */
const leastPages = 20

/** What needs longer than it may. */
export const findOverBudget = (times: readonly ShownTime[], budgets: readonly TimeBudget[]) =>
  times.flatMap((time) => {
    const budget = budgets.find(({ what }) => what === time.what)
    return budget !== undefined && time.pages >= leastPages && time.p75 > budget.p75
      ? [{ what: time.what, p75: time.p75, budget: budget.p75 }]
      : []
  })
