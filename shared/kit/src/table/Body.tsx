import { Link, useNavigate } from '@dmp/kit/router'
import { limits } from '@dmp/contract/limits'
import { CopyButton, type DateFormat } from '@dmp/kit/screen'
import { useContent, useWaitingForContent } from '../firstContent.ts'
import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { Cell } from './Cell.tsx'
import { formatCell, toClassName, type Column } from './column.ts'
import { nameRows } from './nameRows.ts'
import { RowMenu } from './RowMenu.tsx'
import type { Shown } from './useColumns.ts'
import { useIsNarrow } from './useIsNarrow.ts'
import type { RowCommand } from './useTableKeys.ts'

export interface BodyProps<Row> {
  readonly rows: readonly Row[]
  readonly shown: readonly Shown<Row>[]
  readonly rowKey: (row: Row) => string
  readonly rowLink: ((row: Row) => string) | undefined
  readonly onOpen: ((row: Row) => void) | undefined
  /** The row checkbox, where rows can be selected. */
  readonly check: ((row: Row, name: string) => ReactNode) | undefined
  readonly isSelected: (row: Row) => boolean
  readonly dates: DateFormat
  /** The lines below the link of a row that is a card. */
  readonly card?: ((row: Row) => readonly string[]) | undefined
  /** What a card offers beside opening it. */
  readonly commands?: readonly RowCommand<Row>[]
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

/** The rows. A row with a link is a real link in one cell, and clickable as a whole. */
export function Body<Row>(props: BodyProps<Row>) {
  const { rows, shown, rowKey, rowLink, onOpen, check, isSelected, dates, card, commands = noCommands } = props
  useContent()
  const isNarrow = useIsNarrow()
  const navigate = useNavigate()
  const columns = shown.map(({ column }) => column)
  const linked = findLinkColumn(columns)
  const nameRow = linked ? nameRows(rows, linked, columns, card) : rowKey
  return (
    <tbody>
      {rows.map((row) => {
        const to = rowLink?.(row)
        const open = (event: MouseEvent<HTMLTableRowElement>) => {
          if (to === undefined || isOnControl(event) || getSelection()?.type === 'Range') return
          // Ctrl or Cmd opens a new tab, as on a link.
          if (event.ctrlKey || event.metaKey) {
            window.open(to, '_blank', 'noopener')
            return
          }
          onOpen?.(row)
          void navigate(to)
        }
        return (
          <tr
            key={rowKey(row)}
            data-key={rowKey(row)}
            className={to === undefined ? undefined : 'dmp-row-open'}
            data-selected={isSelected(row) || undefined}
            onClick={open}
          >
            {check && <td className="dmp-cell-check">{check(row, nameRow(row))}</td>}
            {isNarrow && card && linked ? (
              <CardCells
                {...{ row, to, linked, onOpen, dates, commands }}
                name={nameRow(row)}
                lines={card(row)}
                columns={shown.length}
              />
            ) : (
              shown.map(({ column }) => (
                <td key={column.title} data-label={column.title} className={toClassName(column)}>
                  <RowLink
                    {...{ row, column, onOpen, dates }}
                    name={nameRow(row)}
                    to={column === linked ? to : undefined}
                  />
                  {/* Of many rows no stop each: the keyboard has C. */}
                  {column.copies && formatCell(column, row) !== '' && (
                    <CopyButton
                      text={formatCell(column, row)}
                      label={column.title}
                      ofWhat={nameRow(row)}
                      tabIndex={-1}
                    />
                  )}
                </td>
              ))
            )}
          </tr>
        )
      })}
    </tbody>
  )
}

interface RowLinkProps<Row> {
  readonly row: Row
  readonly column: Column<Row>
  /** What the row is called. */
  readonly name: string
  readonly to: string | undefined
  readonly onOpen: ((row: Row) => void) | undefined
  readonly dates: DateFormat
}

function RowLink<Row>({ row, column, name, to, onOpen, dates }: RowLinkProps<Row>) {
  const cell = <Cell column={column} row={row} dates={dates} />
  if (to === undefined) return cell
  const text = formatCell(column, row)
  return (
    <Link
      to={to}
      className="dmp-row-link"
      // Where two look alike, they are heard apart; the name begins with what is seen.
      aria-label={text === '' || text === name ? undefined : name}
      onClick={() => onOpen?.(row)}
      onKeyDown={moveBetweenRows}
    >
      {cell}
    </Link>
  )
}

interface CardCellsProps<Row> extends Omit<RowLinkProps<Row>, 'column'> {
  readonly linked: Column<Row>
  readonly lines: readonly string[]
  readonly columns: number
  readonly commands: readonly RowCommand<Row>[]
}

/** A row as a card: its link, the lines below it, and what else can be done with it. */
function CardCells<Row>({ linked, name, lines, columns, commands, ...link }: CardCellsProps<Row>) {
  return (
    <>
      <td className="dmp-card-lines" colSpan={columns}>
        <RowLink column={linked} name={name} {...link} />
        {lines.map((line) => (
          <bdi key={line}>{line}</bdi>
        ))}
      </td>
      {commands.length > 0 && (
        <td className="dmp-card-more">
          <RowMenu row={link.row} name={name} commands={commands} />
        </td>
      )}
    </>
  )
}

const isOnControl = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest('a, button, input, label, select, summary') !== null

// Up and Down move over the rows' links, Home and End to the first and last.
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const links = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('.dmp-row-link') ?? [])]
  const here = links.indexOf(event.currentTarget)
  const there = { ArrowUp: here - 1, ArrowDown: here + 1, Home: 0, End: links.length - 1 }[event.key]
  if (there === undefined || !links[there]) return
  event.preventDefault()
  links[there].focus()
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
