import { sql } from 'kysely'
import { listSeries } from '../../modules/scan/reading/reading.repository.ts'
import { openEarlier } from '../../testing/earlierSchema.ts'
import { openDatabase, type Database } from '../client.ts'
import { migrate } from '../migrate.ts'
import { isFilled, listUnfinished } from './progress.ts'
import { runBackFill } from './runBackFill.ts'
import { fillSeriesImageCounts, seriesImageCounts } from './seriesImageCounts.ts'

let database: Database
let organizationId: string
const going = new AbortController().signal

/** As servers of the version before write a series. */
async function addSeries(uid: string, images: number): Promise<void> {
  await sql`insert into series (organization_id, series_uid, study_uid, image_set_id, patient_name, patient_id,
    modality, description, source, acq_date, images, instances, compatible_saas, attributes, search_words)
    values (${organizationId}, ${uid}, '1.1', md5(${uid}), 'Doe, Jane', 'P-1', 'MR', 'Knee', 'Upload', '2025-01-02',
    ${images}::int, ${images}::int, '{}', '{}', 'doe jane')`.execute(database.db)
}

beforeAll(async () => {
  ;({ database, organizationId } = await openEarlier('0075'))
  const { db } = database
  await sql`insert into studies (organization_id, study_uid, patient_id, patient_name, study_date, accession_number,
    attributes) values (${organizationId}, '1.1', 'P-1', 'Doe^Jane', '2025-01-02', '', '{}')`.execute(db)
  // Many that have the same number.
  for (let nth = 0; nth < 60; nth += 1) await addSeries(`1.1.${nth}`, nth % 7)
  await migrate(db)
})
afterAll(() => database.close())

/** The whole list page by page, and the same from the numbers themselves. */
async function listBoth(direction: 'asc' | 'desc', search?: string): Promise<readonly [string[], string[]]> {
  const store = { organizationId } as Parameters<typeof listSeries>[1]
  const listed: string[] = []
  for (let page = 1; ; page += 1) {
    const query = { sort: 'noOfImages', direction, page, pageSize: 7, search } as const
    const { rows } = await listSeries(database.db, store, query)
    if (rows.length === 0) break
    listed.push(...rows.map((row) => `${row.images} ${row.series_uid}`))
  }
  const { rows } = await sql<{ at: string }>`select images || ' ' || series_uid as at from series
    order by images ${sql.raw(direction)}, series_uid ${sql.raw(direction)}`.execute(database.db)
  return [listed, rows.map(({ at }) => at)]
}

async function expectInOrder(): Promise<void> {
  for (const direction of ['asc', 'desc'] as const)
    for (const search of [undefined, 'jane']) {
      const [listed, whole] = await listBoth(direction, search)
      expect(whole.length).toBeGreaterThan(50)
      expect(listed).toEqual(whole)
    }
}

const findIndex = async (): Promise<boolean> =>
  (await sql`select from pg_class where relname = 'series_images'`.execute(database.db)).rows.length > 0

/** What a server of the version before does to series that are there, and the database with it. */
async function changeAsBefore(nth: number): Promise<void> {
  const { db } = database
  await sql`update series set instances = instances + 3, images = images + 3
    where series_uid = ${`1.1.${nth}`}`.execute(db)
  await sql`delete from series where series_uid = ${`1.1.${nth + 1}`}`.execute(db)
  await addSeries(`1.2.${nth}`, nth)
}

describe('the list by number of images, of a database of the version before', () => {
  it('is in order, page by page, before anything is filled in, and while series grow, come and go [P69]', async () => {
    expect(await isFilled(database.db, seriesImageCounts)).toBe(false)
    expect(await listUnfinished(database.db)).toMatchObject([{ name: seriesImageCounts, share: 0, isFilled: false }])
    await expectInOrder()
    await changeAsBefore(10)
    await expectInOrder()
  })

  it('is filled in from where it was left off, with what changes meanwhile [P69]', async () => {
    const { db } = database
    for (const round of [1, 2]) {
      await db.transaction().execute(async (trx) => {
        const row = await trx.selectFrom('back_fills').select('position').executeTakeFirstOrThrow()
        const batch = await fillSeriesImageCounts.fill(trx, (row.position ?? undefined) as never, 10)
        expect(batch?.rows).toBe(10)
        await sql`update back_fills set position = ${JSON.stringify(batch?.position)}::jsonb,
          rows_done = rows_done + 10`.execute(trx)
      })
      await changeAsBefore(round * 20)
      await expectInOrder()
    }
    const { count } = await db
      .selectFrom('series_image_counts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBeLessThan(40)
    expect(await findIndex()).toBe(true)
  })

  it('leaves off where the server stops, and says nothing of an end [P69]', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(runBackFill(fillSeriesImageCounts, { database, signal: stopped })).rejects.toThrow('stopped')
    expect(await isFilled(database.db, seriesImageCounts)).toBe(false)
  })

  it('no longer needs the index in the end, and stays in order while series grow, come and go [P69]', async () => {
    const { db } = database
    expect(await runBackFill(fillSeriesImageCounts, { database, signal: going })).toBe(true)
    expect(await findIndex()).toBe(false)
    expect(await isFilled(db, seriesImageCounts)).toBe(true)
    expect(await listUnfinished(db)).toEqual([])
    await expectInOrder()
    await changeAsBefore(50)
    await expectInOrder()
    // A second server that has the same job finds nothing to do.
    expect(await runBackFill(fillSeriesImageCounts, { database, signal: going })).toBe(true)
  })
})

describe('a database without series', () => {
  it('has nothing to fill in, and has no index that grows with each image [P69]', async () => {
    const fresh = await openDatabase({ kind: 'memory' })
    await migrate(fresh.db)
    expect(await listUnfinished(fresh.db)).toEqual([])
    expect((await sql`select from pg_class where relname = 'series_images'`.execute(fresh.db)).rows).toEqual([])
    await fresh.close()
  })
})
