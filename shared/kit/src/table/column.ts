import type { Answer, Endpoint, Listing } from '@dmp/contract/endpoint'
import type { BadgeTone } from '@dmp/kit/ui'
import type { ReactNode } from 'react'
import { formatDate } from '@dmp/kit/screen'

/** The cell types of clause 2.63. Checkboxes are the table's `selection`. */
export type CellType = 'string' | 'date' | 'box' | 'boolean' | 'status' | 'badges'

export type CellValue = string | number | boolean | readonly string[] | null | undefined

/** One column: `{ title: 'Name', field: 'name' }` is enough. */
export interface Column<Row> {
  readonly title: string
  /** Key of the row; the server's sort field too, unless `sort` names another. */
  readonly field?: keyof Row & string
  /** The value that the cell shows, searches, sorts locally and exports, where it is not `row[field]`. */
  readonly value?: (row: Row) => CellValue
  /** Default: string. */
  readonly type?: CellType
  /**
   * The field the server sorts by; false for a column that cannot be sorted. Default: `field` where the endpoint
   * lists it as sortable.
   */
  readonly sort?: string | false
  /** Draws the cell; search, sort and export still use `value`. */
  readonly render?: (row: Row) => ReactNode
  /** The cell that holds the row's link. Default: the first column of type string. */
  readonly link?: boolean
  /** Tones of values that the kit does not know. */
  readonly tone?: (value: string) => BadgeTone
  /** An id that people paste elsewhere: a button in the cell, and the key C, copy it. */
  readonly copies?: boolean
  /** It holds the buttons of a row, which stay in sight where the table is wider than its place. */
  readonly acts?: boolean
  /** Width in px. */
  readonly width?: number
  /** Hidden until chosen in the column chooser. */
  readonly hidden?: boolean
}

/** The class of its heading and cells; undefined for a column as all others. */
export const toClassName = <Row>({ acts, copies }: Column<Row>): string | undefined =>
  acts ? 'dmp-cell-acts' : copies ? 'dmp-cell-copies' : undefined

/** The row of a list call. */
export type RowOf<E> = E extends Endpoint ? (Answer<E> extends Listing<infer Row> ? Row : never) : never

/** The value of a cell. */
export function getValue<Row>(column: Column<Row>, row: Row): CellValue {
  if (column.value) return column.value(row)
  return column.field ? (row[column.field] as CellValue) : undefined
}

/** The value as text, for search, sort, export and names. */
export function formatCell<Row>(column: Column<Row>, row: Row): string {
  const value = getValue(column, row)
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') return value.join(', ')
  return column.type === 'date' ? formatDate(String(value), 'short') : String(value)
}

/** The field by which the server sorts the column; undefined where it cannot. */
export function findServerSort<Row>(column: Column<Row>, endpoint: Endpoint): string | undefined {
  if (column.sort === false) return undefined
  const name = column.sort ?? column.field
  return name !== undefined && endpoint.definition.sortable?.includes(name) ? name : undefined
}
