import { sql, type RawBuilder } from 'kysely'

/** In organizations with more series than this, some searches match less, so that each takes milliseconds. */
const manySeries = 50_000
/** In such an organization, counting stops at this many results. */
const countedOfMany = 1_000

export const toCountLimit = (series: number): RawBuilder<unknown> =>
  series > manySeries ? sql`limit ${countedOfMany}` : sql``

const escapeLike = (term: string): string => term.replace(/[\\%_]/g, '\\$&')

/** Any other term cannot be part of a UID. */
const isPartOfUid = (term: string): boolean => /^[0-9.]+$/.test(term)
/** Long enough to be a UID, or most of one. */
export const isWholeUid = (term: string): boolean => /^[0-9]+(?:\.[0-9]+){4,}$/.test(term)

/** Series whose own UID or study UID begins with the term; both have an index for that. */
export const startsUid = (term: string): RawBuilder<unknown> =>
  sql`(series_uid like ${`${escapeLike(term)}%`} or study_uid like ${`${escapeLike(term)}%`})`

/**
 * Rows that contain the term in any shown value, in any case (5.19). Shown values are one indexed text, beside the
 * UIDs. With many series, UIDs match from their beginning, one or two letters match the beginning of words, and a whole
 * date matches the acquisition date: anything else would read too many rows.
 */
export function matchesTerm(term: string, series: number): RawBuilder<unknown> {
  const isMany = series > manySeries
  if (isMany && /^\d{4}-\d{2}-\d{2}$/.test(term)) return sql`acq_date = ${term}`
  const inText =
    isMany && /^[\p{L}\p{N}]{1,2}$/u.test(term)
      ? sql`search_text ~ ${`\\m${term.toLowerCase()}`}`
      : sql`search_text like lower(${`%${escapeLike(term)}%`})`
  if (!isPartOfUid(term)) return inText
  if (isMany) return sql`(${inText} or ${startsUid(term)})`
  return sql`(${inText} or series_uid like ${`%${escapeLike(term)}%`} or study_uid like ${`%${escapeLike(term)}%`})`
}
