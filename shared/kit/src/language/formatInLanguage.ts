import { BoundedMap } from '../BoundedMap.ts'
import { direction, language, locale } from './language.ts'

/**
 * `day`: 05 / Jan / 2026 (profile) · `moment`: 2026-01-05, 09:15 am GMT+1 (detail tables) · `exact`: the same with
 * seconds, where the order within a minute matters · `short`: 2026-01-05 (clause 9.10). Languages other than English
 * write their own order.
 */
export type DateFormat = 'day' | 'moment' | 'exact' | 'short'

const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
const moment = { ...day, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
const options: Readonly<Record<DateFormat, Intl.DateTimeFormatOptions>> = {
  day: { ...day, month: 'short' },
  moment,
  exact: { ...moment, second: '2-digit' },
  short: day,
}

// Making one takes longer than formatting a column with it.
const formats = new BoundedMap<string, Intl.DateTimeFormat>(20)

/** Formats the instant in the order and words of the page's language, in the viewer's zone or the given one. */
export function formatInLanguage(date: Date, format: DateFormat, timeZone?: string): string {
  const key = `${format} ${timeZone ?? ''}`
  let made = formats.get(key)
  if (!made) formats.set(key, (made = new Intl.DateTimeFormat(locale(), { ...options[format], timeZone })))
  // Isolated: beside words of another direction its parts would change places.
  return direction() === 'rtl' ? `\u2068${made.format(date)}\u2069` : made.format(date)
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** A day as the page's language writes it; English keeps `2026-01-05` (clause 9.10), and what is no day stays. */
export const formatDay = (text: string): string =>
  language() === 'en' || !isDay(text) ? text : formatInLanguage(new Date(text), 'short', 'UTC')
