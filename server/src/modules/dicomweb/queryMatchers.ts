import { tag } from '@dmp/dicom'
import { sql, type RawBuilder } from 'kysely'
import { Refusal } from '../../core/errors.ts'
import { escapeLike } from '../../db/escapeLike.ts'
import { cutText } from '../../dicom/keptValues.ts'

/** How the values of matching keys are compared (PS3.4 section C.2.2.2, PS3.18 section 8.3.4.1). */
export interface MatchOptions {
  readonly isFuzzy: boolean
  /** The series that the request may see; all where undefined. */
  readonly series: ReadonlySet<string> | undefined
}
export type Matcher = (value: string, options: MatchOptions) => RawBuilder<unknown>

const column = (name: string): RawBuilder<unknown> => sql.raw(name)
const invalid = (sentence: string): Refusal => new Refusal(400, 'INVALID', sentence)
const toLikePattern = (value: string): string => escapeLike(value).replaceAll('*', '%').replaceAll('?', '_')
/** Each is compared with each row. */
const maxCodes = 16
/** Whole ones are fewer in the length that a value may have. */
const maxUids = 128
/** As in the search of the lists. */
const maxWords = 16

/** Refused rather than cut off: a search that leaves conditions out finds more than was asked for. */
function atMost(values: readonly string[], most: number, what: string): readonly string[] {
  if (values.length > most) throw invalid(`A search takes at most ${most} ${what} for one attribute.`)
  return values
}
const listValues = (value: string, most: number): readonly string[] => atMost(value.split(/[,\\]/), most, 'values')
const either = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`(${sql.join(conditions, sql` or `)})`
const both = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`

/** Text with `*` and `?`, or equal to what is kept of it. */
const likeOrEqual = (left: RawBuilder<unknown>, value: string): RawBuilder<unknown> =>
  /[*?]/.test(value) ? sql`${left} like ${toLikePattern(value)}` : sql`${left} = ${cutText(value)}`

/** A list of UIDs. */
export const uidMatch =
  (name: string): Matcher =>
  (value) =>
    sql`${column(name)} = any(${listValues(value, maxUids)}::text[])`

/** A list of codes, each with `*` and `?`. */
export const codeMatch =
  (name: string): Matcher =>
  (value) =>
    either(listValues(value, maxCodes).map((code) => likeOrEqual(column(name), code)))

export const textMatch =
  (name: string, { isAnyCase = false } = {}): Matcher =>
  (value) =>
    isAnyCase ? likeOrEqual(sql`lower(${column(name)})`, value.toLowerCase()) : likeOrEqual(column(name), value)

export const numberMatch =
  (name: string): Matcher =>
  (value) =>
    /^[+-]?\d{1,9}$/.test(value.trim()) ? sql`${column(name)} = ${String(Number(value))}` : sql`false`

export const modalitiesMatch: Matcher = (value, { series }) =>
  sql`exists (select 1 from series s where s.organization_id = studies.organization_id
    and s.study_uid = studies.study_uid and ${codeMatch('s.modality')(value, { isFuzzy: false, series })}
    ${series ? sql`and s.series_uid = any(${[...series]}::text[])` : sql``})`

/** An attribute of any request; a whole value is looked up in the index of them. */
export const requestMatch =
  (key: string): Matcher =>
  (value) => {
    const isWhole = !/[*?]/.test(value)
    if (isWhole) return sql`request_keys(series.attributes) @> ${[`${key}=${cutText(value)}`]}::text[]`
    const items = column(`series.attributes->'${tag.RequestAttributesSequence}'->'Value'`)
    return sql`exists (select 1 from jsonb_array_elements(${items}) item
      where ${likeOrEqual(sql`item->${sql.lit(key)}->'Value'->>0`, value)})`
  }

const spellings = ['Alphabetic', 'Ideographic', 'Phonetic'] as const

/**
 * Names match in any case and in every spelling; where the value has several groups (`Yamada^Tarou=山田^太郎`), each in
 * its own. Fuzzy: every word somewhere in one of the spellings (PS3.4 section C.2.2.2.1 leaves it to the server).
 */
export const nameMatch =
  (name: string, alphabeticColumn?: string): Matcher =>
  (value, { isFuzzy }) => {
    const [alphabetic, ideographic, phonetic] = spellings.map((spelling) =>
      spelling === 'Alphabetic' && alphabeticColumn !== undefined
        ? sql`lower(${column(alphabeticColumn)})`
        : sql`lower(${column(name)}->>${sql.lit(spelling)})`,
    )
    const names = [alphabetic, ideographic, phonetic].filter((spelling) => spelling !== undefined)
    if (isFuzzy) {
      const words = atMost(value.split(/[\s^=*?]+/).filter(Boolean), maxWords, 'words')
      const patterns = words.map((word) => `%${escapeLike(cutText(word).toLowerCase())}%`)
      // The spellings are read once per row, not once per word; no word holds the line break between them.
      return sql`concat_ws(E'\\n', ${sql.join(names)}) like all(${patterns}::text[])`
    }
    const groups = value.toLowerCase().split('=')
    if (groups.length === 1) return either(names.map((spelling) => likeOrEqual(spelling, value.toLowerCase())))
    const wanted = names.flatMap((spelling, at) => (groups[at] ? [likeOrEqual(spelling, groups[at])] : []))
    return both(wanted)
  }

/** One value, or a range that may be open at one end. */
function rangeMatch(
  left: RawBuilder<unknown>,
  value: string,
  toBounds: (text: string) => { low: string; high: string },
): RawBuilder<unknown> {
  const [from = '', to] = value.split('-')
  const hasValue = sql`${left} <> ''`
  const isFrom = from === '' ? hasValue : sql`${left} >= ${toBounds(from).low}`
  if (to === '') return isFrom
  return sql`(${isFrom} and ${left} <= ${toBounds(to ?? from).high})`
}

/** `separator` stands between the parts of the dates that the column keeps. */
export const dateMatch =
  (name: string, separator = ''): Matcher =>
  (value) =>
    // Before 1993 dates were written with points.
    rangeMatch(separator === '' ? sql`replace(${column(name)}, '.', '')` : column(name), value, (text) => {
      if (!/^\d{8}$/.test(text)) throw invalid('Dates must be YYYYMMDD, or a range of two such dates.')
      const date = [text.slice(0, 4), text.slice(4, 6), text.slice(6)].join(separator)
      return { low: date, high: date }
    })

const timeDigits = 12

/** A time that leaves out minutes, seconds or fractions stands for all of them. */
export const timeMatch =
  (name: string): Matcher =>
  (value) =>
    rangeMatch(
      sql`rpad(replace(replace(${column(name)}, ':', ''), '.', ''), ${sql.lit(timeDigits)}, '0')`,
      value,
      (text) => {
        if (!/^\d\d(?:\d\d(?:\d\d(?:\.\d{1,6})?)?)?$/.test(text))
          throw invalid('Times are HHMMSS.FFFFFF, its beginning, or a range of two.')
        const digits = text.replace('.', '')
        return { low: digits.padEnd(timeDigits, '0'), high: digits.padEnd(timeDigits, '9') }
      },
    )
