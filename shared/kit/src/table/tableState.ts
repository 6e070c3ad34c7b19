import { limits } from '@dmp/contract/limits'

export type Direction = 'asc' | 'desc' | ''

/** The state that the table mirrors into the URL (2.63). `sortColumn` is the column's index as text, '' for none. */
export interface TableState {
  readonly page: number
  readonly pageSize: number
  readonly searchTerm: string
  readonly sortColumn: string
  readonly sortDirection: Direction
}

export const initialState: TableState = {
  page: 1,
  pageSize: limits.defaultPageSize,
  searchTerm: '',
  sortColumn: '',
  sortDirection: '',
}

const keys = ['page', 'pageSize', 'searchTerm', 'sortColumn', 'sortDirection'] as const

/** 5.19: any value up to 10 becomes 10, up to 25 becomes 25, above becomes 50. */
export function snapPageSize(size: number): number {
  return (
    limits.pageSizes.find((allowed) => size <= allowed) ??
    limits.pageSizes[limits.pageSizes.length - 1] ??
    limits.defaultPageSize
  )
}

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) && Number(text) >= 1 ? Number(text) : undefined

/** Parses the state from the URL (5.19): invalid values become the default, an unknown direction none. */
export function parseState(params: URLSearchParams, columns: number): TableState {
  const direction = params.get('sortDirection')
  const sortDirection = direction === 'asc' || direction === 'desc' ? direction : ''
  const column = params.get('sortColumn') ?? ''
  const sortColumn =
    sortDirection !== '' && /^\d{1,3}$/.test(column) && Number(column) < columns ? String(Number(column)) : ''
  const size = wholeNumber(params.get('pageSize'))
  return {
    page: wholeNumber(params.get('page')) ?? initialState.page,
    pageSize: size === undefined ? initialState.pageSize : snapPageSize(size),
    searchTerm: (params.get('searchTerm') ?? '').slice(0, 255),
    sortColumn,
    sortDirection: sortColumn === '' ? '' : sortDirection,
  }
}

/** Whether the URL has any parameter of the table. */
export function hasState(params: URLSearchParams): boolean {
  return keys.some((key) => params.has(key))
}

/** Writes the state into the URL's parameters and keeps the others. */
export function toSearchParams(params: URLSearchParams, state: TableState, withSearch: boolean): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const key of keys) next.set(key, String(state[key]))
  if (!withSearch) next.delete('searchTerm')
  return next
}

/** 2.63: ascending, descending, none, ascending. */
export function nextSort(state: TableState, column: number): Pick<TableState, 'sortColumn' | 'sortDirection'> {
  const isSame = state.sortColumn === String(column)
  const sortDirection: Direction = !isSame ? 'asc' : state.sortDirection === 'asc' ? 'desc' : ''
  return { sortColumn: sortDirection === '' ? '' : String(column), sortDirection }
}
