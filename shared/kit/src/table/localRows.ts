import { locale, onFirstUse } from '@dmp/kit'
import { formatCell, getValue, type Column } from './column.ts'
import type { TableState } from './tableState.ts'

const normalize = (text: string): string => text.toLowerCase()
// In the order of the page's alphabet, whatever the case.
const collator = onFirstUse(() => new Intl.Collator(locale(), { sensitivity: 'accent' }))

/** 5.19: a case-insensitive substring match on any cell value. */
export function searchRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], term: string): readonly Row[] {
  const searchTerm = normalize(term.trim())
  return searchTerm === ''
    ? rows
    : rows.filter((row) => columns.some((column) => normalize(formatCell(column, row)).includes(searchTerm)))
}

/** 5.19: strings compare case-insensitively; numbers as numbers, dates by their instant. */
export function sortRows<Row>(
  rows: readonly Row[],
  column: Column<Row> | undefined,
  direction: TableState['sortDirection'],
): readonly Row[] {
  if (!column || direction === '') return rows
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => sign * compare(column, a, b))
}

function compare<Row>(column: Column<Row>, a: Row, b: Row): number {
  const [left, right] = [getValue(column, a), getValue(column, b)]
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (column.type !== 'date') return collator().compare(formatCell(column, a), formatCell(column, b))
  const [x, y] = [String(left ?? ''), String(right ?? '')]
  return x < y ? -1 : x > y ? 1 : 0
}

/** The rows of one page. */
export function pageRows<Row>(rows: readonly Row[], { page, pageSize }: TableState): readonly Row[] {
  return rows.slice((page - 1) * pageSize, page * pageSize)
}
