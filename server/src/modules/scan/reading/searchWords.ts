import { isSlashed, readDays } from './searchDates.ts'

/** More words than this narrow nothing any more, and each is looked up. */
const maxWords = 16

const months = [
  ['jan', 'january'],
  ['feb', 'february'],
  ['mar', 'march'],
  ['apr', 'april'],
  ['may', 'may'],
  ['jun', 'june'],
  ['jul', 'july'],
  ['aug', 'august'],
  ['sep', 'september'],
  ['oct', 'october'],
  ['nov', 'november'],
  ['dec', 'december'],
]

/** By its whole name or its first letters: Marie and Julia are people. */
function toMonth(word: string): string | undefined {
  const index = months.findIndex((names) => names.includes(word.toLowerCase()))
  return index < 0 ? undefined : String(index + 1).padStart(2, '0')
}
const isDay = (word: string | undefined): word is string => /^\d{1,2}$/.test(word ?? '') && Number(word) <= 31
const isYear = (word: string | undefined): word is string => /^(?:19|20)\d\d$/.test(word ?? '')

/** `16.06.2025` and `2025/6/16` → `2025-06-16`; what may be part of an ID or another day as well stays as it is. */
function toIsoDate(word: string): string {
  const [day, another] = /[./年]/.test(word) ? readDays(word) : []
  return day === undefined || another !== undefined ? word : day
}

/**
 * The words of a search, each of which has to match, in any order. `Doe^Peter` and `Doe, Peter` are two words; `16 Jun
 * 2025`, `Jun 16, 2025`, `Jun 2025` and `16/06/2025` are one, as dates are stored.
 */
export function parseSearch(term: string): string[] {
  const parts = term
    .split(/[\s,^=]+/)
    .flatMap((part) => (isSlashed(part) ? part : part.split('/')))
    .flatMap((part) => (/^\d{1,2}-[a-z]{3,9}-\d{4}$/i.test(part) ? part.split('-') : part))
    .filter((part) => part !== '')
  const words: string[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const [first = '', second = '', third] = parts.slice(at, at + 3)
    const dayMonth = isDay(first) ? toMonth(second) : undefined
    const month = toMonth(first)
    if (dayMonth !== undefined && isYear(third)) {
      words.push(`${third}-${dayMonth}-${first.padStart(2, '0')}`)
      at += 2
    } else if (month !== undefined && isDay(second) && isYear(third)) {
      words.push(`${third}-${month}-${second.padStart(2, '0')}`)
      at += 2
    } else if (month !== undefined && isYear(second)) {
      words.push(`${second}-${month}`)
      at += 1
    } else words.push(toIsoDate(first))
  }
  return [...new Set(words)].slice(0, maxWords)
}
