import type { Endpoint, Input } from '@dmp/contract/endpoint'
import { ErrorAlert, formatToday } from '@dmp/kit/screen'
import { Button, notify } from '@dmp/kit/ui'
import { useDeferredValue, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { Body, CheckAll, SkeletonBody } from './Body.tsx'
import { findServerSort, type Column, type RowOf } from './column.ts'
import { formatCsv, saveFile } from './csv.ts'
import { HeaderRow } from './HeaderRow.tsx'
import { Pages } from './Pages.tsx'
import { tableHistory } from './tableHistory.ts'
import { nextSort } from './tableState.ts'
import { ColumnMenu, ExportButton, Search } from './Toolbar.tsx'
import { useColumns } from './useColumns.ts'
import { useReturn } from './useReturn.ts'
import { useRows } from './useRows.ts'
import { useSelection, type Selection } from './useSelection.tsx'
import { moduleOf, useTableState } from './useTableState.ts'
import './table.css'

export interface DataTableProps<E extends Endpoint> {
  readonly endpoint: E
  /** The call's input but page, pageSize, search, sort and direction, which are the table's. */
  readonly input?: Omit<Input<E>, 'page' | 'pageSize' | 'search' | 'sort' | 'direction'>
  readonly columns: readonly Column<RowOf<E>>[]
  /** Names the table for assistive technology, the person's choice of columns, and the CSV file. */
  readonly label: string
  readonly rowKey: (row: RowOf<E>) => string
  /** Where a row leads: a real link in one cell, and the whole row clickable. */
  readonly rowLink?: (row: RowOf<E>) => string
  /** Before a row is opened, for what the list remembers besides its own state. */
  readonly onOpen?: (row: RowOf<E>) => void
  /** Default true. */
  readonly searchable?: boolean
  /** ms; default 200, the scan list 500 (clause 9.01). */
  readonly searchDelay?: number
  /** The query field that takes the search, where it is not `search` (the scan list's `query`). */
  readonly searchField?: string
  /** False keeps the search term out of the URL and of storage. */
  readonly searchInUrl?: boolean
  /** Rows that do not pass are dropped (clause 2.58). */
  readonly keepRow?: (row: RowOf<E>) => boolean
  /** Checkbox column; the click reports the row's key (2.63). */
  readonly selection?: Selection<RowOf<E>>
  /** Where exporting is a call of its own: answers all rows of the search. False: there is no export. */
  readonly exportRows?: false | ((search: string) => Promise<readonly RowOf<E>[]>)
  /** Buttons above the table. */
  readonly toolbar?: ReactNode
  /** What stands under 'No record found.' when the list is empty without a search, e.g. a button that adds the first. */
  readonly empty?: ReactNode
}

const every = () => true

/**
 * The generic data table (clauses 2.63, 4.16, 5.19, 9.01): paged by the server, or by itself where the server answers the whole list.
 *
 * @example
 * const columns: Column<RowOf<typeof complaint.list>>[] = [{ title: 'Complaint #', field: 'complaintNumber' }, …]
 * <DataTable endpoint={complaint.list} columns={columns} label="Complaints" rowKey={(row) => row.id} rowLink={(row) => `/complaint/detail/${row.id}`} />
 */
export function DataTable<E extends Endpoint>(props: DataTableProps<E>) {
  const {
    endpoint,
    input = {},
    columns,
    label,
    rowKey,
    rowLink,
    onOpen,
    searchable = true,
    searchDelay,
    searchField = 'search',
    searchInUrl = true,
    keepRow = every,
    selection,
    exportRows,
    toolbar,
    empty,
  } = props
  const box = useRef<HTMLDivElement>(null)
  const view = useColumns(label, columns, selection !== undefined)
  const { state, change, query, pathname } = useTableState(columns.length + (selection ? 1 : 0), searchInUrl)
  const sortedBy = view.all.find(({ index }) => String(index) === state.sortColumn)?.column
  const now = useRows({ endpoint, input, columns, sortedBy, searchField, state, keepRow })
  // Rows are drawn in slices, so that the page answers meanwhile; those of another list are gone at once, for the columns speak of this one already.
  const drawn = useDeferredValue(now)
  const found = drawn.list === now.list ? drawn : now
  const rememberPlace = useReturn(box, found.rows.length > 0)
  const select = useSelection(selection, found.rows, rowKey)
  usePageInRange(state.page, state.pageSize, found.isFetching ? undefined : found.total, now.list, (page) =>
    change({ page }),
  )

  const open = (row: RowOf<E>) => {
    rememberPlace(rowKey(row))
    tableHistory.open(moduleOf(pathname), searchInUrl ? query : '', rowLink?.(row) ?? '')
    onOpen?.(row)
  }
  const save = async () => {
    try {
      const rows = await (exportRows ? exportRows(state.searchTerm) : found.all())
      saveFile(
        `${label.toLowerCase().replaceAll(' ', '-')}-${formatToday()}.csv`,
        formatCsv(
          view.shown.map(({ column }) => column),
          rows,
        ),
      )
      notify.success(`${rows.length} rows exported.`)
    } catch (error) {
      notify.error(error instanceof Error ? error.message : 'The export failed.')
    }
  }
  const width = view.shown.length + (selection ? 1 : 0)
  return (
    <div className="dmp-table" data-density={view.density}>
      <div className="dmp-table-bar">
        {toolbar && <div className="dmp-table-tools">{toolbar}</div>}
        <div className="dmp-table-tools dmp-table-tools--end">
          {searchable && (
            <Search
              term={state.searchTerm}
              delay={searchDelay ?? 200}
              isSearching={found.isFetching && state.searchTerm !== ''}
              onSearch={(searchTerm) => searchTerm !== state.searchTerm && change({ searchTerm, page: 1 })}
            />
          )}
          <ColumnMenu
            all={view.all}
            shown={view.shown}
            density={view.density}
            onToggle={view.toggle}
            onDensity={view.choose}
          />
          {exportRows !== false && <ExportButton disabled={found.total === 0} onExport={save} />}
        </div>
      </div>
      <ErrorAlert error={found.error} onRetry={found.retry} />
      <div ref={box} className="dmp-table-box">
        <table
          aria-label={label}
          aria-busy={now.isFetching || found.isFetching}
          data-stale={found.isFetching && !found.isWaiting}
        >
          <thead>
            <HeaderRow
              shown={view.shown}
              state={state}
              isSortable={({ column }) =>
                found.isWhole ? column.sort !== false : findServerSort(column, endpoint) !== undefined
              }
              onSort={(index) => change(nextSort(state, index))}
              selectAll={select && <CheckAll {...select.page} />}
            />
          </thead>
          {found.isWaiting ? (
            <SkeletonBody columns={width} rows={state.pageSize} />
          ) : (
            <Body
              rows={found.rows}
              shown={view.shown}
              rowKey={rowKey}
              rowLink={rowLink}
              onOpen={open}
              check={select?.check}
              isSelected={select?.isSelected ?? (() => false)}
              dates="short"
            />
          )}
        </table>
        {!found.isWaiting && !found.error && found.rows.length === 0 && (
          <div className="dmp-table-empty" role="status">
            {state.searchTerm === '' ? (
              <>
                <p>No record found.</p>
                {empty}
              </>
            ) : (
              <>
                <p>No record found with the filter term.</p>
                <Button onClick={() => change({ searchTerm: '', page: 1 })}>Clear search</Button>
              </>
            )}
          </div>
        )}
      </div>
      <Pages
        page={state.page}
        pageSize={state.pageSize}
        total={found.total}
        onPage={(page) => change({ page })}
        onPageSize={(pageSize) => change({ pageSize, page: 1 })}
      />
    </div>
  )
}

// 4.16: from no rows to some, and to another list altogether, the page returns to the first; a page that is gone becomes the last.
function usePageInRange(
  page: number,
  pageSize: number,
  total: number | undefined,
  list: string,
  go: (page: number) => void,
): void {
  const before = useRef({ total, list })
  const goTo = useEffectEvent(go)
  useEffect(() => {
    const { total: oldTotal, list: oldList } = before.current
    if (total !== undefined) before.current = { total, list }
    if (list !== oldList && page !== 1) goTo(1)
    else if (total === undefined) return
    else if (oldTotal === 0 && total > 0 && page !== 1) goTo(1)
    else if (total > 0 && page > Math.ceil(total / pageSize)) goTo(Math.ceil(total / pageSize))
  }, [total, list, page, pageSize])
}
