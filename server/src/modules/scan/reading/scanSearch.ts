import { sql, type RawBuilder } from 'kysely'
import { escapeLike } from '../../../db/escapeLike.ts'
import { readDays } from './searchDates.ts'
import { toSpellings, toUmlauts } from './searchSpellings.ts'
import { parseSearch } from './searchWords.ts'

/** In organizations with more series than this, some searches match less, so that each takes milliseconds. */
const manySeries = 50_000
/** In such an organization, counting stops at this many results. */
export const countedOfMany = 1_000

export const toCountLimit = (series: number): RawBuilder<unknown> =>
  areMany(series) ? sql`limit ${countedOfMany}` : sql``

const isShort = (word: string): boolean => /^[\p{L}\p{N}]{1,2}$/u.test(word)
/** A date is compared at its beginning, a word by looking through all of the text, a short one by a pattern. */
const toCost = (word: string): number => (isDatePart(word) || readDays(word).length > 0 ? 0 : isShort(word) ? 2 : 1)
const cheapFirst = (words: readonly string[]): string[] => words.toSorted((one, other) => toCost(one) - toCost(other))

/** Any other term cannot be part of a UID. */
const isPartOfUid = (term: string): boolean => /^[0-9.]+$/.test(term)
/** Long enough to be a UID, or most of one. */
export const isWholeUid = (term: string): boolean => /^[0-9]+(?:\.[0-9]+){4,}$/.test(term)
/** A day, a month or a year as dates are stored. */
const isDatePart = (word: string): boolean => /^(?:19|20)\d\d(?:-\d\d){0,2}$/.test(word)

/** Series whose own UID or study UID begins with the term; both have an index for that. */
export const startsUid = (term: string): RawBuilder<unknown> =>
  sql`(series_uid like ${`${escapeLike(term)}%`} or study_uid like ${`${escapeLike(term)}%`})`

export const areMany = (series: number): boolean => series > manySeries

/** Of the words of a search those that a date begins with: the index of the dates finds the rows by itself. */
export const matchesDates = (term: string, date: RawBuilder<unknown>): RawBuilder<unknown> =>
  and(
    parseSearch(term)
      .filter(isDatePart)
      .map((word) => sql`${date} like ${`${word}%`}`),
  )

interface Searched {
  /** Folded text, one line per value, with an index of its trigrams. */
  readonly text: RawBuilder<unknown>
  /** YYYY-MM-DD, with an index. */
  readonly date: RawBuilder<unknown>
  /** With its accents. */
  readonly name: RawBuilder<unknown>
}

/**
 * Rows that have each word in some shown value, in any case and without its accents (5.19). Among many series, one or
 * two letters match the beginning of words, and a date, month or year matches the date of the images: anything else
 * would read too many rows.
 */
function matchesWord(word: string, isMany: boolean, { text, date, name }: Searched): RawBuilder<unknown> {
  if (isMany && isDatePart(word)) return sql`${date} like ${`${word}%`}`
  if (isMany && isShort(word))
    return sql`(${text} like fold_text(${`%${word}%`}::text) and ${text} ~ ('\\m' || fold_text(${word}::text)))`
  const has = (part: string): RawBuilder<unknown> => sql`${text} like fold_text(${`%${escapeLike(part)}%`}::text)`
  const days = readDays(word)
  if (isMany && days.length > 0) {
    const isOnDay = sql`${date} = any(${days}::text[])`
    // 20261120 may be the beginning of a number; trigrams of what has marks in it are those of every date.
    return /^\d+$/.test(word) ? sql`(${isOnDay} or ${has(word)})` : isOnDay
  }
  const umlauts = toUmlauts(word)
  const either = [...toSpellings(word), ...days].map(has)
  // Folded alone, Michael would be Michal as well.
  if (umlauts !== undefined)
    either.push(sql`(${has(umlauts)} and translate(lower(${name}), 'ÄÖÜ', 'äöü') like ${`%${escapeLike(umlauts)}%`})`)
  return sql`(${sql.join(either, sql` or `)})`
}

const and = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)

/** Series that match. Beside their text, UIDs match in any part, among many series from their beginning. */
export function matchesSeries(term: string, series: number): RawBuilder<unknown> {
  const isMany = areMany(series)
  const words = cheapFirst(parseSearch(term))
  const searched = { text: sql`search_text`, date: sql`acq_date`, name: sql`patient_name` }
  return and(
    words.map((word) => {
      const inText = matchesWord(word, isMany, searched)
      // A number among other words is a year or a slice thickness: every UID would match it.
      if (!isPartOfUid(word) || (words.length > 1 && !word.includes('.')) || (isMany && isDatePart(word))) return inText
      if (isMany) return sql`(${inText} or ${startsUid(word)})`
      return sql`(${inText} or series_uid like ${`%${escapeLike(word)}%`} or study_uid like ${`%${escapeLike(word)}%`})`
    }),
  )
}

/** Studies that match, each word in any of their series; a whole UID is of the study or of one of its series. */
export function matchesStudy(term: string, organizationId: string, series: number): RawBuilder<unknown> {
  const isMany = areMany(series)
  return and(
    cheapFirst(parseSearch(term)).map((word) =>
      isWholeUid(word)
        ? // Looked up once, by the indexes of the series.
          sql`m.study_uid = any(array(select study_uid from series
            where organization_id = ${organizationId} and ${startsUid(word)}))`
        : matchesWord(word, isMany, { text: sql`m.words`, date: sql`m.study_date`, name: sql`m.patient_name` }),
    ),
  )
}
