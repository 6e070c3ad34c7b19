import { sql } from 'kysely'
import { startServer, type TestServer } from '../testing/server.ts'
import { startStatistics } from './statistics.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const fail = (error: unknown): never => {
  throw error
}
/** How many rows the database believes a table to have. */
const believed = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select reltuples::int as n from pg_class where relname = 'changes'`.execute(
    server.deps.db,
  )
  return rows[0]?.n ?? 0
}
const addChanges = (from: number, to: number) =>
  sql`insert into changes (organization_id, number, kind, study_uid, series_uid, instances)
    select (select id from organizations order by name limit 1), n, 'SeriesCreated', '1.2.' || n, '1.2.' || n || '.1', 1
    from generate_series(${from}::int, ${to}::int) n`.execute(server.deps.db)

describe('statistics of the embedded database', () => {
  it('are made of a table of which much has changed, and not again before it has [P18]', async () => {
    const house = startStatistics(server.deps.db, fail)
    await addChanges(1, 20_000)
    expect(await house.round()).toContain('changes')
    expect(await believed()).toBe(20_000)
    expect(await house.round()).toEqual([])
    await addChanges(20_001, 21_000)
    expect(await house.round()).not.toContain('changes')
    await addChanges(21_001, 27_000)
    expect(await house.round()).toContain('changes')
    expect(await believed()).toBe(27_000)
    await house.close()
  })

  it('begin a minute after the start, come again every ten, and end with the server', async () => {
    const first = jest.spyOn(globalThis, 'setTimeout')
    const later = jest.spyOn(globalThis, 'setInterval')
    const house = startStatistics(server.deps.db, fail)
    const clocks = [first, later].map(({ mock }) => mock.calls.at(-1)?.[1])
    const left = jest.spyOn(globalThis, 'clearInterval')
    await house.close()
    expect(clocks).toEqual([60_000, 600_000])
    expect(left.mock.calls.map(([timer]) => timer)).toEqual(
      [first, later].map(({ mock }) => mock.results.at(-1)?.value),
    )
    for (const spy of [first, later, left]) spy.mockRestore()
  })
})
