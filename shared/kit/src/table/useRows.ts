import type { Answer, Endpoint, Input, Listing } from '@dmp/contract/endpoint'
import { call, useLookup, type CallError } from '@dmp/kit'
import { getTimeZone } from '@dmp/kit/screen'
import { useMemo } from 'react'
import { findServerSort, type Column, type RowOf } from './column.ts'
import { pageRows, searchRows, sortRows } from './localRows.ts'
import type { TableState } from './tableState.ts'
import { useSameList } from './useSameList.ts'

// Calls whose server returned the whole list, without a total: changing the page does not call them again.
const wholeLists = new Set<string>()

export interface RowsOptions<E extends Endpoint> {
  readonly endpoint: E
  readonly input: object
  readonly columns: readonly Column<RowOf<E>>[]
  /** The column of `sortColumn`. */
  readonly sortedBy: Column<RowOf<E>> | undefined
  readonly searchField: string
  readonly state: TableState
  readonly keepRow: (row: RowOf<E>) => boolean
}

export interface Rows<Row> {
  /** Identifies the list: its input without page, order and search. */
  readonly list: string
  readonly rows: readonly Row[]
  readonly total: number
  /** No rows to show yet. */
  readonly isWaiting: boolean
  readonly isFetching: boolean
  readonly isWhole: boolean
  /** The line is lost, and these are the rows of the search or the page before. */
  readonly isEarlier: boolean
  readonly error: CallError | null
}

interface LoadedRows<Row> {
  /** The same object as long as nothing in it changes: another one is a reason to draw. */
  readonly loaded: Rows<Row>
  readonly retry: () => void
  /** Loads all rows of the search in their order, over all pages, for the export. */
  readonly all: () => Promise<readonly Row[]>
}

/** Whether both inputs are of the same list: rows of one organization must not show under another's name. */
const isSame = (input: object, previous: object): boolean =>
  Object.entries(input).every(([name, value]) => (previous as Record<string, unknown>)[name] === value)

/** Dates are shown in the viewer's zone, so a search that may be for a date names the zone. */
function toTimeZoneInput({ definition }: Endpoint, term: string): { timeZone?: string } {
  const timeZone = getTimeZone()
  return definition.sortable && /\d/.test(term) && timeZone !== 'UTC' ? { timeZone } : {}
}

/** The rows of the current page: paged by the server, or here where the server returns the whole list. */
export function useRows<E extends Endpoint>({
  endpoint,
  input,
  columns,
  sortedBy,
  searchField,
  state,
  keepRow,
}: RowsOptions<E>): LoadedRows<RowOf<E>> {
  type Row = RowOf<E>
  const sort = sortedBy && findServerSort(sortedBy, endpoint)
  const order = {
    ...input,
    ...(state.searchTerm ? { [searchField]: state.searchTerm, ...toTimeZoneInput(endpoint, state.searchTerm) } : {}),
    ...(sort ? { sort, direction: state.sortDirection } : {}),
  }
  const isKnownWhole = wholeLists.has(endpoint.name)
  const query = isKnownWhole ? input : { ...order, page: state.page, pageSize: state.pageSize }
  const { data, error, isPending, isFetching, isEarlier, refetch } = useLookup(endpoint, query as Input<E>, {
    keepPrevious: (previous) => isSame(input, previous),
  })
  const listing = data as Listing<Row> | undefined
  const isWhole = listing !== undefined && listing.total === undefined
  if (isWhole) wholeLists.add(endpoint.name)
  else if (listing) wholeLists.delete(endpoint.name)

  const { matching, rows } = useMatching(listing, { isWhole, columns, sortedBy, state, keepRow })
  const list = JSON.stringify(input)
  const total = isWhole ? matching.length : (listing?.total ?? 0)
  const loaded = useMemo(
    () => ({ list, rows, total, isWaiting: isPending, isFetching, isWhole, isEarlier, error }),
    [list, rows, total, isPending, isFetching, isWhole, isEarlier, error],
  )
  return {
    loaded,
    retry: refetch,
    all: async () =>
      isWhole ? matching : ((await call(endpoint, order as Input<E>)) as Answer<E> & Listing<Row>).rows.filter(keepRow),
  }
}

interface Looked<Row> {
  readonly isWhole: boolean
  readonly columns: readonly Column<Row>[]
  readonly sortedBy: Column<Row> | undefined
  readonly state: TableState
  readonly keepRow: (row: Row) => boolean
}

/** The rows that are looked for, and those of them on the page: the same array as long as it holds the same rows. */
function useMatching<Row>(
  listing: Listing<Row> | undefined,
  { isWhole, columns, sortedBy, state, keepRow }: Looked<Row>,
): { readonly matching: readonly Row[]; readonly rows: readonly Row[] } {
  const kept = (listing?.rows ?? []).filter(keepRow)
  const matching = isWhole ? sortRows(searchRows(kept, columns, state.searchTerm), sortedBy, state.sortDirection) : kept
  const rows = useSameList(isWhole ? pageRows(matching, state) : matching)
  return { matching, rows }
}
