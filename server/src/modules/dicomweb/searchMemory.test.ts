import { sql } from 'kysely'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { readingLimits } from '../../dicom/limits.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

/** What searches hold in memory, and how many a person may have answered at a time. */
let server: TestServer
let staff: SignedIn
let admin: SignedIn
const series = 12
const longText = 'x'.repeat(300_000)
const waitingSearches = 2

beforeAll(async () => {
  jest.replaceProperty(readingLimits as { waitingSearches: number }, 'waitingSearches', waitingSearches)
  server = await startServer()
  ;[staff, admin] = await Promise.all([server.signIn('staff'), server.signIn('admin')])
  const objects = Array.from({ length: series }, (_, n) =>
    dicomFile({
      elements: slice({
        '00080018': text('UI', `1.68.${n}.1`),
        '0020000D': text('UI', '1.68'),
        '0020000E': text('UI', `1.68.${n}`),
        '00080201': text('SH', '+0200'),
      }),
    }),
  )
  expect((await stow(server, staff, objects)).statusCode).toBe(200)
  // As versions kept them that did not cut values.
  const long = JSON.stringify({ '00081030': { vr: 'LO', Value: [longText] } })
  await sql`update studies set attributes = attributes || ${long}::jsonb where study_uid = '1.68'`.execute(
    server.deps.db,
  )
  const own = JSON.stringify({ '0008103E': { vr: 'LO', Value: [longText] } })
  await sql`update series set attributes = attributes || ${own}::jsonb where study_uid = '1.68'`.execute(server.deps.db)
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => server.close())

const search = (who: SignedIn, path = '/series?StudyInstanceUID=1.68') =>
  server.app.inject({ url: `/dicom-web${path}`, headers: who.headers })
type Row = Record<string, { Value?: unknown[] } | undefined>
const valueOf = (row: Row, key: string): unknown => row[key]?.Value?.[0]

it('rows are read and written page by page, however long they are, and none is missing [P18]', async () => {
  const executor = server.deps.db.getExecutor()
  const queries = jest.spyOn(executor, 'executeQuery')
  const rows = (await search(staff)).json<Row[]>()
  const answers = await Promise.all(queries.mock.results.map(({ value }) => value as Promise<{ rows: unknown[] }>))
  const largest = Math.max(...answers.map((answer) => JSON.stringify(answer.rows).length))
  expect(largest).toBeLessThan(readingLimits.rowPageBytes + 3 * longText.length)
  expect(rows.map((row) => valueOf(row, '0020000E')).sort()).toEqual(
    Array.from({ length: series }, (_, n) => `1.68.${n}`).sort(),
  )
  expect(new Set(rows.flatMap((row) => [valueOf(row, '00081030'), valueOf(row, '0008103E')]))).toEqual(
    new Set([longText]),
  )
})

it('a series below its study has the zone of the study, and nothing else of it [P18]', async () => {
  const rows = (await search(staff, '/studies/1.68/series')).json<Row[]>()
  expect(rows.map((row) => [valueOf(row, '00080201'), valueOf(row, '00081030')])).toEqual(
    Array.from({ length: series }, () => ['+0200', undefined]),
  )
})

it('whoever opens several before reading the first gets them all [P18]', async () => {
  const origin = await server.listen()
  const open = () => fetch(`${origin}/dicom-web/series?StudyInstanceUID=1.68`, { headers: staff.headers })
  const opened = await Promise.all([open(), open(), open()])
  const bodies = await Promise.all(opened.map(async (response) => (await response.json()) as Row[]))
  expect(bodies.map((rows) => rows.length)).toEqual([series, series, series])
})

describe('while a search of a person is begun', () => {
  /** Memory that the first search waits for. */
  function holdFirst(): { reserve: jest.SpyInstance; release(): void } {
    const gate = Promise.withResolvers<void>()
    const { memory } = server.deps
    const original = memory.reserve.bind(memory)
    const reserve = jest.spyOn(memory, 'reserve').mockImplementationOnce(async (...given) => {
      await gate.promise
      return original(...given)
    })
    return { reserve, release: gate.resolve }
  }
  const reached = async (spy: jest.SpyInstance): Promise<void> => {
    while (spy.mock.calls.length === 0) await new Promise((again) => setTimeout(again, 5))
  }

  it('the next ones of this person wait, and those of others do not [P18]', async () => {
    const held = holdFirst()
    const first = search(staff)
    await reached(held.reserve)
    const second = search(staff)
    for (let n = 0; n < 5; n += 1) expect((await search(admin)).statusCode).toBe(200)
    const people = () => held.reserve.mock.calls.map(([turn]) => (turn as { person: string }).person)
    expect(people().filter((person) => person === staff.userId)).toHaveLength(1)
    held.release()
    expect([(await first).statusCode, (await second).statusCode]).toEqual([200, 200])
    expect(people().filter((person) => person === staff.userId)).toHaveLength(2)
  })

  it('a number of them waits; one more is refused with a time [P18, P19]', async () => {
    const held = holdFirst()
    const first = search(staff)
    await reached(held.reserve)
    const more = Array.from({ length: waitingSearches + 1 }, () => search(staff))
    const refused = await Promise.race(more)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
    held.release()
    const statuses = (await Promise.all([first, ...more])).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(waitingSearches + 1)
  })
})
