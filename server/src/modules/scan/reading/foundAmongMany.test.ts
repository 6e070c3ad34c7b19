import { scan } from '@dmp/contract'
import { sql } from 'kysely'
import { fillSeries, seriesNumber } from '../../../testing/manySeries.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { findAmongMany } from './foundAmongMany.ts'

/** So low that each way of finding a page is taken. */
const bounds = { first: 20, most: 200, few: 1_200, countMs: 60_000 }
const rowCount = 3_000

let server: TestServer
let admin: SignedIn
let organizationId: string
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  organizationId = await server.organizationOf(admin)
  await fillSeries(server.deps.db, organizationId, 0, rowCount)
})
afterAll(() => server.close())

const own = () => sql`organization_id = ${organizationId}`
const newest = sql`acq_date desc, series_uid desc`
const text = (...parts: string[]) =>
  sql.join(
    parts.map((part) => sql`search_text like ${`%${part}%`}`),
    sql` and `,
  )
const row = seriesNumber(2_007)

describe('the first of many rows that match', () => {
  it.each([
    ['stand everywhere, so that the first look has them', text('upload')],
    ['stand in a tenth, so that the second look has them', text('knee')],
    ['are a thousand and more and stand at the end of the order alone', sql`acq_date < '2021-01-01'`],
    ['are a thousand and more, far behind the first', sql`acq_date < '2024-01-01'`],
    ['are few', text(row.patientId.toLowerCase())],
    ['are one', sql`series_uid = ${row.seriesUID}`],
    ['are none', text('nobody')],
  ])('are found in their order where they %s [2.63]', async (_where, condition) => {
    const { db } = server.deps
    const matches = sql`${own()} and ${condition}`
    const all = await sql<{
      uid: string
    }>`select series_uid as uid from series where ${matches} order by ${newest}`.execute(db)
    for (const offset of [0, 10, 120, 990, 2_500]) {
      const wanted = { name: 'series', rows: sql`series m`, key: sql`series_uid`, range: own(), matches } as const
      const found = await findAmongMany(db, { ...wanted, order: newest, size: 10, offset, among: rowCount }, bounds)
      const expected = all.rows.slice(offset, offset + 10).map(({ uid }) => uid)
      expect([offset, found]).toEqual([offset, { keys: expected, total: Math.min(all.rows.length, 1_000) }])
    }
  })
})

it('a page far behind the first goes on where the one before ended, in either direction [2.63]', async () => {
  const { rows } = await sql<{ uid: string }>`select series_uid as uid from series where ${own()}
    order by lower(description) collate "C", series_uid`.execute(server.deps.db)
  const all = rows.map(({ uid }) => uid)
  for (const [direction, inOrder] of [
    ['asc', all],
    ['desc', all.toReversed()],
  ] as const)
    for (const page of [100, 101, 102, 250]) {
      const list = { sort: 'seriesDescription', direction, page, pageSize: 10 }
      const { data, total } = await admin.call(scan.list, list)
      const shown = data.map(({ seriesUID }) => seriesUID)
      expect([page, shown, total]).toEqual([page, inOrder.slice(page * 10 - 10, page * 10), all.length])
    }
})
