import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { startChild, type Child } from '../testing/childServer.ts'
import { migrateUpTo } from '../testing/earlierSchema.ts'
import { startPostgresCluster, type PostgresCluster } from '../testing/postgresCluster.ts'
import { seriesImageCounts } from './backFills/seriesImageCounts.ts'
import { newsLineName } from './backFills/versions.ts'
import { openDatabase, type Database } from './client.ts'
import { migrate } from './migrate.ts'
import { patiently } from './patience.ts'

jest.setTimeout(300_000)

const seriesCount = 60_000
const folder = mkdtempSync(join(tmpdir(), 'dmp-back-fill-'))
let cluster: PostgresCluster
let database: Database
const running: Child[] = []

beforeAll(async () => {
  cluster = await startPostgresCluster()
  database = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 6 })
  await patiently(prepareEarlier)
})
afterAll(async () => {
  for (const child of running) child.process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await database.close()
  cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A database as the version before leaves it, with many series. */
async function prepareEarlier(): Promise<void> {
  const { db } = database
  await migrateUpTo(db, '0075')
  await db.connection().execute(async (one) => {
    await sql`insert into organizations (name, status_by) values ('Earlier-Clinic', 'System')`.execute(one)
    await sql`set session_replication_role = replica`.execute(one)
    await sql`insert into studies (organization_id, study_uid, patient_id, patient_name, study_date, accession_number,
      attributes) select id, '1.' || n, 'P-1', 'Doe^Jane', '2025-01-02', '', '{}'
      from organizations, generate_series(0, ${seriesCount / 20}) n`.execute(one)
    await sql`insert into series (organization_id, series_uid, study_uid, image_set_id, patient_name, patient_id,
      modality, description, source, acq_date, images, instances, compatible_saas, attributes, search_words)
      select id, '1.1.' || n, '1.' || n / 20, md5(n::text), 'Doe, Jane', 'P-1', 'MR', 'Knee', 'Upload', '2025-01-02',
      n % 500, n % 500, '{}', '{}', 'doe' from organizations, generate_series(1, ${seriesCount}) n`.execute(one)
    await sql`set session_replication_role = origin`.execute(one)
    await sql`analyze series`.execute(one)
  })
}

const start = (name: string): Child => {
  const child = startChild({
    DMP_DEMO: '1',
    DMP_DATA_DIR: join(folder, name),
    DMP_DISK_NOTICE_MB: '0',
    DATABASE_URL: cluster.url,
  })
  running.push(child)
  return child
}

const read = async (): Promise<{ done: number; isFilled: boolean; isOver: boolean }> => {
  const { rows } = await sql<{ done: string; filled: boolean; over: boolean }>`
    select rows_done as done, filled_date is not null as filled, ended_date is not null as over
    from back_fills where name = ${seriesImageCounts}`.execute(database.db)
  return { done: Number(rows[0]?.done), isFilled: rows[0]?.filled ?? false, isOver: rows[0]?.over ?? false }
}

/** Images come and series go all the time, as servers of any version do it. */
function work(): { end(): Promise<void>; longestMs: () => number } {
  const over = new AbortController()
  let longest = 0
  const lane = async (nth: number): Promise<void> => {
    for (let step = nth; !over.signal.aborted; step += 7) {
      const uid = `1.1.${1 + ((step * 7919) % seriesCount)}`
      const began = performance.now()
      if (step % 20 === 0) await sql`delete from series where series_uid = ${uid}`.execute(database.db)
      else
        await sql`update series set images = images + 1 where organization_id = (select id from organizations
        where name = 'Earlier-Clinic') and series_uid = ${uid}`.execute(database.db)
      longest = Math.max(longest, performance.now() - began)
      await pause(5)
    }
  }
  const lanes = [1, 2, 3].map(lane)
  return { end: async () => (over.abort(), void (await Promise.all(lanes))), longestMs: () => longest }
}

const findWrong = async (): Promise<number> => {
  const { rows } = await sql<{ wrong: number }>`select count(*)::int as wrong from series
    full join series_image_counts counted using (organization_id, series_uid)
    where series.images is distinct from counted.images`.execute(database.db)
  return rows[0]?.wrong ?? Number.NaN
}

describe('servers and a table of the version before that is to be filled in', () => {
  it('do not wait for a table that somebody has, nor let others wait, and bring it up to date then [P69]', async () => {
    const { db } = database
    const holding = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const held = db.transaction().execute(async (trx) => {
      await sql`lock table series in row exclusive mode`.execute(trx)
      holding.resolve()
      await letGo.promise
    })
    await holding.promise
    const migrated = migrate(db)
    const began = performance.now()
    let longest = 0
    while (performance.now() - began < 4000) {
      const asked = performance.now()
      await sql`update series set description = 'Knee' where series_uid = '1.1.5'`.execute(db)
      longest = Math.max(longest, performance.now() - asked)
      await pause(20)
    }
    letGo.resolve()
    await held
    await migrated
    expect(longest).toBeGreaterThan(100)
    expect(longest).toBeLessThan(2000)
    expect(await read()).toEqual({ done: 0, isFilled: false, isOver: false })
  })

  it('go on where one was killed, while images come and go, and take the index away at the end [P69]', async () => {
    const working = work()
    const first = start('first')
    let { done } = await read()
    for (; done === 0; done = (await read()).done) await pause(10)
    first.process.kill('SIGKILL')
    await first.ended
    const atDeath = await read()
    expect(atDeath.isFilled).toBe(false)

    // One of the version before is there: its line for news names no version.
    const earlier = new pg.Client({ connectionString: cluster.url, application_name: 'dmp-news' })
    await earlier.connect()
    await start('second').ready
    while (!(await read()).isFilled) await pause(100)
    await working.end()
    const filled = await read()
    // Rows that were done before the kill were not done again.
    expect(filled.done).toBeLessThanOrEqual(seriesCount)
    expect(filled.done).toBeGreaterThanOrEqual(atDeath.done)
    expect(await findWrong()).toBe(0)
    expect(working.longestMs()).toBeLessThan(2500)
    await pause(1000)
    expect((await read()).isOver).toBe(false)
    expect(newsLineName).toMatch(/^dmp-news 00\d\d$/)

    await earlier.end()
    for (let tries = 0; tries < 900 && !(await read()).isOver; tries += 1) await pause(100)
    expect((await read()).isOver).toBe(true)
    expect((await sql`select from pg_class where relname = 'series_images'`.execute(database.db)).rows).toEqual([])
  })
})
