/**
 * `day`: 05 / Jan / 2026 (profile) · `moment`: 2026-01-05, 09:15 am GMT+1 (detail tables) · `short`: 2026-01-05 (clause
 * 9.10).
 */
export type DateFormat = 'day' | 'moment' | 'short'

const dateOnly = /^\d{4}-\d{2}-\d{2}$/

/**
 * The instant as text in the viewer's zone, '' when there is none; text that is no date stays as it is. A date without
 * a time (DICOM) is shown as that day, whatever the zone.
 *
 * @example dateText('2026-01-05T08:15:00Z', 'moment') // '2026-01-05, 09:15 am GMT+1' in Berlin
 */
export function dateText(instant: string | null | undefined, format: DateFormat, timeZone?: string): string {
  if (!instant) return ''
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  const isDay = dateOnly.test(instant)
  const zone = isDay ? 'UTC' : timeZone
  const part = partsOf(date, zone)
  const day = `${part.year}-${part.month}-${part.day}`
  if (format === 'day') return `${part.day} / ${monthNames[Number(part.month) - 1]} / ${part.year}`
  if (format === 'short' || isDay) return day
  return `${day}, ${part.hour}:${part.minute} ${part.dayPeriod?.toLowerCase()} ${part.timeZoneName}`
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function partsOf(date: Date, timeZone: string | undefined): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  const format = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h12',
    timeZoneName: 'short',
    ...(timeZone ? { timeZone } : {}),
  })
  return Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))
}

/** The same as a `<time>` element; a dash when there is no instant. */
export function DateText({ value, format }: { value: string | null | undefined; format: DateFormat }) {
  if (!value) return <span aria-label="none">–</span>
  return <time dateTime={value}>{dateText(value, format)}</time>
}
