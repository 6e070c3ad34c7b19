import { PGlite } from '@electric-sql/pglite'
import { CompiledQuery, Kysely, PGliteDialect, sql, type DatabaseConnection } from 'kysely'
import { ConditionJudge, type Finding } from './judge.ts'

interface Tables {
  scans: { id: number; owner: string; deleted: boolean }
  owners: { name: string; city: string }
}

let db: Kysely<Tables>
let findings: Finding[]
beforeAll(async () => {
  db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: await PGlite.create() }) })
  await sql`create table scans (id int, owner text, deleted boolean)`.execute(db)
  await sql`create table owners (name text, city text)`.execute(db)
  const rows = [
    { id: 1, owner: 'north', deleted: false },
    { id: 2, owner: 'south', deleted: false },
    { id: 3, owner: 'south', deleted: true },
  ]
  await db.insertInto('scans').values(rows).execute()
  await db.insertInto('owners').values({ name: 'north', city: 'Oslo' }).execute()
})
afterAll(() => db.destroy())

/** What no test would notice, if these statements were all that tests cause, and were made in one transaction. */
async function listUnnoticed(...statements: { compile(): CompiledQuery<unknown> }[]): Promise<string[]> {
  findings = []
  const judge = new ConditionJudge((finding) => findings.push(finding))
  await db.connection().execute(async (held) => {
    const connection = {} as DatabaseConnection
    const execute = (statement: CompiledQuery<unknown>) => held.executeQuery(statement)
    const compiled = statements.map((statement) => statement.compile())
    for (const statement of [CompiledQuery.raw('begin'), ...compiled, CompiledQuery.raw('commit')]) {
      await judge.judge(connection, statement, execute, 'here.ts:1')
      await execute(statement)
    }
  })
  const ended = new Set(findings.filter((finding) => 'outcome' in finding).map(({ key }) => key))
  return findings.flatMap((finding) => ('text' in finding && !ended.has(finding.key) ? [finding.text] : []))
}

describe('a condition that tests would not miss', () => {
  it('is one without which every answer is the same', async () => {
    const statement = db.selectFrom('scans').select('id').where('owner', '=', 'north').where('deleted', '=', false)
    expect(await listUnnoticed(statement)).toEqual(['"deleted" = $1'])
  })

  it('is none as soon as one of several statements would answer something else', async () => {
    const ofOwner = (owner: string) =>
      db.selectFrom('scans').select('id').where('owner', '=', owner).where('deleted', '=', false)
    expect(await listUnnoticed(ofOwner('north'), ofOwner('south'))).toEqual([])
  })

  it('is none where it keeps something from somebody, however often others were let pass before', async () => {
    const ofId = (id: number) => db.selectFrom('scans').select('id').where('id', '=', id).where('deleted', '=', false)
    expect(await listUnnoticed(...Array.from({ length: 60 }, () => ofId(1)), ofId(3))).toEqual([])
  })

  it('is found in what changes and removes, by the rows, and in joins and statements within', async () => {
    expect(
      await listUnnoticed(
        db.updateTable('scans').set({ deleted: false }).where('id', '=', 1).where('owner', '=', 'north'),
        db.deleteFrom('scans').where('id', '=', 9).where('owner', '=', 'north'),
        db
          .selectFrom('scans')
          .innerJoin('owners', (join) => join.onRef('name', '=', 'owner').on('city', '=', 'Oslo'))
          .select('id')
          .where('name', 'in', (within) => within.selectFrom('owners').select('name').where('city', '<>', '')),
      ),
    ).toEqual([
      '"id" = $1',
      '"owner" = $1',
      '"owner" = $1',
      '"city" = $1',
      '"name" in (select "name" from "owners" where "city" <> $1)',
      '"city" <> $1',
    ])
  })

  it('that a statement cannot do without is none, and its failure leaves the transaction as it was', async () => {
    const statement = db
      .selectFrom('scans')
      .select('id')
      .where('owner', '=', 'north')
      .where((the) => the.eb(sql`1 / (id - 2)`, '=', 0))
    await listUnnoticed(statement)
    expect(findings).toContainEqual({ key: expect.any(String), outcome: 'cannot be left out' })
  })
})
