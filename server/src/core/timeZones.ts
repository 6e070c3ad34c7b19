/** Of a header: the longest name has 32 characters. */
const maxChars = 40

/** The name of a time zone (IANA), if it is one. */
export function toTimeZone(name: string | undefined): string | undefined {
  if (name === undefined || name === '' || name.length > maxChars) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The last time before `until` at which the clocks of a zone showed the hour; the server's zone if absent. */
export function lastHour(
  until: Date,
  hour: number,
  timeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
): Date {
  const { year, month, day } = partsOf(until, timeZone)
  const today = atHour(timeZone, year, month, day, hour)
  return today <= until ? today : atHour(timeZone, year, month, day - 1, hour)
}

/** The day that it is by the clocks of a zone. */
export const localDay = (date: Date, timeZone: string): { year: number; month: number; day: number } =>
  partsOf(date, timeZone)

/** "2026-11-24 10:30" by the clocks of a zone. */
export function formatMinute(date: Date, timeZone: string): string {
  const { year, month, day, hour, minute } = partsOf(date, timeZone)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`
}

/** Twice, because the first guess may lie on the other side of a change of the clocks. */
export function atHour(timeZone: string, year: number, month: number, day: number, hour: number, minute = 0): Date {
  const wanted = Date.UTC(year, month - 1, day, hour, minute)
  let instant = wanted
  for (let guess = 0; guess < 2; guess += 1) instant = wanted - offsetAt(instant, timeZone)
  return new Date(instant)
}

function offsetAt(instant: number, timeZone: string): number {
  const { year, month, day, hour, minute } = partsOf(new Date(instant), timeZone)
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(instant / 60_000) * 60_000
}

function partsOf(date: Date, timeZone: string) {
  const parts = formatOf(timeZone).formatToParts(date)
  const read = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value)
  return { year: read('year'), month: read('month'), day: read('day'), hour: read('hour'), minute: read('minute') }
}

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
