import { northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { fillSeries, seriesNumber } from '../../testing/manySeries.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { toConditions, parseQuery } from './qidoQuery.ts'

/** Rows of the index only, which is all that a search reads. */
const rowCount = 3_000

let server: TestServer
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  await fillSeries(server.deps.db, northClinic.id, 0, rowCount)
})
afterAll(() => server.close())

const row = seriesNumber(2_007)
const day = row.date.replaceAll('-', '')

async function explain(level: 'studies' | 'series', key: string, value: string): Promise<string> {
  const conditions = toConditions(parseQuery({ [key]: value }), level, { series: undefined })
  const table = sql.raw(level)
  const order = sql.raw(level === 'studies' ? 'study_date' : 'acq_date')
  const where = sql`organization_id = ${northClinic.id} and ${sql.join(conditions, sql` and `)}`
  const query = sql<{ 'QUERY PLAN': string }>`explain select 1 from ${table} where ${where}
    order by ${order} desc limit 50`
  const { rows } = await query.execute(server.deps.db)
  return rows.map((line) => line['QUERY PLAN']).join(' ')
}

it.each([
  ['studies', 'AccessionNumber', `A${row.studyNumber}`, 'studies_accession_number'],
  ['series', 'PerformedProcedureStepStartDate', day, 'series_performed_date'],
  ['series', 'RequestAttributesSequence.ScheduledProcedureStepID', 'P2007', 'series_requests'],
  ['series', 'RequestAttributesSequence.RequestedProcedureID', `R${row.studyNumber}`, 'series_requests'],
] as const)('a search for %s by %s is looked up, not read through [7.38, P18]', async (level, key, value, index) => {
  const url = `/dicom-web/${level}?${new URLSearchParams({ [key]: value })}`
  const reply = await server.app.inject({ url, headers: admin.headers })
  expect(reply.json<Record<string, { Value?: string[] }>[]>().map((found) => found['0020000D']?.Value?.[0])).toContain(
    row.studyUID,
  )
  for (const searched of [value, '19000101']) expect(await explain(level, key, searched)).toContain(index)
})
