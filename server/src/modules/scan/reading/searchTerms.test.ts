import { scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let admin: SignedIn

const made = [
  { study: '1.81', name: "O'Brien^Mary", id: 'P-5', date: '20261120', born: '19610504' },
  { study: '1.82', name: 'Müller^Jörg', id: 'P-2', date: '20261105', born: '19261120' },
  { study: '1.83', name: 'Muller^Michal', id: 'P-3', date: '20260511', born: '19800229' },
  // Has each number of 20/11/2026, of 5/11/26 and of 45/11/2026, and is of 2024.
  { study: '1.84', name: 'OBrien^Tim', id: 'P-20-2026-45', date: '20241105', born: '' },
  { study: '1.85', name: 'Other^Nora', id: '20261120001', date: '20240102', born: '' },
]

beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  for (const { study, name, id, date, born } of made) {
    const elements = slice({
      '00080005': text('CS', 'ISO_IR 192'),
      '00080018': text('UI', `${study}.1.1`),
      '00080020': text('DA', date),
      '00080022': text('DA', date),
      '0008103E': text('LO', 'Knee 26'),
      '00100010': text('PN', name),
      '00100020': text('LO', id),
      '00100030': text('DA', born),
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.1`),
    })
    expect((await stow(server, admin, [dicomFile({ elements })])).statusCode).toBe(200)
  }
})
afterAll(() => server.close())

const sayThereAre = (series: number) => server.deps.db.updateTable('scan_totals').set({ series }).execute()
const studies = async (search: string): Promise<string[]> =>
  (await admin.call(scan.listStudies, { search })).data.map(({ studyUID }) => studyUID).toSorted()
const series = async (query: string): Promise<string[]> =>
  (await admin.call(scan.list, { query })).data.map(({ studyUID }) => studyUID).toSorted()

const dates: readonly [string, readonly string[]][] = [
  ['20/11/2026', ['1.81']],
  ['11/20/2026', ['1.81']],
  ['2026/11/20', ['1.81']],
  ['2026.11.20', ['1.81']],
  ['20-11-2026', ['1.81']],
  ['20.11.2026', ['1.81']],
  ['2026-11-20', ['1.81']],
  ['2026年11月20日', ['1.81']],
  ['Nov 20, 2026', ['1.81']],
  ['mary 20/11/26', ['1.81']],
  // The beginning of a number as well.
  ['20261120', ['1.81', '1.85']],
  // Either of two days.
  ['05/11/2026', ['1.82', '1.83']],
  ['5/11/26', ['1.82', '1.83']],
  ['5.11.2026', ['1.82']],
  // No days.
  ['45/11/2026', []],
  ['31/02/2026', []],
  ['2026/13/45', []],
  ['20261345', []],
]

describe('a date in a search', () => {
  it.each(dates)('finds, as %s, %j among studies and series, few or many [2.58, 5.19]', async (term, expected) => {
    await sayThereAre(made.length)
    const few = [await studies(term), await series(term)]
    await sayThereAre(60_000)
    expect([...few, await studies(term), await series(term)]).toEqual([expected, expected, expected, expected])
  })
})

const names: readonly [string, readonly string[]][] = [
  ['obrien', ['1.81', '1.84']],
  ["o'brien", ['1.81', '1.84']],
  ['O’Brien', ['1.81', '1.84']],
  ['Mueller', ['1.82']],
  ['joerg mueller', ['1.82']],
  ['muller', ['1.82', '1.83']],
  ['michael', []],
]

describe('a name in a search', () => {
  it.each(names)('finds, as %s, %j among studies and series, few or many [2.58, 5.19]', async (term, expected) => {
    await sayThereAre(made.length)
    const few = [await studies(term), await series(term)]
    await sayThereAre(60_000)
    expect([...few, await studies(term), await series(term)]).toEqual([expected, expected, expected, expected])
  })
})
