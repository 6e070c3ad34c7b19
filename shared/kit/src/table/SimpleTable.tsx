import { Body } from './Body.tsx'
import type { Column } from './column.ts'
import './table.css'

export interface SimpleTableProps<Row> {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** Names the table for assistive technology. */
  readonly label: string
  readonly rowKey: (row: Row) => string
  readonly emptyText?: string
}

/** A longer table may scroll, and then the keyboard has to reach the box. */
const rowsAtOnce = 8

/**
 * Rows that are already there (status history, tags, licenses) in the same cells, without search, pages or URL; dates
 * with their time (9.10).
 */
export function SimpleTable<Row>({
  rows,
  columns,
  label,
  rowKey,
  emptyText = 'No record found.',
}: SimpleTableProps<Row>) {
  const shownColumns = columns.filter(({ hidden }) => !hidden).map((column, index) => ({ column, index }))
  return (
    <div className="dmp-table">
      <div
        className="dmp-table-box dmp-table-box--simple"
        {...(rows.length > rowsAtOnce ? { role: 'region', 'aria-label': `${label}, scrollable`, tabIndex: 0 } : {})}
      >
        <table aria-label={label}>
          <thead>
            <tr>
              {shownColumns.map(({ column: { title, width, acts } }) => (
                <th
                  key={title}
                  scope="col"
                  style={width === undefined ? undefined : { width, minWidth: width }}
                  className={acts ? 'dmp-cell-acts' : undefined}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <Body rows={rows} shown={shownColumns} rowKey={rowKey} dates="moment" />
        </table>
        {rows.length === 0 && <p className="dmp-table-empty">{emptyText}</p>}
      </div>
    </div>
  )
}
