import type { Endpoint, Input } from '@dmp/contract/endpoint'
import { limits } from '@dmp/contract/limits'
import { copyWithNotice, ErrorAlert } from '@dmp/kit/screen'
import { useDeferredValue, useRef, type ReactNode } from 'react'
import { Body, CheckAll, SkeletonBody } from './Body.tsx'
import { findServerSort, formatCell, type Column, type RowOf } from './column.ts'
import { EmptyTable } from './EmptyTable.tsx'
import { exportCsv } from './exportCsv.ts'
import { HeaderRow } from './HeaderRow.tsx'
import { Pages } from './Pages.tsx'
import { tableHistory } from './tableHistory.ts'
import { nextSort } from './tableState.ts'
import { Toolbar } from './Toolbar.tsx'
import { useColumnInSight } from './useColumnInSight.ts'
import { useColumns, type Shown } from './useColumns.ts'
import { usePageInRange } from './usePageInRange.ts'
import { useReturn } from './useReturn.ts'
import { useRows } from './useRows.ts'
import { useSelection, type Selection } from './useSelection.ts'
import { useTableKeys, type RowCommand } from './useTableKeys.ts'
import { useShownRows } from './useShownRows.ts'
import { getModule, useTableState } from './useTableState.ts'
import './table.css'

export interface DataTableProps<E extends Endpoint> {
  readonly endpoint: E
  /** The call's input except page, pageSize, search, sort and direction, which the table sets. */
  readonly input?: Omit<Input<E>, 'page' | 'pageSize' | 'search' | 'sort' | 'direction'>
  /** Rows that have not changed are drawn again when this is another array: it is made once, or by `useMemo`. */
  readonly columns: readonly Column<RowOf<E>>[]
  /** Names the table for assistive technology, the person's choice of columns, and the CSV file. */
  readonly label: string
  readonly rowKey: (row: RowOf<E>) => string
  /** The row's address: a link in one cell, and a click anywhere in the row. */
  readonly rowLink?: (row: RowOf<E>) => string
  /** Called before a row is opened, for lists that store more than the table's state. */
  readonly onOpen?: (row: RowOf<E>) => void
  /** Further keys of the row of the focus, beside those that walk, open and select. */
  readonly rowCommands?: readonly RowCommand<RowOf<E>>[]
  /**
   * What a row says below its link on a narrow screen, a line each, such as `['P-1001', 'MR Heart · 2026-05-04']`. It
   * is a card then, with its `rowCommands` in a menu; without this, each column is a line of the card.
   */
  readonly card?: (row: RowOf<E>) => readonly string[]
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
  /** Called with the rows that can be seen, whenever they change. */
  readonly onRows?: (rows: readonly RowOf<E>[]) => void
  /** Checkbox column; the click reports the row's key (2.63). */
  readonly selection?: Selection<RowOf<E>>
  /** Loads all rows of the search where exporting is a call of its own. False: there is no export. */
  readonly exportRows?: false | ((search: string) => Promise<readonly RowOf<E>[]>)
  /** Buttons above the table. */
  readonly toolbar?: ReactNode
  /** The list's saved views, a `ViewsMenu`, beside its columns. */
  readonly views?: ReactNode
  /**
   * Stands under 'No record found.' when the list is empty without a search, such as a button that adds the first
   * row.
   */
  readonly empty?: ReactNode
}

/** C copies the first id that is shown. */
function listCopyCommands<Row>(shown: readonly Shown<Row>[]): readonly RowCommand<Row>[] {
  const column = shown.find((each) => each.column.copies)?.column
  if (!column) return []
  const run = (row: Row) => void copyWithNotice({ text: formatCell(column, row), label: column.title })
  return [{ label: `Copy ${column.title}`, keys: ['c'], run }]
}

/** The page's keys know a row by its key. */
const toKeyCommands = <Row,>(
  commands: readonly RowCommand<Row>[],
  rows: readonly Row[],
  rowKey: (row: Row) => string,
): RowCommand<string>[] =>
  commands.map((command) => ({
    ...command,
    run: (key) => {
      const row = rows.find((each) => rowKey(each) === key)
      if (row) command.run(row)
    },
  }))

const earlierText = (): string =>
  'These rows are from before the connection was lost, and may not fit what you ask for now.'
const keepAll = () => true

/**
 * The data table (2.63, 4.16, 5.19, 9.01): paged by the server, or in the page where the server returns the whole list.
 *
 * @example
 * const columns: Column<RowOf<typeof complaint.list>>[] = [{ title: 'Complaint #', field: 'complaintNumber' }, …]
 * <DataTable endpoint={complaint.list} columns={columns} label="Complaints" rowKey={(row) => row.id} rowLink={(row)
 * => `/complaint/detail/${row.id}`} />
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
    rowCommands = [],
    searchable = true,
    searchDelay = limits.tableSearchDebounceMs,
    searchField = 'search',
    searchInUrl = true,
    keepRow = keepAll,
    onRows,
    selection,
    exportRows,
    empty,
  } = props
  const box = useRef<HTMLDivElement>(null)
  const view = useColumns(label, columns, selection !== undefined)
  const { state, change, query, pathname } = useTableState(columns.length + (selection ? 1 : 0), searchInUrl)
  const sortedBy = view.all.find(({ index }) => String(index) === state.sortColumn)?.column
  const { loaded, retry, all } = useRows({ endpoint, input, columns, sortedBy, searchField, state, keepRow })
  // React draws rows in slices, so that the page stays responsive; rows of another list go at once, because the
  // columns are already the new ones.
  const deferred = useDeferredValue(loaded)
  const listing = deferred.list === loaded.list ? deferred : loaded
  const { rows, total, isFetching, isWaiting, isEarlier, error } = listing
  const storePosition = useReturn(box, rows.length > 0)
  const select = useSelection(selection, rows, rowKey)
  useShownRows(rows, rowKey, onRows)
  const commands = [...listCopyCommands(view.shown), ...rowCommands]
  useTableKeys(box, {
    label,
    isSearchable: searchable,
    isSelectable: selection !== undefined,
    hasLinks: rowLink !== undefined,
    rowCommands: toKeyCommands(commands, rows, rowKey),
  })
  const { page, pageSize, searchTerm } = state
  usePageInRange({ page, pageSize, total: isFetching || isEarlier ? undefined : total, list: loaded.list }, (next) =>
    change({ page: next }),
  )

  const open = (row: RowOf<E>) => {
    storePosition(rowKey(row))
    tableHistory.open(getModule(pathname), searchInUrl ? query : '', rowLink?.(row) ?? '')
    onOpen?.(row)
  }
  const showColumn = useColumnInSight(box)
  const save = () =>
    exportCsv({
      label,
      columns: view.shown.map(({ column }) => column),
      loadRows: exportRows ? () => exportRows(searchTerm) : all,
    })
  const search = {
    term: searchTerm,
    delay: searchDelay,
    isSearching: isFetching && searchTerm !== '',
    onSearch: (term: string) => term !== searchTerm && change({ searchTerm: term, page: 1 }),
  }
  return (
    <div className="dmp-table" data-density={view.density}>
      <Toolbar
        view={{ ...view, toggle: (title) => showColumn(title, view.toggle) }}
        search={searchable ? { ...search, label } : undefined}
        onExport={exportRows === false ? undefined : save}
        isEmpty={total === 0}
        views={props.views}
      >
        {props.toolbar}
      </Toolbar>
      {isEarlier && <p className="dmp-table-earlier">{earlierText()}</p>}
      <div ref={box} className="dmp-table-box">
        <table aria-label={label} aria-busy={loaded.isFetching || isFetching} data-stale={isFetching && !isWaiting}>
          <thead>
            <HeaderRow
              shown={view.shown}
              state={state}
              isSortable={({ column }) =>
                listing.isWhole ? column.sort !== false : findServerSort(column, endpoint) !== undefined
              }
              onSort={(index) => change(nextSort(state, index))}
              selectAll={select && <CheckAll {...select.page} />}
            />
          </thead>
          {isWaiting ? (
            <SkeletonBody columns={view.shown.length + (selection ? 1 : 0)} rows={pageSize} />
          ) : (
            <Body
              rows={rows}
              shown={view.shown}
              rowKey={rowKey}
              rowLink={rowLink}
              onOpen={open}
              selection={select}
              dates="short"
              card={props.card}
              commands={commands}
            />
          )}
        </table>
        {!isWaiting && !error && rows.length === 0 && (
          <EmptyTable searchTerm={searchTerm} empty={empty} onClear={() => change({ searchTerm: '', page: 1 })} />
        )}
      </div>
      <ErrorAlert error={error} onRetry={retry} />
      <Pages
        page={page}
        pageSize={pageSize}
        total={isWaiting || isEarlier || (error !== null && rows.length === 0) ? undefined : total}
        onPage={(next) => change({ page: next })}
        onPageSize={(size) => change({ pageSize: size, page: 1 })}
      />
    </div>
  )
}
