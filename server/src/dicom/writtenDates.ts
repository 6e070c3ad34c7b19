import { foldText, toWords } from './foldedText.ts'

/** A calendar day. */
interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Languages in which dates are written into the objects of hospitals. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'hu', 'tr', 'ru', 'el']

/** Month by the first letters of its name, at least three and as many as the shortest spelling has. */
const monthNames = createMonthNames()

function createMonthNames(): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  for (const language of languages)
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month: style, day: 'numeric', timeZone: 'UTC' })
      for (let month = 1; month <= 12; month += 1) {
        const part = format.formatToParts(Date.UTC(2001, month - 1, 2)).find(({ type }) => type === 'month')
        for (const folded of foldText(part?.value ?? ''))
          for (const name of toWords(folded)) if (name.length >= 3 && !/^\d/.test(name)) names.set(name, month)
      }
    }
  return names
}

const isDay = (text: string): boolean => /^(?:0?[1-9]|[12]\d|3[01])$/.test(text)
const isMonth = (text: string): boolean => /^(?:0?[1-9]|1[0-2])$/.test(text)
const isYear = (text: string): boolean => /^(?:1[89]|20)\d\d$/.test(text)

/** `1st`, `31st`: the number alone. */
const withoutOrdinal = (word: string): string => /^(\d{1,2})(?:st|nd|rd|th|er|e|o)$/.exec(word)?.[1] ?? word

/** The parts of a date: numbers, and names of months as their number; `1977年12月31日` and `31dec1977` fall apart. */
function toParts(folded: string): readonly { readonly text: string; readonly isName: boolean }[] {
  const words = folded
    .replace(/[年月日년월일]/g, ' ')
    .replace(/\d(?=t\d\d)/g, '$& ')
    .match(/\d+(?:st|nd|rd|th)?|\p{L}+/gu)
  return (words ?? []).map((word) => {
    const month = monthNames.get(word)
    return month === undefined ? { text: withoutOrdinal(word), isName: false } : { text: String(month), isName: true }
  })
}

/** `19771231` or `31121977`, alone or with a time behind it. */
const isPackedDate = (text: string): boolean =>
  (text.length === 8 || text.length === 12 || text.length === 14) &&
  ((isYear(text.slice(0, 4)) && isMonth(text.slice(4, 6)) && isDay(text.slice(6, 8))) ||
    (text.length === 8 && isYear(text.slice(4)) && isMonth(text.slice(2, 4)) && isDay(text.slice(0, 2))) ||
    (text.length === 8 && isYear(text.slice(4)) && isMonth(text.slice(0, 2)) && isDay(text.slice(2, 4))))

/** Whether a text holds any date with a year of four digits, in the usual orders and languages. */
function hasFullDate(parts: ReturnType<typeof toParts>): boolean {
  return parts.some((first, at) => {
    if (isPackedDate(first.text)) return true
    const [second, third] = [parts[at + 1], parts[at + 2]]
    if (!second || !third) return false
    const [a, b, c] = [first.text, second.text, third.text]
    return (
      (isYear(a) && isMonth(b) && isDay(c)) ||
      (isYear(c) && ((isDay(a) && isMonth(b)) || (isMonth(a) && isDay(b)))) ||
      // `31. de diciembre de 1977`: one word between.
      (second.isName === false && !/\d/.test(b) && hasSpelledDate(first, parts.slice(at + 1, at + 5)))
    )
  })
}

const hasSpelledDate = (first: { text: string }, rest: ReturnType<typeof toParts>): boolean =>
  isDay(first.text) && rest.some(({ isName }) => isName) && rest.some(({ text }) => isYear(text))

/** The days that the object itself names: found with a year of two digits, too. */
export class WrittenDates {
  readonly #shortForms: ReadonlySet<string>
  /** Alone in a value. */
  readonly packed: ReadonlySet<string>

  /** Takes values of DA and DT. */
  constructor(values: Iterable<string>) {
    const days = [...new Set([...values].map((value) => value.replace(/^(\d{4})[.-](\d\d)[.-]/, '$1$2').slice(0, 8)))]
      .filter((value) => /^\d{8}$/.test(value) && isPackedDate(value))
      .map((value) => ({ year: +value.slice(0, 4), month: +value.slice(4, 6), day: +value.slice(6, 8) }))
    this.#shortForms = new Set(days.flatMap(listShortForms))
    this.packed = new Set(days.flatMap(listPacked))
  }

  isIn(text: string): boolean {
    if (!/\d/.test(text)) return false
    return foldText(text).some((folded) => {
      const parts = toParts(folded)
      if (hasFullDate(parts) || parts.some(({ text: part }) => this.packed.has(part))) return true
      return parts.some(
        ({ text: first }, at) =>
          first.length <= 2 &&
          this.#shortForms.has([first, parts[at + 1]?.text, parts[at + 2]?.text].map(withoutZero).join(' ')),
      )
    })
  }
}

const withoutZero = (text: string | undefined): string => (text ?? '').replace(/^0(?=\d)/, '')
const twoDigits = (number: number): string => String(number % 100).padStart(2, '0')

const listShortForms = ({ year, month, day }: Day): string[] => {
  const short = String(year % 100)
  return [`${day} ${month} ${short}`, `${month} ${day} ${short}`, `${short} ${month} ${day}`]
}

function listPacked({ year, month, day }: Day): string[] {
  const [m, d, y] = [twoDigits(month), twoDigits(day), twoDigits(year)]
  return [`${year}${m}${d}`, `${d}${m}${year}`, `${m}${d}${year}`, `${y}${m}${d}`, `${d}${m}${y}`, `${m}${d}${y}`]
}
