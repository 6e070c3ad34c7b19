import { formatDate, type DateFormat } from '../dates/formatDate.ts'

/** An instant as a `<time>` element; a dash without one. */
export function DateText({ value, format }: { value: string | null | undefined; format: DateFormat }) {
  if (!value) return <span aria-label="none">–</span>
  return <time dateTime={value}>{formatDate(value, format)}</time>
}
