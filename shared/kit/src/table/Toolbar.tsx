import { useRef, type ReactNode } from 'react'
import { ColumnMenu } from './ColumnMenu.tsx'
import { ExportButton } from './ExportButton.tsx'
import { TableSearch, type TableSearchProps } from './TableSearch.tsx'
import type { ColumnsView, Shown } from './useColumns.ts'

export interface ToolbarProps<Row> {
  /** Buttons of the screen. */
  readonly children: ReactNode
  readonly view: ColumnsView<Row>
  /** Undefined where the table has no search. */
  readonly search: TableSearchProps | undefined
  /** Undefined where the table has no export. */
  readonly onExport: (() => Promise<void>) | undefined
  readonly isEmpty: boolean
  readonly views?: ReactNode
}

const heights = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

const toTitles = <Row,>(columns: readonly Shown<Row>[]): string[] => columns.map(({ column }) => column.title)

/** The bar above a table: the screen's buttons at the left; search, views, columns and export at the right. */
export function Toolbar<Row>({ children, view, search, onExport, isEmpty, views }: ToolbarProps<Row>) {
  const waitingRef = useRef<() => void>(undefined)
  return (
    // What the bar does, such as saving the search, it does with what stands in the field.
    <div className="dmp-table-bar" onClickCapture={() => waitingRef.current?.()}>
      {children && <div className="dmp-table-tools">{children}</div>}
      <div className="dmp-table-tools dmp-table-tools--end">
        {search && <TableSearch {...search} waitingRef={waitingRef} />}
        {views}
        <ColumnMenu
          all={toTitles(view.all)}
          shown={toTitles(view.shown)}
          onToggle={view.toggle}
          onMove={view.move}
          onReset={view.reset}
          heights={heights}
          height={view.density}
          onHeight={view.chooseDensity}
        />
        {onExport && <ExportButton disabled={isEmpty} onExport={onExport} />}
      </div>
    </div>
  )
}
