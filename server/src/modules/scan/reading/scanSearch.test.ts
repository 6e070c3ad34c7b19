import { scan } from '@dmp/contract'
import { southClinic } from '@dmp/contract/examples'
import { fillSeries, seriesNumber } from '../../../testing/manySeries.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'

/**
 * Rows of the index only, which is all that lists read; the organization is said to have more, so that it is answered
 * as a large one.
 */
const rowCount = 3_000
const claimedSeries = 60_000

let server: TestServer
let admin: SignedIn

beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  const id = await server.organizationOf(admin)
  await fillSeries(server.deps.db, id, 0, rowCount)
  await server.deps.db
    .updateTable('scan_totals')
    .set({ series: claimedSeries })
    .where('organization_id', '=', id)
    .execute()
})
afterAll(() => server.close())

const list = (search: string) => admin.call(scan.list, { search, page: 1, pageSize: 10 })

describe('a list of many series', () => {
  const row = seriesNumber(2_007)

  it('finds by name, id, UID, description, date and modality [5.19, 2.58]', async () => {
    const terms = [
      `${row.family}, ${row.given}`.toUpperCase(),
      row.patientId,
      row.seriesUID,
      row.studyUID,
      row.seriesUID.slice(0, -3),
    ]
    for (const term of terms) expect((await list(term)).data.map((row) => row.patientID)).toContain(row.patientId)
    for (const [term, expected] of [
      [row.description, 'seriesDescription'],
      [row.date, 'acqDate'],
      ['mr', 'modality'],
    ] as const) {
      const { data } = await list(term)
      expect(data.length).toBeGreaterThan(0)
      // Words of one or two letters may stand in any other value.
      for (const word of term.split(' ').filter((part) => part.length > 2 || part === term))
        for (const row of data) expect(JSON.stringify(row[expected]).toLowerCase()).toContain(word.toLowerCase())
    }
    expect((await list('xq')).data).toEqual([])
    expect((await list('nobody at all')).total).toBe(0)
  })

  it('counts all of them, and what was found [2.63]', async () => {
    expect((await list('')).total).toBe(claimedSeries)
    expect((await list(row.patientId)).total).toBe(8)
  })

  it('counts a thousand results at most, so that a word that stands everywhere takes no time [2.63]', async () => {
    expect([(await list('upload')).total, (await list('upload')).data.length]).toEqual([1_000, 10])
  })

  it('is searched as a small one until it has more than fifty thousand series [2.63]', async () => {
    const say = (series: number) => server.deps.db.updateTable('scan_totals').set({ series }).execute()
    // Inside of "Upload", where no word begins, and inside of a UID, which looks like a whole one.
    const inside = async () => [
      (await list('ploa')).total,
      (await list('pl')).total,
      (await list(row.seriesUID.slice(2))).total,
    ]
    await say(50_000)
    const small = await inside()
    await say(50_001)
    const [large, largeShort, largeUid] = await inside()
    await say(claimedSeries)
    expect(small).toEqual([rowCount, rowCount, 1])
    expect([large, (largeShort ?? 0) < 1_000, largeUid]).toEqual([1_000, true, 0])
  })

  // Standing in each, in a tenth, a hundredth and a few of them, in one day, one patient, and none.
  const terms = [
    'upload',
    'knee',
    'knee left',
    `${row.family} ${row.given}`,
    'ct 2019',
    row.date,
    row.patientId,
    'nobody',
  ]

  it.each(terms)('shows the rows of a smaller one, in their order, on every page of %s [2.63]', async (search) => {
    const say = (series: number) => server.deps.db.updateTable('scan_totals').set({ series }).execute()
    for (const order of [
      {},
      { sort: 'patientName', direction: 'asc' },
      { sort: 'noOfImages', direction: 'desc' },
    ] as const) {
      await say(50_000)
      const { data: all, total } = await admin.call(scan.list, { ...order, search })
      await say(claimedSeries)
      for (const page of [1, 2, 9, 40]) {
        const { data, total: counted } = await admin.call(scan.list, { ...order, search, page, pageSize: 10 })
        const expected = all.slice((page - 1) * 10, page * 10).map(({ seriesUID }) => seriesUID)
        expect([order, page, data.map(({ seriesUID }) => seriesUID)]).toEqual([order, page, expected])
        expect([order, page, counted]).toEqual([order, page, Math.min(total ?? -1, 1_000)])
      }
    }
  })

  it.each(terms)('shows the studies of a smaller one, in their order, on every page of %s [2.63]', async (search) => {
    const say = (series: number) => server.deps.db.updateTable('scan_totals').set({ series }).execute()
    const ask = (page: number) => admin.call(scan.listStudies, { search, page, pageSize: 50 })
    for (const page of [1, 2, 7]) {
      await say(50_000)
      const { data: expected, total } = await ask(page)
      await say(claimedSeries)
      const { data, total: counted } = await ask(page)
      expect([page, data, counted]).toEqual([page, expected, Math.min(total ?? -1, 1_000)])
    }
  })

  it('sorts by each column without reading every row [2.63]', async () => {
    for (const sort of scan.list.definition.sortable) {
      const { data } = await admin.call(scan.list, { sort, direction: 'desc', page: 1, pageSize: 10 })
      expect([sort, data.length]).toEqual([sort, 10])
    }
    const columns = [
      ['series', 'modality'],
      ['series_image_counts', 'images'],
      ['series', 'lower(source) collate "C"'],
      ['series', 'acq_date'],
      ['series', 'study_uid'],
      ['series', 'lower(patient_name) collate "C"'],
    ]
    for (const [table, column] of columns) {
      const database = server.deps.database
      const query = `explain select series_uid from ${table} where organization_id = '00000000-0000-4000-8000-000000000002' order by ${column} desc, series_uid desc limit 10`
      const lines = database.pool
        ? (await database.pool.query<{ 'QUERY PLAN': string }>(query)).rows
        : (await database.embedded?.query<{ 'QUERY PLAN': string }>(query))?.rows
      expect([column, lines?.map((line) => line['QUERY PLAN']).join(' ')]).toEqual([
        column,
        expect.stringMatching(/Index (?:Only )?Scan/),
      ])
    }
  })
})

describe('a list without a page', () => {
  it('has ten thousand rows at most, and says how many there are [7.38]', async () => {
    const south = await server.signIn('admin@south.example')
    await fillSeries(server.deps.db, southClinic.id, rowCount, rowCount + 10_001)
    await server.deps.db
      .updateTable('scan_totals')
      .set({ series: 10_001 })
      .where('organization_id', '=', southClinic.id)
      .execute()
    const { data, total } = await south.call(scan.list, {})
    expect([data.length, total]).toEqual([10_000, 10_001])
  })
})
