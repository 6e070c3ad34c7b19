import { sql, type RawBuilder } from 'kysely'

/**
 * Beyond this many series in an organization some searches are answered more simply, so that each takes milliseconds.
 */
const MANY_SERIES = 50_000
/** Counting the results stops there, in an organization with many series. */
const COUNTED_OF_MANY = 1_000

export const countLimit = (series: number): RawBuilder<unknown> =>
  series > MANY_SERIES ? sql`limit ${COUNTED_OF_MANY}` : sql``

const escaped = (term: string): string => term.replace(/[\\%_]/g, '\\$&')

/** Only such a term can be part of a UID. */
const isPartOfUid = (term: string): boolean => /^[0-9.]+$/.test(term)
/** So long that it is one, or most of one. */
export const isWholeUid = (term: string): boolean => /^[0-9]+(?:\.[0-9]+){4,}$/.test(term)

/** Series whose own or study's UID begins so: found by the indexes that both have. */
export const beginsUid = (term: string): RawBuilder<unknown> =>
  sql`(series_uid like ${`${escaped(term)}%`} or study_uid like ${`${escaped(term)}%`})`

/**
 * Rows that show the term somewhere, in any case (5.19). What is shown is one indexed text, beside the UIDs. With many
 * series, UIDs are found from their beginning, one or two letters at the beginning of words, and a whole date as that
 * of the acquisition: anything else would read too many rows.
 */
export function showing(term: string, series: number): RawBuilder<unknown> {
  const isMany = series > MANY_SERIES
  if (isMany && /^\d{4}-\d{2}-\d{2}$/.test(term)) return sql`acq_date = ${term}`
  const inText =
    isMany && /^[\p{L}\p{N}]{1,2}$/u.test(term)
      ? sql`search_text ~ ${`\\m${term.toLowerCase()}`}`
      : sql`search_text like lower(${`%${escaped(term)}%`})`
  if (!isPartOfUid(term)) return inText
  if (isMany) return sql`(${inText} or ${beginsUid(term)})`
  return sql`(${inText} or series_uid like ${`%${escaped(term)}%`} or study_uid like ${`%${escaped(term)}%`})`
}
