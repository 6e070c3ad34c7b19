import { useState } from 'react'
import { describeDate } from '../dates/describeDate.ts'
import { formatDate, type DateFormat } from '../dates/formatDate.ts'

/** An instant as a `<time>` element, which says the whole of it when it is pointed at; a dash without one. */
export function DateText({ value, format }: { value: string | null | undefined; format: DateFormat }) {
  // A list has hundreds of them, and few are pointed at.
  const [whole, setWhole] = useState<string>()
  if (!value) return <span aria-label="None">–</span>
  return (
    <time dateTime={value} title={whole} onPointerEnter={() => setWhole(describeDate(value) || undefined)}>
      {formatDate(value, format)}
    </time>
  )
}
