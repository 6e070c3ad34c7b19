import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'
import { language } from '../language/language.ts'
import { formatInLanguage, type DateFormat } from '../language/formatInLanguage.ts'

dayjs.extend(utc)
dayjs.extend(timezone)

export type { DateFormat }

const patterns: Readonly<Record<DateFormat, string>> = {
  day: 'DD / MMM / YYYY',
  moment: 'YYYY-MM-DD, hh:mm a',
  exact: 'YYYY-MM-DD, hh:mm:ss a',
  short: 'YYYY-MM-DD',
}
const hasTime = (format: DateFormat): boolean => format === 'moment' || format === 'exact'
const dateOnly = /^\d{4}-\d{2}-\d{2}$/

/**
 * Formats the instant in the viewer's zone: '' without an instant; text that is not a date stays as it is. A date
 * without a time (DICOM) is that day in every zone.
 *
 * @example formatDate('2026-01-05T08:15:00Z', 'moment') // '2026-01-05, 09:15 am GMT+1' in Berlin
 */
export function formatDate(instant: string | null | undefined, format: DateFormat, timeZone?: string): string {
  if (!instant) return ''
  // dayjs alone would read more than ISO 8601 as a date.
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  const isDay = dateOnly.test(instant)
  if (language() !== 'en')
    return formatInLanguage(date, isDay && hasTime(format) ? 'short' : format, isDay ? 'UTC' : timeZone)
  if (isDay) return dayjs.utc(date).format(patterns[format === 'day' ? 'day' : 'short'])
  const zoned = timeZone ? dayjs(date).tz(timeZone) : dayjs(date)
  // Shown as UTC: `tz` formats through the machine's own zone and is an hour off when that zone changes its clocks.
  const local = timeZone ? dayjs.utc(date).add(zoned.utcOffset(), 'minute') : zoned
  return `${local.format(patterns[format])}${hasTime(format) ? ` ${zoned.offsetName('short')}` : ''}`
}

/** Today's date in UTC, as in file names: 2026-01-05. */
export function formatToday(): string {
  return dayjs.utc().format(patterns.short)
}

/** The viewer's time zone, such as Europe/Berlin. */
export function getTimeZone(): string {
  return dayjs.tz.guess()
}
