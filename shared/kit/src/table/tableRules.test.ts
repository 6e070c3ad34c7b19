import fc from 'fast-check'
import type { Column } from './column.ts'
import { formatCsvCell, formatCsv } from './csv.ts'
import { pageRows, searchRows, sortRows } from './localRows.ts'
import { listPages } from './Pages.tsx'
import { initialState, toSearchParams, nextSort, snapPageSize, parseState } from './tableState.ts'

const params = (text: string) => new URLSearchParams(text)

describe('table state', () => {
  it.each([
    [-5, 10],
    [0, 10],
    [1, 10],
    [10, 10],
    [11, 25],
    [25, 25],
    [26, 50],
    [50, 50],
    [51, 50],
    [100_000, 50],
  ])('snaps a page size of %i to %i [5.19, 9.01]', (size, snapped) => {
    expect(snapPageSize(size)).toBe(snapped)
  })

  it('starts at page 1 with 10 rows, no search and no order [5.19, 9.01]', () => {
    expect(parseState(params(''), 5)).toEqual({
      page: 1,
      pageSize: 10,
      searchTerm: '',
      sortColumn: '',
      sortDirection: '',
    })
  })

  it('is restored from the URL [2.63]', () => {
    expect(parseState(params('page=3&pageSize=25&searchTerm=knee&sortColumn=2&sortDirection=desc'), 5)).toEqual({
      page: 3,
      pageSize: 25,
      searchTerm: 'knee',
      sortColumn: '2',
      sortDirection: 'desc',
    })
  })

  it.each(['up', 'ASC', 'descending', '1', ''])('takes %j as no direction [5.19]', (direction) => {
    expect(parseState(params(`sortColumn=1&sortDirection=${direction}`), 5)).toMatchObject({
      sortColumn: '',
      sortDirection: '',
    })
  })

  it.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1e3',
    'page=99999999999999999999',
    'pageSize=x',
    'sortColumn=99&sortDirection=asc',
    'sortColumn=5&sortDirection=asc',
    'sortColumn=-1&sortDirection=asc',
  ])('takes %s as the default [5.19]', (query) => {
    expect(parseState(params(query), 5)).toEqual(initialState)
  })

  it('cycles ascending, descending, none, ascending [2.63]', () => {
    let state = initialState
    const seen = Array.from({ length: 4 }, () => {
      state = { ...state, ...nextSort(state, 2) }
      return `${state.sortColumn}:${state.sortDirection}`
    })
    expect(seen).toEqual(['2:asc', '2:desc', ':', '2:asc'])
    expect(nextSort({ ...initialState, sortColumn: '2', sortDirection: 'desc' }, 1)).toEqual({
      sortColumn: '1',
      sortDirection: 'asc',
    })
  })

  it('survives the way into the URL and back, whatever it is [2.63]', () => {
    const anyState = fc.record({
      page: fc.integer({ min: 1, max: 999_999 }),
      pageSize: fc.constantFrom(10, 25, 50),
      searchTerm: fc.string({ maxLength: 255 }),
      order: fc.constantFrom(
        { sortColumn: '', sortDirection: '' as const },
        { sortColumn: '0', sortDirection: 'asc' as const },
        { sortColumn: '4', sortDirection: 'desc' as const },
      ),
    })
    fc.assert(
      fc.property(anyState, ({ order, ...rest }) => {
        const state = { ...rest, ...order }
        expect(parseState(params(toSearchParams(params(''), state, true).toString()), 5)).toEqual(state)
      }),
    )
  })

  it('keeps the search out of the URL where that is wanted, and leaves other parameters alone [2.63, P23]', () => {
    expect(
      toSearchParams(
        params('organizationId=7&searchTerm=old'),
        { ...initialState, searchTerm: 'Ruth' },
        false,
      ).toString(),
    ).toBe('organizationId=7&page=1&pageSize=10&sortColumn=&sortDirection=')
  })
})

interface Row {
  readonly name: string
  readonly count: number
  readonly isOn: boolean
  readonly tags: readonly string[]
  readonly on: string
}
const columns: Column<Row>[] = [
  { title: 'Name', field: 'name' },
  { title: 'Count', field: 'count' },
  { title: 'On', field: 'isOn', type: 'boolean' },
  { title: 'Tags', field: 'tags', type: 'badges' },
  { title: 'Date', field: 'on', type: 'date' },
]
const rows: Row[] = [
  { name: 'beta', count: 10, isOn: true, tags: ['BMD', 'PeekMed'], on: '2026-02-01' },
  { name: 'Alpha', count: 9, isOn: false, tags: [], on: '2026-03-01' },
  { name: 'álpha', count: 100, isOn: false, tags: ['OssView'], on: '2026-01-01' },
]
const names = (some: readonly Row[]) => some.map(({ name }) => name)

describe('a whole list in the browser', () => {
  it.each([
    ['ALPHA', ['Alpha']],
    ['peek', ['beta']],
    ['2026-03', ['Alpha']],
    ['100', ['álpha']],
    ['yes', ['beta']],
    ['zzz', []],
  ])('finds %s case-insensitively in any cell [5.19]', (term, found) => {
    expect(names(searchRows(rows, columns, term))).toEqual(found)
  })

  it('sorts strings by the alphabet and case-insensitively, numbers as numbers and dates by their instant [5.19]', () => {
    expect(names(sortRows(rows, columns[0], 'asc'))).toEqual(['Alpha', 'álpha', 'beta'])
    expect(names(sortRows(rows, columns[1], 'desc'))).toEqual(['álpha', 'beta', 'Alpha'])
    expect(names(sortRows(rows, columns[4], 'asc'))).toEqual(['álpha', 'beta', 'Alpha'])
    expect(sortRows(rows, columns[0], '')).toBe(rows)
  })

  it.each(['asc', 'desc'] as const)('leaves alike rows in their order, %s [5.19]', (direction) => {
    const alike = ['first', 'second', 'third'].map((on) => ({ ...rows[0]!, name: 'same', on }))
    expect(sortRows(alike, columns[0], direction).map(({ on }) => on)).toEqual(['first', 'second', 'third'])
  })

  it('has what is empty before every number [5.19]', () => {
    const some = [-5, null, 3].map((count) => ({ count }))
    expect(sortRows(some, { title: 'Count', field: 'count' }, 'asc').map(({ count }) => count)).toEqual([null, -5, 3])
  })

  it.each([
    ['asc', [null, undefined, '2026-01-01', '2026-01-01', '2026-02-01']],
    ['desc', ['2026-02-01', '2026-01-01', '2026-01-01', null, undefined]],
  ] as const)(
    'has what has no date before the first day, %s, and days alike in their order [5.19]',
    (direction, sorted) => {
      const some = ['2026-01-01', null, '2026-02-01', undefined, '2026-01-01'].map((on, at) => ({ on, at }))
      const ordered = sortRows(some, { title: 'Date', field: 'on', type: 'date' }, direction)
      expect(ordered.map(({ on }) => on)).toEqual(sorted)
      expect(ordered.filter(({ on }) => on === '2026-01-01').map(({ at }) => at)).toEqual([0, 4])
    },
  )

  it('is cut into pages [2.63]', () => {
    const many = Array.from({ length: 23 }, (_, index) => index)
    expect(pageRows(many, { ...initialState, page: 3 })).toEqual([20, 21, 22])
  })
})

describe('pages', () => {
  it.each([
    [1, 1, [1]],
    [1, 5, [1, 2, null, 5]],
    [3, 5, [1, 2, 3, 4, 5]],
    [4, 9, [1, 2, 3, 4, 5, null, 9]],
    [5, 9, [1, null, 4, 5, 6, null, 9]],
    [9, 9, [1, null, 8, 9]],
  ])('around %i of %i are %j [2.63]', (page, last, shown) => {
    expect(listPages(page, last)).toEqual(shown)
  })
})

describe('CSV', () => {
  it.each(['=1+1', '+49 170 1', '-2+3', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1+1', '|cmd', '=HYPERLINK("http://x")'])(
    'makes %j text [P15]',
    (text) => {
      expect(formatCsvCell(text).replace(/^"/, '')).toMatch(/^'/)
    },
  )

  it.each(['0', '12', '-5', '-0.25', '3.14'])('leaves the number %s a number [P15]', (text) => {
    expect(formatCsvCell(text)).toBe(text)
  })

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['a;b', '"a;b"'],
    ['plain', 'plain'],
  ])('quotes %j as %j [P15]', (text, cell) => {
    expect(formatCsvCell(text)).toBe(cell)
  })

  it('never lets any text begin a formula, and every cell can be read back [P15]', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const cell = formatCsvCell(text)
        const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
        expect(/^-?\d+(?:\.\d+)?$/.test(read) || !/^\s*[=+\-@]/.test(read)).toBe(true)
        expect([text, `'${text}`]).toContain(read)
      }),
    )
  })

  it('has empty cells where there is nothing [P15]', () => {
    expect(
      formatCsv(
        [
          { title: 'Name', field: 'name' },
          { title: 'Count', field: 'count' },
          { title: 'Date', field: 'on', type: 'date' },
          { title: 'Buttons', render: () => 'Delete' },
        ],
        [{ name: null, count: undefined, on: null }],
      ),
    ).toBe('\uFEFFName,Count,Date,Buttons\r\n,,,\r\n')
  })

  it('has a heading, a row per line and a mark for UTF-8 [P15]', () => {
    expect(formatCsv(columns, rows.slice(0, 1))).toBe(
      '\uFEFFName,Count,On,Tags,Date\r\nbeta,10,Yes,"BMD, PeekMed",2026-02-01\r\n',
    )
  })
})
