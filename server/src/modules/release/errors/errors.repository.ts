import { createHash } from 'node:crypto'
import { limits } from '@dmp/contract'
import type { SourcePlace } from '@dmp/contract/releaseErrors'
import { sql } from 'kysely'
import type { Db, Source } from '../../../db/client.ts'
import type { Place } from './sourcePlaces.ts'

/** An error that a page told of, with the places of its stack in the sources. */
export interface ToldError {
  readonly part: string
  readonly releaseId: string
  readonly name: string
  readonly message: string
  readonly places: readonly Place[]
  readonly browser: string
  /** In UTC, as `2026-11-26`. */
  readonly day: string
  /** The person for one group and one day, and for nothing else. */
  toPersonHash(groupId: string): string
}

/** So many innermost places make a group: further out it says how somebody came there. */
const placesOfGroup = 3

/** Lines shift from release to release; what stands at a place in the sources stays. */
const toKey = ({ file, line, column, name, isMapped }: Place): string =>
  !isMapped ? `${file.replace(/\.[0-9a-f]{8}(?=\.js$)/, '')}:${line}:${column}` : `${file} ${name ?? `line ${line}`}`

export const toGroupId = ({ name, message, places }: Pick<ToldError, 'name' | 'message' | 'places'>): string =>
  createHash('sha256')
    .update([name, message, ...places.slice(0, placesOfGroup).map(toKey)].join('\n'))
    .digest('hex')
    .slice(0, 32)

/** Counts one report of an error. */
export async function recordError(db: Db, error: ToldError): Promise<void> {
  const { part, name, message, releaseId, browser, day } = error
  const id = toGroupId(error)
  const stack = JSON.stringify(
    error.places.map(({ file, line, column, name: what }): SourcePlace => ({ file, line, column, name: what })),
  )
  await db.transaction().execute(async (trx) => {
    const { isNew } = await trx
      .insertInto('release_errors')
      .values({ part, id, name, message, stack })
      // Held until the end: counts of one group are written one after the other.
      .onConflict((row) => row.columns(['part', 'id']).doUpdateSet({ last_date: sql<Date>`now()`, stack }))
      .returning(sql<boolean>`xmax = 0`.as('isNew'))
      .executeTakeFirstOrThrow()
    const known = await trx
      .insertInto('release_error_people')
      .values({ part, id, day, person_hash: error.toPersonHash(id) })
      .onConflict((row) => row.doNothing())
      .returning('id')
      .executeTakeFirst()
    const counted = [`release ${releaseId}`, `browser ${browser}`, ...(known === undefined ? [] : ['people'])]
    await trx
      .insertInto('release_error_counts')
      .values(counted.map((what) => ({ part, id, day, what, count: 1 })))
      .onConflict((row) =>
        row.columns(['part', 'id', 'day', 'what']).doUpdateSet({ count: sql<number>`release_error_counts.count + 1` }),
      )
      .execute()
    if (isNew) await makeRoom(trx, part, id)
  })
}

/** Those that the fewest people met go first: what one page made up does not push out what many met. */
async function makeRoom(db: Source, part: string, newId: string): Promise<void> {
  await sql`
    delete from release_errors where part = ${part} and id in (
      select known.id from release_errors known
      left join (
        select id, max(count) as people from release_error_counts
        where part = ${part} and what = 'people' group by id) met on met.id = known.id
      where known.part = ${part} and known.id <> ${newId}
      order by coalesce(met.people, 0) desc, known.last_date desc, known.id
      offset ${limits.errorGroupsPerPart - 1})`.execute(db)
}

export interface KeptGroup {
  readonly id: string
  readonly name: string
  readonly message: string
  readonly stack: readonly SourcePlace[]
  readonly firstDate: string
  readonly lastDate: string
  readonly people: number
  readonly releases: readonly { readonly releaseId: string; readonly reports: number }[]
  readonly browsers: readonly { readonly name: string; readonly reports: number }[]
}

/** The groups of a part, newest first. */
export async function listGroups(db: Db, part: string): Promise<KeptGroup[]> {
  const groups = await db
    .selectFrom('release_errors')
    .select(['id', 'name', 'message', 'stack', 'first_date', 'last_date'])
    .where('part', '=', part)
    .orderBy('last_date', 'desc')
    .orderBy('id')
    .limit(limits.errorGroupsPerPart)
    .execute()
  const counts = await db
    .selectFrom('release_error_counts')
    .select(['id', 'what', sql<number>`sum(count)::int`.as('sum'), sql<number>`max(count)::int`.as('most')])
    .where('part', '=', part)
    .groupBy(['id', 'what'])
    .orderBy('sum', 'desc')
    .orderBy('what')
    .orderBy('id')
    .execute()
  return groups.map(({ id, name, message, stack, first_date, last_date }) => {
    const own = counts.filter((count) => count.id === id)
    const listOf = (prefix: string) =>
      own.flatMap(({ what, sum }) => (what.startsWith(prefix) ? [{ of: what.slice(prefix.length), reports: sum }] : []))
    return {
      id,
      name,
      message,
      stack,
      firstDate: first_date.toISOString(),
      lastDate: last_date.toISOString(),
      people: own.find(({ what }) => what === 'people')?.most ?? 0,
      releases: listOf('release ').map(({ of, reports }) => ({ releaseId: of, reports })),
      browsers: listOf('browser ').map(({ of, reports }) => ({ name: of, reports })),
    }
  })
}
