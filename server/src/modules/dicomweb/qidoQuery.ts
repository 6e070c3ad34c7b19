import { sql, type RawBuilder } from 'kysely'
import { keywordOf, tagOf } from '../../dicom/dictionary.ts'
import { Refusal } from '../../core/errors.ts'

/**
 * The query string of QIDO-RS (PS3.18 section 8.3.4), read strictly: what is not understood is either refused or warned
 * about.
 */
export interface QidoQuery {
  /** Matching keys by tag. */
  readonly keys: ReadonlyMap<string, string>
  /** Tags to be added to the answer. */
  readonly includes: readonly string[]
  readonly limit: number
  readonly offset: number
  readonly isFuzzy: boolean
}

const MAX_LIMIT = 1000
const MAX_VALUE_CHARS = 2000

const invalid = (sentence: string): Refusal => new Refusal(400, 'INVALID', sentence)

function tagFrom(name: string): string {
  const tag = /^[0-9A-Fa-f]{8}$/.test(name) ? name.toUpperCase() : tagOf(name)
  if (tag === undefined) throw invalid('An attribute of the query is not one of DICOM.')
  return tag
}

function whole(value: string, name: string): number {
  if (!/^\d{1,9}$/.test(value)) throw invalid(`Give ${name} as a whole number.`)
  return Number(value)
}

export function readQuery(query: Readonly<Record<string, unknown>>): QidoQuery {
  const keys = new Map<string, string>()
  const includes: string[] = []
  let limit = MAX_LIMIT
  let offset = 0
  let isFuzzy = false
  for (const [name, given] of Object.entries(query)) {
    const values = (Array.isArray(given) ? given : [given]).map(String)
    const value = values.join(',')
    if (value.length > MAX_VALUE_CHARS) throw invalid('A value of the query is too long.')
    if (name === 'organizationId') continue
    else if (name === 'limit') limit = Math.min(MAX_LIMIT, whole(value, name))
    else if (name === 'offset') offset = whole(value, name)
    else if (name === 'fuzzymatching') isFuzzy = value === 'true'
    else if (name === 'includefield')
      includes.push(
        ...values
          .flatMap((one) => one.split(','))
          .filter((one) => one !== 'all' && one !== '')
          .map(tagFrom),
      )
    else if (value !== '') keys.set(tagFrom(name), value)
  }
  return { keys, includes, limit, offset, isFuzzy }
}

/** How a key of a level is matched, by tag. */
export type Matchers = Readonly<Record<string, (value: string, query: QidoQuery) => RawBuilder<unknown>>>

const escaped = (value: string): string => value.replace(/[\\%_]/g, '\\$&')
const wildcards = (value: string): string => escaped(value).replaceAll('*', '%').replaceAll('?', '_')
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
    /[*?]/.test(value) ? sql`${column(name)} like ${wildcards(value)}` : sql`${column(name)} = ${value}`

/** Names never mind case; fuzzy: every word somewhere in the name (PS3.4 C.2.2.2.4 leaves it to the server). */
export const nameMatch =
  (name: string) =>
  (value: string, { isFuzzy }: QidoQuery): RawBuilder<unknown> => {
    const lower = sql`lower(${column(name)})`
    if (!isFuzzy)
      return /[*?]/.test(value) ? sql`${lower} like lower(${wildcards(value)})` : sql`${lower} = lower(${value})`
    const words = value.split(/[\s^*?]+/).filter(Boolean)
    return words.length === 0
      ? sql`true`
      : sql.join(
          words.map((word) => sql`${lower} like lower(${`%${escaped(word)}%`})`),
          sql` and `,
        )
  }

const isoDate = (value: string): string => {
  if (!/^\d{8}$/.test(value)) throw invalid('Give dates as YYYYMMDD or as a range of these.')
  return `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}`
}

/** One date, or a range that may be open at one end. */
export const dateMatch =
  (name: string) =>
  (value: string): RawBuilder<unknown> => {
    if (!value.includes('-')) return sql`${column(name)} = ${isoDate(value)}`
    const [from = '', to = ''] = value.split('-')
    const known = sql`${column(name)} <> ''`
    const lower = from === '' ? known : sql`${column(name)} >= ${isoDate(from)}`
    return to === '' ? lower : sql`${lower} and ${column(name)} <= ${isoDate(to)}`
  }

/** All conditions of a query; keys that this server cannot match are told in a warning (PS3.18 section 8.3.4.3). */
export function conditions(
  query: QidoQuery,
  matchers: Matchers,
): { where: RawBuilder<unknown>[]; unmatched: string[] } {
  const where: RawBuilder<unknown>[] = []
  const unmatched: string[] = []
  for (const [tag, value] of query.keys) {
    const matcher = matchers[tag]
    if (matcher) where.push(matcher(value, query))
    else unmatched.push(keywordOf(tag) ?? tag)
  }
  return { where, unmatched }
}
