import { sql, type RawBuilder } from 'kysely'
import { escapeLike } from '../../db/escapeLike.ts'
import { findKeyword, findTag } from '../../dicom/dictionary.ts'
import { Refusal } from '../../core/errors.ts'

/** The query string of QIDO-RS (PS3.18 section 8.3.4), read strictly: anything else is refused or warned about. */
export interface QidoQuery {
  /** Matching keys by tag. */
  readonly keys: ReadonlyMap<string, string>
  /** Tags to add to the response. */
  readonly includes: readonly string[]
  readonly limit: number
  readonly offset: number
  readonly isFuzzy: boolean
}

const maxLimit = 1000
const maxValueChars = 2000

const invalid = (sentence: string): Refusal => new Refusal(400, 'INVALID', sentence)

function parseTagName(name: string): string {
  const tag = /^[0-9A-Fa-f]{8}$/.test(name) ? name.toUpperCase() : findTag(name)
  if (tag === undefined) throw invalid('The query names an attribute that DICOM does not define.')
  return tag
}

function parseWholeNumber(value: string, name: string): number {
  if (!/^\d{1,9}$/.test(value)) throw invalid(`Give ${name} as a whole number.`)
  return Number(value)
}

export function parseQuery(query: Readonly<Record<string, unknown>>): QidoQuery {
  const keys = new Map<string, string>()
  const includes: string[] = []
  let limit = maxLimit
  let offset = 0
  let isFuzzy = false
  for (const [name, parameter] of Object.entries(query)) {
    const values = (Array.isArray(parameter) ? parameter : [parameter]).map(String)
    const value = values.join(',')
    if (value.length > maxValueChars) throw invalid('A value of the query is too long.')
    if (name === 'organizationId') continue
    else if (name === 'limit') limit = Math.min(maxLimit, parseWholeNumber(value, name))
    else if (name === 'offset') offset = parseWholeNumber(value, name)
    else if (name === 'fuzzymatching') isFuzzy = value === 'true'
    else if (name === 'includefield')
      includes.push(
        ...values
          .flatMap((text) => text.split(','))
          .filter((field) => field !== 'all' && field !== '')
          .map(parseTagName),
      )
    else if (value !== '') keys.set(parseTagName(name), value)
  }
  return { keys, includes, limit, offset, isFuzzy }
}

/** How a key of a level is matched, by tag. */
export type Matchers = Readonly<Record<string, (value: string, query: QidoQuery) => RawBuilder<unknown>>>

const toLikePattern = (value: string): string => escapeLike(value).replaceAll('*', '%').replaceAll('?', '_')
const column = (name: string): RawBuilder<unknown> => sql.raw(name)

/** A list of UIDs. */
export const uidMatch =
  (name: string) =>
  (value: string): RawBuilder<unknown> =>
    sql`${column(name)} = any(${value.split(/[,\\]/)}::text[])`

/** Text with `*` and `?`. */
export const textMatch =
  (name: string) =>
  (value: string): RawBuilder<unknown> =>
    /[*?]/.test(value) ? sql`${column(name)} like ${toLikePattern(value)}` : sql`${column(name)} = ${value}`

/** Names match in any case; fuzzy: every word somewhere in the name (PS3.4 C.2.2.2.4 leaves it to the server). */
export const nameMatch =
  (name: string) =>
  (value: string, { isFuzzy }: QidoQuery): RawBuilder<unknown> => {
    const lowerName = sql`lower(${column(name)})`
    if (!isFuzzy)
      return /[*?]/.test(value)
        ? sql`${lowerName} like lower(${toLikePattern(value)})`
        : sql`${lowerName} = lower(${value})`
    const patterns = value.split(/[\s^*?]+/).filter(Boolean)
    return patterns.length === 0
      ? sql`true`
      : sql.join(
          patterns.map((word) => sql`${lowerName} like lower(${`%${escapeLike(word)}%`})`),
          sql` and `,
        )
  }

const toIsoDate = (value: string): string => {
  if (!/^\d{8}$/.test(value)) throw invalid('Give dates as YYYYMMDD or as a range of these.')
  return `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}`
}

/** One date, or a range that may be open at one end. */
export const dateMatch =
  (name: string) =>
  (value: string): RawBuilder<unknown> => {
    if (!value.includes('-')) return sql`${column(name)} = ${toIsoDate(value)}`
    const [from = '', to = ''] = value.split('-')
    const hasDate = sql`${column(name)} <> ''`
    const lowerName = from === '' ? hasDate : sql`${column(name)} >= ${toIsoDate(from)}`
    return to === '' ? lowerName : sql`${lowerName} and ${column(name)} <= ${toIsoDate(to)}`
  }

/** All conditions of a query; keys that this server cannot match become a warning (PS3.18 section 8.3.4.3). */
export function toConditions(
  query: QidoQuery,
  matchers: Matchers,
): { where: RawBuilder<unknown>[]; unmatched: string[] } {
  const where: RawBuilder<unknown>[] = []
  const unmatched: string[] = []
  for (const [tag, value] of query.keys) {
    const matcher = matchers[tag]
    if (matcher) where.push(matcher(value, query))
    else unmatched.push(findKeyword(tag) ?? tag)
  }
  return { where, unmatched }
}
