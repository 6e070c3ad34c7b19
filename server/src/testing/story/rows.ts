import { sql } from 'kysely'
import type { Server } from '../../app.ts'
import { schema as jobSchema } from '../../db/jobQueues.ts'
import type { Names } from './names.ts'
import { isOfMachine, isSecret, showAll, showValue, type Naming } from './show.ts'

export type Row = Readonly<Record<string, unknown>>
/** Every row of every table, by what its table knows it by. */
export type Rows = ReadonlyMap<string, ReadonlyMap<string, Row>>

export interface RowsReader {
  read(): Promise<Rows>
  /** Jobs that are under way or due, and imports whose archive is here. */
  countJobs(): Promise<number>
}

/** Whoever looks at a row names it like this, where it has one of these. */
const labels: Readonly<Record<string, (row: Row) => unknown>> = {
  organizations: ({ name }) => name,
  users: ({ email }) => email,
}

/** How to look at all rows of a database, in one statement. */
export async function openRows({ deps: { db } }: Server): Promise<RowsReader> {
  const { rows: tables } = await sql<{ name: string; keys: string[] | null }>`
    select c.relname as name, (
      select array_agg(a.attname::text order by a.attnum) from pg_index i
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary
    ) as keys
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition
    -- Drawn by the server itself, some time after an upload; and what one server alone keeps in its memory.
    and c.relname not in ('thumbnails', 'call_limits') order by 1`.execute(db)
  const keys = new Map(tables.map(({ name, keys: its }) => [name, its]))
  const rowsOf = (name: string) =>
    sql`select ${sql.lit(name)} as name, to_jsonb(t)::text as row from ${sql.table(name)} t`
  // What waits for a later moment.
  const later = sql`select 'jobs' as name, jsonb_build_object(
    'kind', name, 'id', data->>'id', 'group', singleton_key, 'start', start_after)::text as row
    from ${sql.table(`${jobSchema}.job`)} where state in ('created', 'retry') and start_after > now()`
  const prints = sql.join(
    tables.map(
      ({ name }) => sql`select ${sql.lit(name)} as name,
      count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as print from ${sql.table(name)}`,
    ),
    sql` union all `,
  )
  const readPrints = async (): Promise<Map<string, string>> => {
    const { rows } = await sql<{ name: string; print: string }>`${prints}`.execute(db)
    return new Map(rows.map(({ name, print }) => [name, print]))
  }
  let known = new Map<string, string>()
  const found = new Map<string, ReadonlyMap<string, Row>>()
  return {
    read: async () => {
      const now = await readPrints()
      const changed = [...now.keys()].filter((name) => now.get(name) !== known.get(name))
      known = now
      const asked = sql.join([...changed.map(rowsOf), later], sql` union all `)
      const { rows } = await sql<{ name: string; row: string }>`${asked}`.execute(db)
      const fresh = new Map([...changed, 'jobs'].map((name) => [name, new Map<string, Row>()]))
      for (const { name, row } of rows) {
        const values = JSON.parse(row) as Row
        const key =
          keys
            .get(name)
            ?.map((column) => String(values[column]))
            .join(' ') ?? row
        fresh.get(name)?.set(key, values)
      }
      for (const [name, its] of fresh) found.set(name, its)
      return new Map(found)
    },
    countJobs: async () => {
      // An import is no job: the server that has its archive takes it in by itself.
      const { rows } = await sql<{ count: number }>`select (
        (select count(*) from ${sql.table(`${jobSchema}.job`)}
          where state = 'active' or (state in ('created', 'retry') and start_after <= now()))
        + (select count(*) from organization_imports where state in ('Waiting', 'Running')))::int as count`.execute(db)
      return rows[0]?.count ?? 0
    },
  }
}

/** By what they are when nothing in them differs between two runs. */
const inOrder = <T>(all: readonly T[], mask: (each: T) => string): T[] =>
  all
    .map((each) => [mask(each), each] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, each]) => each)

const rowText = (row: Row): string => JSON.stringify(row)
/** For putting rows in order, with the ends of lines as such: behind their `n` no id would begin. */
const orderText = (row: Row): string => rowText(row).replaceAll(String.raw`\n`, '\n')
const plainUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Names the rows that are new, in an order that does not depend on their ids. */
export function nameRows(names: Names, before: Rows | undefined, after: Rows): void {
  for (const [table, rows] of after) {
    if (before?.get(table) === rows) continue
    const fresh = [...rows].filter(([key]) => !before?.get(table)?.has(key)).map(([, row]) => row)
    for (const row of inOrder(fresh, (each) => names.mask(orderText(each)))) {
      const id = row['id']
      if (typeof id !== 'string' || !plainUuid.test(id) || names.has(id)) continue
      const label = labels[table]?.(row)
      names.of(table, id, typeof label === 'string' ? label : undefined)
    }
    if (table === 'mails') for (const { code } of fresh) if (typeof code === 'string') names.addWord('code', code)
  }
}

/** Columns that say again what another one says. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  audit: ['hash', 'previous_hash', 'key_id', 'hash_version', 'request_id', 'position', 'chain'],
  mails: ['html', 'links', 'code'],
  instances: ['header'],
}
/** Said only where it is another. */
const usual: Readonly<Record<string, Row>> = { audit: { address: '127.0.0.1', outcome: 'success' } }
const show = (column: string, value: unknown, name: Naming): string => {
  if (isOfMachine(column)) return '<some>'
  if (isSecret(column, value)) return '<unsaid>'
  if (/password_hash/.test(column) && value !== null) return '<hashed>'
  // Named before its lines are joined: behind the `n` of a line's end no word begins.
  if (column.startsWith('search_')) return JSON.stringify(typeof value === 'string' ? name(value) : value)
  return showValue(value, name)
}

/** Of a row that follows another one, what is not as there. */
function showRow(table: string, row: Row, above: Row | undefined, name: Naming): string[] {
  const said = Object.entries(row).filter(
    ([column, value]) =>
      column !== 'id' &&
      !unsaid[table]?.includes(column) &&
      JSON.stringify(value) !== JSON.stringify((above ?? usual[table])?.[column] ?? null),
  )
  const id = typeof row['id'] === 'string' || typeof row['id'] === 'number' ? ` ${row['id']}` : ''
  const first = `${above ? '+ another of' : '+'} ${table}${id}`
  return [first, ...showAll(said.map(([column, value]) => `${column}: ${show(column, value, name)}`))]
}

/** By its whole key where its id is but a part of that. */
function knows(table: string, key: string, row: Row): string {
  const hasKey = !key.startsWith('{')
  if (typeof row['id'] === 'string' && !(hasKey && key.includes(' '))) return `${table} ${row['id']}`
  return `${table} ${key.length > 200 ? rowText(row) : key}`
}

function showChange(table: string, key: string, was: Row, is: Row, name: Naming): string[] {
  const changed = Object.keys(is).filter(
    (column) => !isOfMachine(column) && JSON.stringify(was[column]) !== JSON.stringify(is[column]),
  )
  if (changed.length === 0) return []
  const said = changed.filter((column) => !unsaid[table]?.includes(column))
  return [
    `~ ${knows(table, key, is)}`,
    ...said.map((column) => `    ${column}: ${show(column, was[column], name)} → ${show(column, is[column], name)}`),
  ]
}

/** What is different, table by table, as text that still holds ids and times. */
export function diffRows(names: Names, before: Rows, after: Rows): string[] {
  const lines: string[] = []
  for (const [table, rows] of after) {
    const earlier = before.get(table) ?? new Map<string, Row>()
    // Read once, and nothing of it since.
    if (earlier === rows) continue
    const found: string[][] = []
    const fresh = [...rows].filter(([key]) => !earlier.has(key)).map(([, row]) => row)
    const inTurn = inOrder(fresh, (row) => names.mask(orderText(row)))
    lines.push(...inTurn.flatMap((row, at) => showRow(table, row, inTurn[at - 1], names.apply)))
    for (const [key, row] of rows) {
      const was = earlier.get(key)
      if (was === undefined) continue
      if (rowText(was) !== rowText(row)) found.push(showChange(table, key, was, row, names.apply))
    }
    for (const [key, row] of earlier) if (!rows.has(key)) found.push([`- ${knows(table, key, row)}`])
    lines.push(...inOrder(found, (its) => names.mask(its.join('\n'))).flat())
  }
  return lines
}
