const isYear = (year: number): boolean => year >= 1900 && year < 2100

/** As dates are stored; nothing where there is no such day. */
function toDay(year: number, month: number, day: number): string[] {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = isYear(year) && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? [date.toISOString().slice(0, 10)] : []
}

/** 26 is 2026 for images, and 1926 for who was born then. */
const toYears = (year: string): number[] =>
  year.length === 4 ? [Number(year)] : [2000 + Number(year), 1900 + Number(year)]

const yearFirst =
  /^(?<year>\d{4})(?:(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})|年(?<m>\d{1,2})月(?<d>\d{1,2})日)$/
const yearLast = /^(?<one>\d{1,2})(?<mark>[-/.])(?<other>\d{1,2})\k<mark>(?<year>\d{2}|\d{4})$/
const digits = /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/

/** Three numbers with slashes between them, be it a day or not. */
export const isSlashed = (word: string): boolean => word.includes('/') && (yearFirst.test(word) || yearLast.test(word))

/**
 * The days that a word can mean, as dates are stored: `2026/11/20`, `20260520`, `20-11-2026` and `11/20/2026` have one,
 * `05/11/2026` has two, `45/11/2026` none. With dots the day stands first everywhere.
 */
export function readDays(word: string): string[] {
  const first = (yearFirst.exec(word) ?? digits.exec(word))?.groups
  if (first)
    return toDay(Number(first['year']), Number(first['month'] ?? first['m']), Number(first['day'] ?? first['d']))
  const { one, other, year, mark } = yearLast.exec(word)?.groups ?? {}
  if (year === undefined) return []
  const days = toYears(year).flatMap((of) => [
    ...toDay(of, Number(other), Number(one)),
    ...(mark === '.' ? [] : toDay(of, Number(one), Number(other))),
  ])
  return [...new Set(days)]
}
