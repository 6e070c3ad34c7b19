import { sql } from 'kysely'
import { startPostgresCluster, type PostgresCluster } from '../testing/postgresCluster.ts'
import { createAuditKeys } from './auditHash.ts'
import { openDatabase, type Database } from './client.ts'
import { migrate } from './migrate.ts'
import { prepared } from './prepared.ts'
import { createWriter } from './write.ts'

const findMark = prepared<{ value: unknown }>('select value from marks where id = $1')
let cluster: PostgresCluster
let database: Database
beforeAll(async () => {
  cluster = await startPostgresCluster()
  database = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 2 })
  await migrate(database.db)
})
beforeEach(async () => {
  await sql`drop table if exists marks`.execute(database.db)
  await sql`create table marks (id int primary key, value int)`.execute(database.db)
  await sql`insert into marks values (1, 7)`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  cluster.close()
})

const countPlans = (): Promise<number | undefined> =>
  database.db.connection().execute(async (connection) => {
    await findMark(connection as typeof database.db, [1])
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_prepared_statements where statement like '%from marks%'`.execute(connection)
    return rows[0]?.count
  })
const changeType = async (): Promise<void> =>
  void (await sql`alter table marks alter column value type text using value::text`.execute(database.db))

describe('a statement that PostgreSQL plans once', () => {
  it('is kept by its connection, and asked anew where a migration changed its columns [P21]', async () => {
    expect(await countPlans()).toBe(1)
    await changeType()
    const writer = createWriter(database.db, createAuditKeys(['secret']))
    const tries: string[] = []
    const inWrite = await writer({ request: { id: 'request', ip: '127.0.0.1' } }, async ({ trx, audit }) => {
      tries.push('begun')
      const [found] = await findMark(trx, [1])
      await audit({ event: 'SignedIn', organizationId: null })
      return found?.value
    })
    expect([inWrite, tries]).toEqual(['7', ['begun', 'begun']])
    expect(await findMark(database.db, [1])).toEqual([{ value: '7' }])
  })

  it('is answered outside of a transaction as if nothing had been kept [P21]', async () => {
    const other = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 1 })
    try {
      expect(await findMark(other.db, [1])).toEqual([{ value: 7 }])
      await changeType()
      expect(await findMark(other.db, [1])).toEqual([{ value: '7' }])
    } finally {
      await other.close()
    }
  })
})
