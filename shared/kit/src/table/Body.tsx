import { countTexts, subscribeToTexts } from '@dmp/kit/language'
import { useNavigate } from '@dmp/kit/router'
import { limits } from '@dmp/contract/limits'
import type { DateFormat } from '@dmp/kit/screen'
import { useContent, useWaitingForContent } from '../firstContent.ts'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Column } from './column.ts'
import { nameRows } from './nameRows.ts'
import { Row, type RowActs } from './Row.tsx'
import type { Shown } from './useColumns.ts'
import { useIsNarrow } from './useIsNarrow.ts'
import { useSameList } from './useSameList.ts'
import { useSteady } from './useSteady.ts'
import type { RowCommand } from './useTableKeys.ts'

/** A row is drawn again when it, `shown` or what it is called has changed: `shown` is the same as long as it can be. */
export interface BodyProps<Row> {
  readonly rows: readonly Row[]
  readonly shown: readonly Shown<Row>[]
  readonly rowKey: (row: Row) => string
  readonly rowLink?: ((row: Row) => string) | undefined
  readonly onOpen?: ((row: Row) => void) | undefined
  /** Where rows can be selected. */
  readonly selection?: RowSelection<Row> | undefined
  readonly dates: DateFormat
  /** The lines below the link of a row that is a card. */
  readonly card?: ((row: Row) => readonly string[]) | undefined
  /** What a card offers beside opening it. */
  readonly commands?: readonly RowCommand<Row>[]
}

export interface RowSelection<Row> {
  readonly isSelected: (row: Row) => boolean
  readonly select: (row: Row, isOn: boolean) => void
}

const noCommands: readonly never[] = []

/** The column that holds the row's link: a word that tells rows apart rather than a badge. */
export function findLinkColumn<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  return (
    columns.find((column) => column.link) ??
    columns.find((column) => (column.type ?? 'string') === 'string' && !column.render) ??
    columns[0]
  )
}

/** The rows, of which only those are drawn that have changed. */
export function Body<Item>(props: BodyProps<Item>) {
  const { rows, shown, rowKey, rowLink, selection, dates, card, commands = noCommands } = props
  useContent()
  const isNarrow = useIsNarrow()
  const texts = useSyncExternalStore(subscribeToTexts, countTexts)
  const columns = shown.map(({ column }) => column)
  const linked = findLinkColumn(columns)
  const nameRow = linked ? nameRows(rows, linked, columns, card) : rowKey
  const acts = useActs(props)
  const labels = useSameList(commands.map(({ label }) => label))
  return (
    <tbody>
      {rows.map((row) => (
        <Row
          {...{ row, shown, linked, dates, texts, acts }}
          key={rowKey(row)}
          id={rowKey(row)}
          to={rowLink?.(row)}
          name={nameRow(row)}
          isSelected={selection?.isSelected(row)}
          card={isNarrow ? card : undefined}
          commands={labels}
        />
      ))}
    </tbody>
  )
}

/** What is done with a row: the same at every drawing. */
function useActs<Item>({ onOpen, selection, commands = noCommands }: BodyProps<Item>): RowActs<Item> {
  const navigate = useNavigate()
  const open = useSteady((row: Item) => onOpen?.(row))
  const goTo = useSteady((row: Item, to: string) => {
    onOpen?.(row)
    void navigate(to)
  })
  const select = useSteady((row: Item, isOn: boolean) => selection?.select(row, isOn))
  const run = useSteady((command: string, row: Item) => commands.find(({ label }) => label === command)?.run(row))
  return useMemo(() => ({ open, goTo, select, run }), [open, goTo, select, run])
}

/** Grey rows while the first rows load. */
export function SkeletonBody({ columns, rows = limits.defaultPageSize }: { columns: number; rows?: number }) {
  useWaitingForContent()
  return (
    <tbody aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row}>
          {Array.from({ length: columns }, (_, cell) => (
            <td key={cell}>
              <span className="dmp-grey" style={{ width: `${40 + ((row * 7 + cell * 13) % 50)}%` }}>
                …
              </span>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

/** The checkbox of all rows on the page: ticked, empty, or half. */
export function CheckAll({ some, all, onChange }: { some: boolean; all: boolean; onChange: (isOn: boolean) => void }) {
  const box = useRef<HTMLInputElement>(null)
  // The half state is a property, not an attribute.
  useEffect(() => {
    if (box.current) box.current.indeterminate = some && !all
  }, [some, all])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Select all rows on this page"
      checked={all}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}
