import type { RawBuilder } from 'kysely'
import { findKeyword, findTag } from '../../dicom/dictionary.ts'
import { Refusal } from '../../core/errors.ts'
import { listQueryKeys, type QueryLevel } from './queryKeys.ts'

/** The query string of QIDO-RS (PS3.18 section 8.3.4), read strictly: anything else is refused. */
export interface QidoQuery {
  /** Matching keys: tags, or two around a point. */
  readonly keys: ReadonlyMap<string, string>
  /** Tags to add to the response. */
  readonly includes: readonly string[]
  readonly limit: number
  readonly offset: number
  readonly isFuzzy: boolean
}

const maxLimit = 1000
const maxValueChars = 2000
/** Of a name that is said back. */
const mostNameChars = 64

const invalid = (sentence: string): Refusal => new Refusal(400, 'INVALID', sentence)

function parseTagName(name: string): string {
  const tag = /^[0-9A-Fa-f]{8}$/.test(name) ? name.toUpperCase() : findTag(name)
  if (tag === undefined) throw invalid(`DICOM defines no attribute "${name.slice(0, mostNameChars)}".`)
  return tag
}

/** An attribute of a sequence is named with its sequence before it, and a point between them. */
const parseKey = (name: string): string => name.split('.').map(parseTagName).join('.')

function parseWholeNumber(value: string, name: string): number {
  if (!/^\d{1,9}$/.test(value)) throw invalid(`${name} must be a whole number, 0 or above.`)
  return Number(value)
}

function parseFlag(value: string, name: string): boolean {
  if (value !== 'true' && value !== 'false') throw invalid(`${name} must be true or false.`)
  return value === 'true'
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
    if (name === 'organizationId' || name === 'accept') continue
    else if (name === 'limit') limit = Math.min(maxLimit, parseWholeNumber(value, name))
    else if (name === 'offset') offset = parseWholeNumber(value, name)
    else if (name === 'fuzzymatching') isFuzzy = parseFlag(value, name)
    else if (name === 'emptyvaluematching' || name === 'multiplevaluematching') refuseExtension(value, name)
    else if (name === 'includefield')
      includes.push(
        ...values
          .flatMap((text) => text.split(','))
          .filter((field) => field !== 'all' && field !== '')
          .map((field) => parseKey(field).slice(0, 8)),
      )
    // Universal matching: the attribute is wanted in the answer, whatever its value.
    else if (value === '' || value === '*') includes.push(parseKey(name).slice(0, 8))
    else keys.set(parseKey(name), value)
  }
  return { keys, includes, limit, offset, isFuzzy }
}

/** Extensions of matching that the server does not offer: ignored, they would change what a result means. */
function refuseExtension(value: string, name: string): void {
  if (parseFlag(value, name)) throw invalid(`${name} is not supported. Leave it out.`)
}

const formatKey = (path: string): string =>
  path
    .split('.')
    .map((tag) => findKeyword(tag) ?? tag)
    .join('.')

/**
 * The condition of each key. A key that is not matched would answer everything, which a program that deletes or
 * forwards what it found takes for its result: it is refused (docs/decisions/0052).
 */
export function toConditions(
  query: QidoQuery,
  level: QueryLevel,
  { series }: { readonly series: ReadonlySet<string> | undefined },
): RawBuilder<unknown>[] {
  const known = new Map(listQueryKeys(level).map((key) => [key.path, key]))
  const unmatched = [...query.keys.keys()].filter((path) => !known.has(path))
  if (unmatched.length > 0)
    throw new Refusal(
      400,
      'NOT_MATCHED',
      `A search for ${level} does not match ${unmatched.map(formatKey).join(', ')}. It would answer everything. ` +
        `Leave it out, or search by ${[...known.keys()].map(formatKey).join(', ')}.`,
    )
  return [...query.keys].flatMap(
    ([path, value]) => known.get(path)?.match(value, { isFuzzy: query.isFuzzy, series }) ?? [],
  )
}
