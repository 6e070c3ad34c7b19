import * as v from 'valibot'
import { limits } from './limits.ts'

/** A number of a query; `range` says what it may be, where it may not be any. */
export const wholeNumber = (name: string, digits: RegExp, range?: () => string) => {
  const message = range ?? `${name} must be a whole number.`
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(digits, message), v.transform(Number))], message),
    v.integer(message),
  )
}

/** By name only, as the databases know them: databases read offsets differently. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/.test(name)) return false
  try {
    // Throws for an unknown name.
    new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return true
  } catch {
    return false
  }
}

/** A search term of a list. */
export const SearchTerm = v.pipe(
  v.string('The search must be text.'),
  v.maxLength(limits.searchMaxChars, `Search with at most ${limits.searchMaxChars} characters.`),
)

/**
 * Query of every list that the server pages (docs/decisions/0002-the-wire.md). All fields are optional: without `page`
 * the server returns the whole list that the viewer may see. `sort` is one of the call's `sortable` fields.
 */
export function pageQuery<const F extends readonly [string, ...string[]]>(sortable: F) {
  return {
    page: v.optional(v.pipe(wholeNumber('page', /^\d{1,9}$/), v.minValue(1, 'Pages start at 1.'))),
    pageSize: v.optional(
      v.pipe(
        wholeNumber('pageSize', /^\d{1,9}$/),
        v.minValue(1, 'A page has at least one row.'),
        v.maxValue(limits.maxPageSize, `A page has at most ${limits.maxPageSize} rows.`),
      ),
    ),
    search: v.optional(SearchTerm),
    sort: v.optional(v.picklist(sortable, `Sort by one of: ${sortable.join(', ')}.`)),
    direction: v.optional(v.picklist(['asc', 'desc'], 'Sort asc or desc.')),
    // The zone whose days a search for a date means; UTC if absent.
    timeZone: v.optional(
      v.pipe(
        v.string('The time zone must be text.'),
        v.check(isTimeZone, 'This is not a time zone such as Europe/Berlin.'),
      ),
    ),
  } as const
}
