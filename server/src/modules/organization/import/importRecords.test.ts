import { startServer, type TestServer } from '../../../testing/server.ts'
import { formatName, type ExportHead, type RecordKind } from '../export/exportFormat.ts'
import { importRecords, type RecordBounds } from './importRecords.ts'
import { importSentences } from './importSentences.ts'

let server: TestServer
let id: string
beforeAll(async () => {
  server = await startServer()
  id = await server.organizationOf(await server.signIn('admin'))
})
afterAll(() => server.close())
beforeEach(() => server.deps.db.deleteFrom('imported_records').execute())

const head: ExportHead = {
  format: formatName,
  version: 1,
  organizationId: '00000000-0000-4000-8000-00000000beef',
  organization: 'Elsewhere',
  date: '2026-01-01T00:00:00.000Z',
  counts: {},
}
const row = (number: number, note = ''): string =>
  JSON.stringify({ id: `elsewhere/${number}`, kind: 'links', content: { note } })
const rows = (count: number, note = ''): string[] => Array.from({ length: count }, (_, number) => row(number, note))
const person = (number: number): string => {
  const numbers = { mobile: null, landline: null, fax: null }
  const name = { civility: 'Ms', firstName: 'Eva', lastName: 'New' }
  return JSON.stringify({
    email: `eva${number}@elsewhere.example`,
    ...name,
    ...numbers,
    role: 'staff',
    status: 'Activated',
  })
}
interface Taking {
  readonly kind?: RecordKind
  readonly bounds?: RecordBounds
  readonly signal?: AbortSignal
}
const take = (lines: AsyncIterable<string> | readonly string[], { kind = 'imported', bounds, signal }: Taking = {}) =>
  importRecords(
    server.deps,
    { id, name: 'North' },
    {
      kind,
      head,
      lines: (async function* () {
        for await (const line of lines) yield `${line},\n`
      })(),
      context: { request: { id: 'of a test', ip: '' } },
      ...(bounds && { bounds }),
    },
    signal ?? new AbortController().signal,
  )
/** How many rows each transaction added and met, as it is recorded. */
async function recorded(work: () => Promise<unknown>): Promise<[added: unknown, present: unknown][]> {
  const list = () =>
    server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'OrganizationImported')
      .orderBy('position')
      .execute()
  const { length } = await list()
  await work()
  return (await list()).slice(length).map(({ subject }) => [subject['added'], subject['present']])
}
const countKept = async () => (await server.deps.db.selectFrom('imported_records').select('source_id').execute()).length

describe('records of an archive', () => {
  it('are written in steps, each of them recorded, and those that are there already stay [P24, P75]', async () => {
    expect(await recorded(() => take(rows(450)))).toEqual([
      [200, 0],
      [200, 0],
      [50, 0],
    ])
    expect(await countKept()).toBe(450)
    const again = await take([...rows(450), row(450)])
    expect(again).toMatchObject({ added: 1, present: 450 })
  })

  it('are written in smaller steps where they are long [P75]', async () => {
    const mega = 'x'.repeat(2 ** 20)
    expect(await recorded(() => take(rows(9, mega)))).toEqual([
      [4, 0],
      [4, 0],
      [1, 0],
    ])
  })

  it('that came before the import was ended stay, and no other comes [P75]', async () => {
    const stopAt = (ending: AbortController, lines: readonly string[], given: string[] = []) =>
      (async function* () {
        for (const line of lines) {
          if (given.push(line) === 350) ending.abort(new Error('ended'))
          yield line
        }
      })()
    const [ending, another] = [new AbortController(), new AbortController()]
    await expect(take(stopAt(ending, rows(600)), { signal: ending.signal })).rejects.toThrow('ended')
    expect(await countKept()).toBe(200)
    // Also where every row is refused, however many there are.
    const given: string[] = []
    const refused = stopAt(another, Array<string>(600).fill('{}'), given)
    await expect(take(refused, { signal: another.signal })).rejects.toThrow('ended')
    expect(given.length).toBeLessThan(360)
  })

  it('may be as many and as long as there is room for, and the others are named [P18, P75]', async () => {
    const chars = row(0).length + row(1).length
    const { added, refused } = await take(rows(3), { bounds: { people: 0, chars } })
    expect([added, [...refused]]).toEqual([2, [['line 3', importSentences.tooMany]]])
    const people = await take([0, 1, 2].map(person), { kind: 'people', bounds: { people: 2, chars: 0 } })
    expect([people.added, [...people.refused]]).toEqual([2, [['line 3', importSentences.tooMany]]])
  })

  it('that are wrong are named up to a thousand [P18, P75]', async () => {
    const { added, refused } = await take([...Array.from({ length: 1001 }, () => '{}'), row(0)])
    expect([added, refused.size, [...refused.keys()].at(-1)]).toEqual([1, 1000, 'line 1000'])
  })
})
