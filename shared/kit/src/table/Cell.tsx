import { DateText, type DateFormat } from '@dmp/kit/screen'
import { StatusBadge } from '@dmp/kit/ui'
import type { ReactNode } from 'react'
import { getValue, type Column } from './column.ts'

/** One cell, by the types of 2.63. */
export function Cell<Row>({ column, row, dates }: { column: Column<Row>; row: Row; dates: DateFormat }): ReactNode {
  if (column.render) return column.render(row)
  const value = getValue(column, row)
  if (value === null || value === undefined || value === '') return <span aria-label="None">–</span>
  const badge = (text: string, plain: boolean) => (
    <StatusBadge key={text} value={text} plain={plain} {...(column.tone ? { tone: column.tone(text) } : {})} />
  )
  if (typeof value === 'object') return <span className="dmp-badges">{value.map((text) => badge(text, true))}</span>
  if (typeof value === 'boolean' || column.type === 'boolean')
    return badge(value === true || value === 'true' ? 'Yes' : 'No', false)
  if (column.type === 'date') return <DateText value={String(value)} format={dates} />
  if (column.type === 'status') return badge(String(value), false)
  if (column.type === 'badges') return badge(String(value), true)
  if (column.type === 'box') return <span className="dmp-box">{value}</span>
  return <bdi>{value}</bdi>
}
