import type { PageTimeKind } from '@dmp/contract/releaseFigures'
import type { SourcePlace } from '@dmp/contract/releaseErrors'
import { readRegistry, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../db/tables/index.ts'
import { findSpent } from '../errorBudget.ts'
import { findGiven } from '../figures/figures.ts'
import { findOverBudget, listBudgets, listTimes } from '../figures/figures.repository.ts'
import type { ReleaseDependencies } from '../reports.ts'

/** A release that people do not get any more. Why stands at the platform screen: it may name customers. */
export interface TakenBack {
  readonly version: number
  readonly change: 'rollback' | 'stop'
  readonly at: string
  /** Not by a person. */
  readonly isAutomatic: boolean
}

/** `errors`: a canary that failed on `percent` of its pages; otherwise what three of four pages need. */
export type SpentBudget =
  | { readonly what: 'errors'; readonly releaseId: string; readonly percent: number; readonly budget: number }
  | { readonly what: PageTimeKind; readonly releaseId: string; readonly p75: number; readonly budget: number }

export interface NewError {
  readonly name: string
  readonly message: string
  readonly place: SourcePlace | null
}

export interface News {
  readonly takenBack: readonly TakenBack[]
  readonly spent: readonly SpentBudget[]
  /** The first of those that are new, and how many there are. */
  readonly errors: readonly NewError[]
  readonly errorCount: number
}

/** What speaks of a part outside of the rows that a transaction locks. */
export interface Situation {
  readonly version: number
  readonly takenBack: readonly TakenBack[]
  readonly spent: readonly SpentBudget[]
  /** The releases that people get. */
  readonly given: readonly string[]
}

const isTakenBack = (change: string): change is TakenBack['change'] => change === 'rollback' || change === 'stop'

export async function readSituation(
  deps: Pick<ReleaseDependencies, 'db' | 'settings'>,
  store: ReleaseStore,
  part: string,
): Promise<Situation> {
  const { version = 0, history = [] } = (await readRegistry(store)) ?? {}
  const given = (await findGiven(store, part)).map(({ releaseId }) => releaseId)
  return {
    version,
    takenBack: history.flatMap(({ parts, change, version: of, at, by }) =>
      parts.includes(part) && isTakenBack(change)
        ? [{ version: of, change, at, isAutomatic: by === 'automatic' || by.startsWith('monitor ') }]
        : [],
    ),
    spent: await listSpent(deps, part, given, store),
    given,
  }
}

async function listSpent(
  deps: Pick<ReleaseDependencies, 'db' | 'settings'>,
  part: string,
  given: readonly string[],
  store: ReleaseStore,
): Promise<SpentBudget[]> {
  const [budgets, times] = await Promise.all([listBudgets(deps.db, part), listTimes(deps.db, part)])
  const spent = await Promise.all(
    given.map(async (releaseId) => {
      const errors = await findSpent(deps, store, { name: part, releaseId })
      const ofErrors: SpentBudget[] = errors
        ? [{ what: 'errors', releaseId, percent: errors.percent, budget: deps.settings.releaseErrorBudget }]
        : []
      const ofTimes = findOverBudget(times.get(releaseId) ?? [], budgets).map((over) => ({ ...over, releaseId }))
      return [...ofErrors, ...ofTimes]
    }),
  )
  return spent.flat()
}

/** Named in what is sent; the page of the part has all. */
const mostNamed = 10

/** Errors that nobody was told of. From now on they are told. */
export async function takeNewErrors(
  trx: Transaction<Tables>,
  part: string,
): Promise<Pick<News, 'errors' | 'errorCount'>> {
  const rows = await trx
    .selectFrom('release_errors')
    .leftJoin('release_errors_told as told', (join) =>
      join.onRef('told.part', '=', 'release_errors.part').onRef('told.id', '=', 'release_errors.id'),
    )
    .select(['release_errors.id', 'name', 'message', 'stack'])
    .where('release_errors.part', '=', part)
    .where('told.id', 'is', null)
    .orderBy('last_date', 'desc')
    .orderBy('release_errors.id')
    .execute()
  if (rows.length > 0)
    await trx
      .insertInto('release_errors_told')
      .values(rows.map(({ id }) => ({ part, id })))
      .execute()
  // What is gone would be news again.
  await sql`delete from release_errors_told told where part = ${part} and not exists (
    select from release_errors known where known.part = told.part and known.id = told.id)`.execute(trx)
  const named = rows.slice(0, mostNamed)
  return {
    errors: named.map(({ name, message, stack }) => ({ name, message, place: stack[0] ?? null })),
    errorCount: rows.length,
  }
}
