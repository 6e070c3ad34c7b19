import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { migrations } from './migrations/index.ts'

/**
 * All that waits runs in one transaction, beside servers of the version before: a statement that goes through all rows
 * of a table keeps their people waiting for as long as it takes. A trigger fills in rows as they come, and work in the
 * background those that are there, some at a time.
 */
const firstJudged = '0042'

async function listStatements(name: string): Promise<string[]> {
  const statements: string[] = []
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: (event) => void statements.push(event.query.sql),
  })
  await migrations[name]?.up(db)
  return statements
}

const kinds: readonly (readonly [sentence: string, pattern: RegExp])[] = [
  ['changes rows that are there', /^\s*(?:with\b[^;]*\)\s*)?update\s/i],
  ['removes rows that are there', /^\s*(?:with\b[^;]*\)\s*)?delete\s/i],
  [
    'writes the table anew',
    /^\s*alter\s+table\b[^;]*\b(?:alter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type|stored)\b/i,
  ],
  ['looks at every row while nobody can write', /^\s*alter\s+table\b[^;]*\bset\s+not\s+null\b/i],
]
const indexed = /^\s*create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?\w+\s+on\s+(\w+)/i

/**
 * Some thousand rows in the largest deployment: done in milliseconds. What people fill in one by one, by a form or a
 * click, has a hundred thousand: its indexes are built in a tenth of a second.
 */
const short =
  /^\s*(?:(?:alter\s+table|create\s+(?:unique\s+)?index\s+\w+\s+on)\s+organizations|create\s+(?:unique\s+)?index\s+\w+\s+on\s+(?:complaints|registrations|scan_filters|scan_shares|legal_holds|webhooks))\b/i

/** What would lock a table of any length for long. */
function findLong(statements: readonly string[]): string[] {
  const made = new Set(statements.flatMap((text) => /^\s*create\s+table\s+(\w+)/i.exec(text)?.[1] ?? []))
  return statements.flatMap((text) => {
    if (short.test(text)) return []
    const found = kinds.filter(([, pattern]) => pattern.test(text)).map(([sentence]) => sentence)
    const table = indexed.exec(text)?.[1]
    if (table !== undefined && !made.has(table)) found.push(`builds an index of ${table} while nobody can write`)
    return found
  })
}

describe('a migration', () => {
  it('that keeps a table for long is found: what earlier ones did', async () => {
    expect(findLong(await listStatements('0036-feeds-and-release-keys'))).toEqual([
      'changes rows that are there',
      'builds an index of changes while nobody can write',
    ])
    expect(
      findLong([
        'create table a (b text)',
        'create index a_b on a (b)',
        'create function f() returns trigger language plpgsql as $$ begin update c set d = 1; return new; end $$',
        'alter table c add column e text',
        'create index organizations_e on organizations (e)',
      ]),
    ).toEqual([])
    for (const [text, sentence] of [
      ['delete from c where d is null', 'removes rows that are there'],
      ['with old as (select id from c) update c set d = 1', 'changes rows that are there'],
      ['alter table c alter column d type bigint', 'writes the table anew'],
      ['alter table c add column e text generated always as (d) stored', 'writes the table anew'],
      ['alter table c alter column d set not null', 'looks at every row while nobody can write'],
      ['create unique index c_d on c (d)', 'builds an index of c while nobody can write'],
    ] as const)
      expect([text, findLong([text])]).toEqual([text, [sentence]])
  })

  it.each(Object.keys(migrations).filter((name) => name >= firstJudged))(
    'keeps no table for long: %s',
    async (name) => {
      const statements = await listStatements(name)
      expect(statements).not.toEqual([])
      expect(findLong(statements)).toEqual([])
    },
  )
})
