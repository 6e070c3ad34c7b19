import { Link } from '@dmp/kit/router'
import { CopyButton, type DateFormat } from '@dmp/kit/screen'
import { memo, type KeyboardEvent, type MouseEvent } from 'react'
import { directionOf } from '../language/directionOf.ts'
import { Cell } from './Cell.tsx'
import { formatCell, toClassName, type Column } from './column.ts'
import { RowMenu } from './RowMenu.tsx'
import type { Shown } from './useColumns.ts'

/** All that a row is drawn from: as long as it is the same, the row is not drawn again. */
export interface RowProps<Row> {
  readonly row: Row
  readonly id: string
  readonly shown: readonly Shown<Row>[]
  /** The column that holds the link. */
  readonly linked: Column<Row> | undefined
  readonly to: string | undefined
  /** What the row is called. */
  readonly name: string
  /** Undefined where rows cannot be selected. */
  readonly isSelected: boolean | undefined
  readonly dates: DateFormat
  /** The lines below the link of a row that is a card; undefined where it is none. */
  readonly card: ((row: Row) => readonly string[]) | undefined
  /** What the menu of a card offers. */
  readonly commands: readonly string[]
  /** How many catalogues have come: cells speak the page's language. */
  readonly texts: number
  readonly acts: RowActs<Row>
}

export interface RowActs<Row> {
  readonly open: (row: Row) => void
  /** Also goes there, as the link does by itself. */
  readonly goTo: (row: Row, to: string) => void
  readonly select: (row: Row, isOn: boolean) => void
  readonly run: (command: string, row: Row) => void
}

/** A row with a link is a real link in one cell, and clickable as a whole. */
function DrawnRow<Row>(props: RowProps<Row>) {
  const { row, id, shown, linked, to, name, isSelected, dates, card, acts } = props
  const open = (event: MouseEvent<HTMLTableRowElement>) => {
    if (to === undefined || isOnControl(event) || getSelection()?.type === 'Range') return
    // Ctrl or Cmd opens a new tab, as on a link.
    if (event.ctrlKey || event.metaKey) window.open(to, '_blank', 'noopener')
    else acts.goTo(row, to)
  }
  return (
    <tr
      data-key={id}
      className={to === undefined ? undefined : 'dmp-row-open'}
      data-selected={isSelected || undefined}
      onClick={open}
    >
      {isSelected !== undefined && (
        <td className="dmp-cell-check">
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={isSelected}
            onChange={(event) => acts.select(row, event.target.checked)}
          />
        </td>
      )}
      {card && linked ? (
        <CardCells {...props} column={linked} lines={card(row)} />
      ) : (
        shown.map(({ column }) => (
          <td key={column.title} data-label={column.title} className={toClassName(column)}>
            <RowLink {...{ row, column, dates, name, acts }} to={column === linked ? to : undefined} />
            {/* Of many rows no stop each: the keyboard has C. */}
            {column.copies && formatCell(column, row) !== '' && (
              <CopyButton text={formatCell(column, row)} label={column.title} ofWhat={name} tabIndex={-1} />
            )}
          </td>
        ))
      )}
    </tr>
  )
}

export const Row = memo(DrawnRow) as typeof DrawnRow

interface RowLinkProps<Row> extends Pick<RowProps<Row>, 'row' | 'name' | 'to' | 'dates' | 'acts'> {
  readonly column: Column<Row>
}

function RowLink<Row>({ row, column, name, to, dates, acts }: RowLinkProps<Row>) {
  const cell = <Cell column={column} row={row} dates={dates} />
  if (to === undefined) return cell
  const text = formatCell(column, row)
  return (
    <Link
      to={to}
      className="dmp-row-link"
      // Where two look alike, they are heard apart; the name begins with what is seen.
      aria-label={text === '' || text === name ? undefined : name}
      onClick={() => acts.open(row)}
      onKeyDown={moveBetweenRows}
    >
      {cell}
    </Link>
  )
}

interface CardCellsProps<Row> extends RowLinkProps<Row>, Pick<RowProps<Row>, 'shown' | 'commands'> {
  readonly lines: readonly string[]
}

/** A row as a card: its link, the lines below it, and what else can be done with it. */
function CardCells<Row>({ lines, shown, commands, ...link }: CardCellsProps<Row>) {
  return (
    <>
      <td className="dmp-card-lines" colSpan={shown.length}>
        <RowLink {...link} />
        {lines.map((line) => (
          <bdi key={line} dir={directionOf(line)}>
            {line}
          </bdi>
        ))}
      </td>
      {commands.length > 0 && (
        <td className="dmp-card-more">
          <RowMenu name={link.name} commands={commands} onChoose={(command) => link.acts.run(command, link.row)} />
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
