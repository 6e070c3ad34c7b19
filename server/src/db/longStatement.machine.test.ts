import { startPostgresCluster, type PostgresCluster } from '../testing/postgresCluster.ts'
import { openDatabase, type Database } from './client.ts'
import { sql } from 'kysely'
import { patiently } from './patience.ts'

let cluster: PostgresCluster
let database: Database
beforeAll(async () => {
  cluster = await startPostgresCluster()
  database = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 4 })
})
afterAll(async () => {
  await database.close()
  cluster.close()
})

/** Steps of one second instead of eight. */
const hastily = <T>(work: () => T): T => patiently(work, 1 / 60)
const endless = (): Promise<unknown> =>
  hastily(() => sql`select count(*) from generate_series(1, 1000000000000) as endless`.execute(database.db))
const answer = async (): Promise<number | undefined> =>
  (await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows[0]?.one
const listActive = async (): Promise<unknown[]> =>
  (
    await sql`select pid from pg_stat_activity
      where state = 'active' and query like '%endless%' and pid <> pg_backend_pid()`.execute(database.db)
  ).rows

describe('a statement of PostgreSQL that takes too long', () => {
  it('is ended by the database itself, and nobody else notices [P21]', async () => {
    const ended = await Promise.allSettled([endless(), endless(), endless()])
    expect(ended.map((one) => (one.status === 'rejected' ? (one.reason as { code?: string }).code : 'done'))).toEqual(
      Array(3).fill('57014'),
    )
    expect(await answer()).toBe(1)
    expect(await listActive()).toEqual([])
  })

  it('has its time on every connection, whatever was done on it before [P21]', async () => {
    const readTimeout = async (): Promise<unknown> =>
      (await sql<{ ms: string }>`select current_setting('statement_timeout') as ms`.execute(database.db)).rows[0]?.ms
    for (const failure of [false, true]) {
      const work = patiently(() =>
        database.db.transaction().execute(async (trx) => {
          await patiently(() => sql`select 1`.execute(trx), 30)
          if (failure) await sql`select 1 / 0`.execute(trx)
        }),
      )
      await work.catch(() => undefined)
      expect(await readTimeout()).toBe('7500ms')
      expect(await patiently(readTimeout)).toBe('899500ms')
    }
  })

  it('closes the door for nobody when only its own connection hangs [P21]', async () => {
    const holding = Promise.withResolvers<number>()
    const hanging = hastily(() =>
      database.db.connection().execute(async (connection) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)
        const pid = rows[0]?.pid ?? 0
        process.kill(pid, 'SIGSTOP')
        holding.resolve(pid)
        await sql`select 1`.execute(connection)
      }),
    )
    const pid = await holding.promise
    await expect(hanging).rejects.toThrow(/Connection terminated/)
    for (let times = 0; times < 20; times += 1) expect(await answer()).toBe(1)
    process.kill(pid, 'SIGCONT')
  })
})
