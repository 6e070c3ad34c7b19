import { BoundedMap } from '../BoundedMap.ts'
import { locale } from '../language/language.ts'

const dateOnly = /^\d{4}-\d{2}-\d{2}$/
const day = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const
const formats = new BoundedMap<string, Intl.DateTimeFormat>(2)

/** The units of "2 hours ago", each with its ms; a day without a time is at least days away. */
const units = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/**
 * Everything that an instant says, in the words of the page's language: weekday, time with its zone, and how long ago;
 * '' for what is not a date.
 *
 * @example describeDate('2026-01-05T08:15:00Z') // 'Monday, January 5, 2026 at 9:15 AM GMT+1 · 2 hours ago'
 */
export function describeDate(instant: string, now: number = Date.now()): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  const isDay = dateOnly.test(instant)
  return `${toFormat(isDay).format(date)} · ${toDistance(date.getTime(), isDay, now)}`
}

function toFormat(isDay: boolean): Intl.DateTimeFormat {
  const key = isDay ? 'day' : 'moment'
  let format = formats.get(key)
  if (!format) {
    const time = isDay
      ? ({ timeZone: 'UTC' } as const)
      : ({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const)
    formats.set(key, (format = new Intl.DateTimeFormat(locale(), { ...day, ...time })))
  }
  return format
}

function toDistance(time: number, isDay: boolean, now: number): string {
  const today = startOfDay(new Date(now))
  // That day in every zone: counted from the viewer's own day.
  const ms = isDay ? time - today : time - now
  const [unit, size] = units.find(([, each]) => Math.abs(ms) >= each) ?? (isDay ? units[2] : units[4])
  // "Yesterday" is a day of the calendar, not 24 to 36 hours; "last month" would be one, too.
  const many = unit === 'day' ? ((isDay ? time : startOfDay(new Date(time))) - today) / size : Math.round(ms / size)
  const numeric = unit === 'month' || unit === 'year' ? 'always' : 'auto'
  return new Intl.RelativeTimeFormat(locale(), { numeric }).format(many, unit)
}

/** Of the viewer's zone, written as one of UTC: such days are all equally long. */
const startOfDay = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
