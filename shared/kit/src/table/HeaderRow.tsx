import type { ReactNode } from 'react'
import type { Shown } from './useColumns.ts'
import type { TableState } from './tableState.ts'

export interface HeaderRowProps<Row> {
  readonly shown: readonly Shown<Row>[]
  readonly state: TableState
  readonly isSortable: (column: Shown<Row>) => boolean
  readonly onSort: (index: number) => void
  /** The checkbox of all rows, where rows can be selected. */
  readonly selectAll: ReactNode
}

/** Before the headings on narrow screens, where they are a line of buttons. */
const sortLabel = () => 'Sort by'
const ariaSorts = { asc: 'ascending', desc: 'descending', '': 'none' } as const

/** The column headings; those that can be sorted are buttons (2.63). */
export function HeaderRow<Row>({ shown, state, isSortable, onSort, selectAll }: HeaderRowProps<Row>) {
  return (
    <tr data-sort-by={sortLabel()}>
      {selectAll && (
        <th scope="col" className="dmp-cell-check">
          {selectAll}
        </th>
      )}
      {shown.map((shownColumn) => {
        const { column, index } = shownColumn
        const direction = state.sortColumn === String(index) ? state.sortDirection : ''
        const style = column.width === undefined ? undefined : { width: column.width, minWidth: column.width }
        if (!isSortable(shownColumn))
          return (
            <th key={column.title} scope="col" style={style} className={column.acts ? 'dmp-cell-acts' : undefined}>
              {column.title}
            </th>
          )
        return (
          <th key={column.title} scope="col" style={style} aria-sort={ariaSorts[direction]}>
            <button type="button" className="dmp-sort" data-direction={direction} onClick={() => onSort(index)}>
              {column.title}
              <svg className="dmp-sort-sign" viewBox="0 0 8 12" aria-hidden="true">
                <path className="dmp-sort-up" d="M4 0l4 5H0z" />
                <path className="dmp-sort-down" d="M4 12l4-5H0z" />
              </svg>
            </button>
          </th>
        )
      })}
    </tr>
  )
}
