import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { isTooLong } from '../../../db/patience.ts'
import { countedOfMany } from './scanSearch.ts'

/** What is searched for in a table of many rows. */
export interface Wanted {
  readonly name: 'series' | 'study_summaries'
  /** The table as `m`, or what it is joined with for its order. */
  readonly rows: RawBuilder<unknown>
  readonly key: RawBuilder<unknown>
  /** Whose rows, and which of an order: what the index of the order finds by itself. */
  readonly range: RawBuilder<unknown>
  /** Everything that a row must match. */
  readonly matches: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  readonly size: number
  readonly offset: number
  /** About so many rows are there. */
  readonly among: number
}

interface Found {
  /** Of the page's rows, in their order. */
  readonly keys: string[]
  readonly total: number
}

interface Bounds {
  /** Rows of an order that are looked at first, and at most before the index of words is asked. */
  readonly first: number
  readonly most: number
  /** Rows that match of which the index of words fetches and sorts all. */
  readonly few: number
  /** How long a page that is found waits for the number of all that match. */
  readonly countMs: number
}
const usual: Bounds = { first: 2_000, most: 20_000, few: 10_000, countMs: 250 }

/**
 * A page of what matches, and how many match, to a thousand. An index of words finds what is rare; of what stands in
 * one row of a hundred it would fetch and sort every row, which takes seconds among millions, while the page is at the
 * beginning of the order. So that is looked at first (docs/decisions/0192).
 */
export async function findAmongMany(db: Db, wanted: Wanted, { first, most, few, countMs } = usual): Promise<Found> {
  const { size, offset, among } = wanted
  let seen = await look(db, wanted, first)
  /** Rows that match, and rows that have the page, if what follows is like what was seen. */
  const matching = (seen.found / seen.looked) * among
  const promised = seen.found === 0 ? Infinity : Math.ceil((1.5 * first * (offset + size)) / seen.found)
  if (!seen.isEnough && matching > few && promised <= most) seen = await look(db, wanted, promised)
  if (seen.isWhole) return { keys: seen.keys, total: Math.min(seen.found, countedOfMany) }
  if (seen.isEnough) return { keys: seen.keys, total: await countInTime(db, wanted, seen.found, countMs) }
  const found = await findFew(db, wanted, few)
  if (found) return found
  // Each row that matches costs the index about twice what a row of the order costs.
  const far = promised < 2 * Math.max(matching, few) ? await look(db, wanted, promised) : undefined
  return { keys: far?.isEnough ? far.keys : await sortAll(db, wanted), total: countedOfMany }
}

interface Look {
  readonly looked: number
  readonly found: number
  readonly keys: string[]
  /** There are no further rows. */
  readonly isWhole: boolean
  readonly isEnough: boolean
}

/** What matches among the first rows of the order. */
async function look(db: Db, wanted: Wanted, count: number): Promise<Look> {
  const { rows: from, key, range, matches, order, size, offset } = wanted
  const { rows } = await sql<Pick<Look, 'looked' | 'found' | 'keys'>>`with near as materialized (
      select ${key} as key, ${matches} as is_found from (
        select * from ${from} where ${range} order by ${order} limit ${count}::int) m)
    select count(*)::int as looked, (count(*) filter (where is_found))::int as found,
      array(select key from near where is_found limit ${size}::int offset ${offset}::bigint) as keys
    from near`.execute(db)
  const { looked = 0, found = 0, keys = [] } = rows[0] ?? {}
  return { looked, found, keys, isWhole: looked < count, isEnough: found >= offset + size }
}

/**
 * Gives the index of words room for every row that it names. Without it PostgreSQL notes whole pages, and compares the
 * text of all of their rows once more: ten times as long where a word stands in a tenth of the rows.
 */
const withRoom = <T>(db: Db, ask: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`set local work_mem = '64MB'`.execute(trx)
    return ask(trx)
  })
const askIndex = <Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> =>
  withRoom(db, async (trx) => (await query.execute(trx)).rows)

async function findFew(
  db: Db,
  { rows: from, key, matches, order, size, offset }: Wanted,
  few: number,
): Promise<Found | undefined> {
  const rows = await askIndex(
    db,
    sql<Found>`with found as materialized (
      select ${key} as key, row_number() over (order by ${order}) as position from (
        select * from ${from} where ${matches} limit ${few + 1}::int) m)
    select count(*)::int as total, array(select key from found
      where position > ${offset}::bigint and position <= ${offset + size}::bigint order by position) as keys
    from found`,
  )
  const [found] = rows
  return found && found.total <= few ? { ...found, total: Math.min(found.total, countedOfMany) } : undefined
}

async function sortAll(db: Db, { rows: from, key, matches, order, size, offset }: Wanted): Promise<string[]> {
  const rows = await askIndex(
    db,
    sql<{ key: string }>`select ${key} as key from ${from} where ${matches}
    order by ${order} limit ${size}::int offset ${offset}::bigint`,
  )
  return rows.map((row) => row.key)
}

/**
 * Words that many rows have by themselves and few together take seconds to count where their rows are read from a disk.
 * The page does not wait for that: the number is then too high, never a row wrong.
 */
async function countInTime(db: Db, wanted: Wanted, atLeast: number, ms: number): Promise<number> {
  if (atLeast >= countedOfMany) return countedOfMany
  const until = performance.now() + ms
  try {
    return await withRoom(db, (trx) => countToLimit(trx, wanted, () => giveTime(trx, until - performance.now())))
  } catch (error) {
    if (isTooLong(error)) return countedOfMany
    throw error
  }
}

const giveTime = (trx: Db, ms: number): Promise<unknown> =>
  sql`select set_config('statement_timeout', ${String(Math.max(1, Math.ceil(ms)))}, true)`.execute(trx)

/** Rows of a table that are looked at, in whole blocks: always the same, so that they stay in memory. */
const sampleSizes = [16_000, 64_000]
/** Matching rows that are enough to tell. */
const tellingRows = 200

/**
 * Counts to a thousand. Where far more blocks of a sample have a match than a thousand rows could leave in it, nothing
 * else is counted: by chance alone so many are met once in ten thousand times.
 */
async function countToLimit(db: Db, { name, matches }: Wanted, hurry: () => Promise<unknown>): Promise<number> {
  const table = await sql<{ rows: number }>`select reltuples::float8 as rows from pg_class
    where oid = ${name}::text::regclass`.execute(db)
  for (const size of sampleSizes) {
    const share = Math.min(1, size / Math.max(1, table.rows[0]?.rows ?? 1))
    await hurry()
    const { rows } = await sql<{ blocks: number }>`select count(distinct (id::text::point)[0])::int as blocks
      from (select ctid as id from ${sql.table(name)} m tablesample system (${100 * share}::float8) repeatable (1)
        where ${matches} limit ${tellingRows}::int) found`.execute(db)
    const blocks = rows[0]?.blocks ?? 0
    const ofLimit = countedOfMany * share
    if (blocks > ofLimit + 4 * Math.sqrt(ofLimit) + 3) return countedOfMany
    if (blocks <= ofLimit) break
  }
  await hurry()
  const counted = await sql<{ count: number }>`select count(*)::int as count
    from (select 1 from ${sql.table(name)} m where ${matches} limit ${countedOfMany}::int) found`.execute(db)
  return counted.rows[0]?.count ?? 0
}
