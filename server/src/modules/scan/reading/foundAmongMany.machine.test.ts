import { sql } from 'kysely'
import { openDatabase, type Database } from '../../../db/client.ts'
import { startPostgresCluster, type PostgresCluster } from '../../../testing/postgresCluster.ts'
import { findAmongMany } from './foundAmongMany.ts'

let cluster: PostgresCluster
let database: Database
beforeAll(async () => {
  cluster = await startPostgresCluster()
  database = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 4 })
  await sql`create table series as select 's' || n as series_uid, n from generate_series(1, 3000) n`.execute(
    database.db,
  )
  await sql`analyze series`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  cluster.close()
})

/** Each row that matches takes two milliseconds, as if it came from a disk. */
const matches = sql`n % 10 = 0 and pg_sleep(0.002) is not null`
const find = (countMs: number) =>
  findAmongMany(
    database.db,
    {
      name: 'series',
      rows: sql`series m`,
      key: sql`series_uid`,
      range: sql`true`,
      matches,
      order: sql`n`,
      size: 2,
      offset: 1,
      among: 3000,
    },
    { first: 100, most: 1000, few: 500, countMs },
  )

describe('a page that is found [2.63]', () => {
  it('does not wait for a number that takes long: it is a thousand, and the rows are right', async () => {
    expect(await find(60_000)).toEqual({ keys: ['s20', 's30'], total: 300 })
    expect(await find(50)).toEqual({ keys: ['s20', 's30'], total: 1000 })
  })

  it('leaves its connection with the time that everybody has', async () => {
    await Promise.all(Array.from({ length: 8 }, () => find(50)))
    const { rows } = await sql<{ ms: string }>`select current_setting('statement_timeout') as ms`.execute(database.db)
    expect(rows[0]?.ms).toBe('7500ms')
  })
})
