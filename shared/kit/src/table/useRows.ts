import type { Answer, Endpoint, Input, Listing } from '@dmp/contract/endpoint'
import { call, useLookup, type CallError } from '@dmp/kit'
import { getTimeZone } from '@dmp/kit/screen'
import { findServerSort, type Column, type RowOf } from './column.ts'
import { pageRows, searchRows, sortRows } from './localRows.ts'
import type { TableState } from './tableState.ts'

// Calls whose server answered a whole list without a total: they are not asked again for each page.
const wholeLists = new Set<string>()

export interface RowsOptions<E extends Endpoint> {
  readonly endpoint: E
  readonly input: object
  readonly columns: readonly Column<RowOf<E>>[]
  /** The column that `sortColumn` names. */
  readonly sortedBy: Column<RowOf<E>> | undefined
  readonly searchField: string
  readonly state: TableState
  readonly keepRow: (row: RowOf<E>) => boolean
}

export interface Rows<Row> {
  /** Which list this is: its input, without page, order and search. */
  readonly list: string
  readonly rows: readonly Row[]
  readonly total: number
  /** Nothing to show yet. */
  readonly isWaiting: boolean
  readonly isFetching: boolean
  readonly isWhole: boolean
  readonly error: CallError | null
  readonly retry: () => void
  /** All rows of the search in their order, over all pages: for the export. */
  readonly all: () => Promise<readonly Row[]>
}

/** Another page, order or search of the same list; the rows of another organization are another list, and must not show under its name. */
const isSame = (input: object, previous: object): boolean =>
  Object.entries(input).every(([name, value]) => (previous as Record<string, unknown>)[name] === value)

/** Dates are shown in the person's own days, so a search that may be for one is meant in them. */
function toTimeZoneInput({ definition }: Endpoint, term: string): { timeZone?: string } {
  const timeZone = getTimeZone()
  return definition.sortable && /\d/.test(term) && timeZone !== 'UTC' ? { timeZone } : {}
}

/** The rows of the page that the state names: paged by the server, or here where the server answers the whole list. */
export function useRows<E extends Endpoint>({
  endpoint,
  input,
  columns,
  sortedBy,
  searchField,
  state,
  keepRow,
}: RowsOptions<E>): Rows<RowOf<E>> {
  type Row = RowOf<E>
  const sort = sortedBy && findServerSort(sortedBy, endpoint)
  const order = {
    ...input,
    ...(state.searchTerm ? { [searchField]: state.searchTerm, ...toTimeZoneInput(endpoint, state.searchTerm) } : {}),
    ...(sort ? { sort, direction: state.sortDirection } : {}),
  }
  const isKnownWhole = wholeLists.has(endpoint.name)
  const asked = isKnownWhole ? input : { ...order, page: state.page, pageSize: state.pageSize }
  const { data, error, isPending, isFetching, refetch } = useLookup(endpoint, asked as Input<E>, {
    keepPrevious: (previous) => isSame(input, previous),
  })
  const listing = data as Listing<Row> | undefined
  const isWhole = listing !== undefined && listing.total === undefined
  if (isWhole) wholeLists.add(endpoint.name)
  else if (listing) wholeLists.delete(endpoint.name)

  const kept = (listing?.rows ?? []).filter(keepRow)
  const found = isWhole ? sortRows(searchRows(kept, columns, state.searchTerm), sortedBy, state.sortDirection) : kept
  return {
    list: JSON.stringify(input),
    rows: isWhole ? pageRows(found, state) : found,
    total: isWhole ? found.length : (listing?.total ?? 0),
    isWaiting: isPending,
    isFetching,
    isWhole,
    error,
    retry: refetch,
    all: async () =>
      isWhole ? found : ((await call(endpoint, order as Input<E>)) as Answer<E> & Listing<Row>).rows.filter(keepRow),
  }
}
