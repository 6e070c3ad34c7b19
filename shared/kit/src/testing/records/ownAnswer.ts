import type { Endpoint } from '@dmp/contract/endpoint'
import * as contract from '@dmp/contract'
import * as examples from '@dmp/contract/examples'
import * as v from 'valibot'
import { now } from './clock.ts'

/** What a valibot schema is made of, as far as a value is made from it. */
interface Schema extends v.GenericSchema {
  readonly entries?: Readonly<Record<string, Schema>>
  readonly item?: Schema
  readonly items?: readonly Schema[]
  readonly wrapped?: Schema
  readonly getter?: (input: unknown) => Schema
  readonly options?: readonly unknown[]
  readonly literal?: unknown
  readonly key?: Schema
  readonly value?: Schema
}

/** How much of an answer there is, and which of its possible words stand in it. */
export interface Filling {
  /** Whether lists have rows. */
  readonly rows: boolean
  /** 0: everything is there. 1: what may be missing is, and every yes is a no. From 2 on: the next words. */
  readonly turn: number
}

/** Rows of a list: two that differ in every field, and one more, so that what is between two is seen. */
const rowCount = 3
/** More than a page has, so that there is a way to the next. */
const listTotal = 60

/** Stays the same where other fields come or go, so that a record changes only where the screen does. */
export function toNumber(place: string): number {
  let hash = 7
  for (const letter of place) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003
  return 100 + (hash % 900)
}

/** The words that a field takes in examples: they say what its text looks like. By its own object, and by its name. */
const samples = new Map<string, string>()
const signatureOf = (names: readonly string[]): string => names.toSorted().join()
function sample(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const signature = signatureOf(Object.keys(value))
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== 'string' || inner === '') sample(inner)
    else for (const key of [`${signature}/${name}`, name]) if (!samples.has(key)) samples.set(key, inner)
  }
}
for (const [name, make] of Object.entries(examples))
  if (name !== 'anId') sample(typeof make === 'function' ? (make as () => unknown)() : make)

/** The lists of words that the contract has, each of which is all that a field may be. */
const wordLists: readonly (readonly string[])[] = Object.values(contract)
  .flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []))
  .filter((list): list is readonly string[] => Array.isArray(list) && list.every((word) => typeof word === 'string'))
  .filter((list) => list.length > 1)

const wordsFor = (word: string | undefined): readonly string[] | undefined =>
  word === undefined ? undefined : wordLists.find((list) => list.includes(word))

const dayMs = 86_400_000
/** What has not come yet. */
const future = /expire|due|until|next|end|purge/i

function toInstant(name: string, n: number): string {
  const days = future.test(name) ? (n % 40) + 1 : -(n % 400) - 1
  // In the first hours of a day of UTC, where it is the day before in other zones.
  return new Date(Math.floor(now / dayMs + days) * dayMs + (n % 149) * 61_000).toISOString()
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Texts of every form that the contract knows, the plainest first. */
function* textsLike(name: string, n: number, like: string): Generator<string> {
  const instant = toInstant(name, n)
  if (/^\d{4}-\d\d-\d\dT/.test(like)) yield instant
  if (/^\d{4}-\d\d-\d\d$/.test(like)) yield instant.slice(0, 10)
  if (/^\d\d:\d\d/.test(like)) yield `${two(n % 24)}:${two(n % 60)}:${two(n % 59)}`
  if (/^\d{8}$/.test(like)) yield instant.slice(0, 10).replaceAll('-', '')
  if (/^\d+(?:\.\d+){2,}$/.test(like)) yield `2.25.${n}`
  if (/^data:|DataURL$/.test(like || name)) yield `data:image/png;base64,${btoa(`own ${n}`)}`
  if (like === '' && /^(?:due|birth|study|series|acq)\w*Date$/.test(name)) yield instant.slice(0, 10)
  if (like === '' && name.endsWith('Date')) yield instant
  if (/^https?:/.test(like)) yield `https://own.example/${name}-${n}`
  yield `${name} ${n}`
  yield `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`
  yield instant
  yield instant.slice(0, 10)
  yield `${name}-${n}`
  yield `${name}.${n}@own.example`
  yield `https://own.example/${name}-${n}`
  yield `/own/${name}-${n}`
  yield `2.25.${n}`
  yield `${two(n % 24)}:${two(n % 60)}:${two(n % 59)}`
  yield String(n)
  yield `10.0.0.${n % 250}`
  for (const length of [8, 12, 16, 32, 40, 64]) yield n.toString(16).padStart(length, '0')
  yield `data:image/png;base64,${btoa(`own ${n}`)}`
  yield `1.0.${n}`
  yield like
}

const firstValid = <T>(schema: Schema, candidates: Iterable<T>): T | undefined => {
  for (const candidate of candidates) if (v.is(schema, candidate)) return candidate
  return undefined
}

function* numbersLike(n: number): Generator<number> {
  yield n
  yield n % 100
  yield n % 10
  yield 1
  yield 0
  yield n * 1000
}

/** What is the same for whoever looks and for what is looked at: some things are offered to its owner alone. */
const { id: userId, organizationId, organization, email, fullName } = examples.aUser('super_admin')
const owns: Readonly<Record<string, string>> = {
  userId,
  organizationId,
  organization: organization.name,
  email,
  fullName,
}

/** Each field on its own, so that any two are alike in one turn and not in another. */
const isYes = (n: number, turn: number): boolean => (turn < 2 ? (n + turn) % 2 : (n >> (turn - 1)) % 2) === 0

interface Place {
  readonly path: string
  readonly name: string
  /** Which of several rows. */
  readonly row: number
  readonly filling: Filling
  /** The names of the object that it stands in. */
  readonly among: string
  /** What the first of several is asked for. */
  readonly known: Readonly<Record<string, string>>
}

/** A value of the schema in which every field has a value of its own. */
function make(schema: Schema, place: Place): unknown {
  const { path, name, row, filling, among, known } = place
  const n = toNumber(path)
  const isBare = filling.turn === 1 || (filling.turn > 1 && isYes(n, filling.turn))
  const pick = <T>(list: readonly T[]): T | undefined => list[(row + filling.turn) % list.length]
  switch (schema.type) {
    case 'string': {
      const own = (row === 0 && known[name]) || (filling.turn === 2 && owns[name])
      if (own && v.is(schema, own)) return own
      const like = samples.get(`${among}/${name}`) ?? samples.get(name) ?? ''
      const words = wordsFor(like)?.filter((word) => v.is(schema, word))
      return words?.length ? pick(words) : firstValid(schema, textsLike(name, n, like))
    }
    case 'number':
      return firstValid(schema, numbersLike(n))
    case 'boolean':
      return isYes(n + row, filling.turn)
    case 'literal':
      return schema.literal
    case 'picklist':
      return pick(schema.options ?? [])
    case 'union':
    case 'variant':
      return make(pick((schema.options ?? []) as Schema[]) ?? v.null(), place)
    case 'nullable':
    case 'nullish':
      return isBare ? null : make(schema.wrapped ?? v.null(), place)
    case 'optional':
    case 'exact_optional':
      return isBare ? undefined : make(schema.wrapped ?? v.null(), place)
    case 'lazy':
      return make(schema.getter?.(undefined) ?? v.null(), place)
    case 'array':
      return makeRows(schema, place)
    case 'tuple':
      return schema.items?.map((item, index) => make(item, { ...place, path: `${path}.${index}` }))
    case 'record':
      return { own: make(schema.value ?? v.null(), { ...place, path: `${path}.own` }) }
    case 'object':
    case 'strict_object':
    case 'loose_object':
      return Object.fromEntries(
        Object.entries(schema.entries ?? {}).map(([key, inner]) => [
          key,
          make(inner, {
            ...place,
            path: `${path}.${key}`,
            name: key,
            among: signatureOf(Object.keys(schema.entries ?? {})),
          }),
        ]),
      )
    default:
      return null
  }
}

function makeRows(schema: Schema, place: Place): unknown[] {
  const { item = v.null() } = schema
  const { path, filling, row } = place
  if (!filling.rows) return []
  // Deep inside, one row less each time.
  const count = Math.max(1, (filling.turn === 1 ? 1 : rowCount) - (path.match(/\d+/g) ?? []).length)
  const rows = Array.from({ length: count }, (_, index) =>
    make(item, { ...place, path: `${path}.${index + 1}`, row: row + index }),
  )
  // Some lists have an order, or each thing once.
  return firstValid(schema, [rows, rows.slice(0, 1), []]) ?? rows
}

/** Short lists of words that the contract's examples have whole: `GET /Complaint/listStatuses`, `complaintStatuses`. */
function findWhole({ definition: { path, answer } }: Endpoint): unknown {
  const last = path.replace(/^.*\/list/, '').toLowerCase()
  const found = Object.entries(examples).find(
    ([name, list]) => Array.isArray(list) && name.toLowerCase().endsWith(last),
  )
  return found && answer && v.is(answer, found[1]) ? found[1] : undefined
}

/** What the server might answer: each field with a value of its own, what the question names as it was asked for. */
export function ownAnswer(endpoint: Endpoint, filling: Filling, input: Record<string, unknown>): unknown {
  const { answer, sortable, renews } = endpoint.definition
  if (!answer) return null
  const whole = filling.rows && filling.turn === 0 ? findWhole(endpoint) : undefined
  if (whole !== undefined) return whole
  // What has changed is the same thing with other words.
  const place = renews
    ? { path: renews.name, filling: { ...filling, turn: filling.turn + 3 } }
    : { path: endpoint.name, filling }
  const isNamed = (entry: [string, unknown]): entry is [string, string] =>
    /id$/i.test(entry[0]) && typeof entry[1] === 'string'
  const known = Object.fromEntries(Object.entries(input).filter(isNamed))
  // A list has ids of its own; what is asked for by its id has that.
  if (Array.isArray(make(answer as Schema, { ...place, name: '', row: 0, among: '', known: {} }))) delete known['id']
  const value = make(answer as Schema, { ...place, name: '', row: 0, among: '', known })
  if (!sortable) return value
  const rows = value as unknown[]
  return { rows, total: rows.length === 0 ? 0 : listTotal }
}

const ownParams: Readonly<Record<string, string>> = { page: '2', pageSize: '25' }

/** What might stand in an address under a name: its second page, a moment, or somebody's id. */
export function ownParam(name: string): string {
  const n = toNumber(name)
  const id = `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`
  if (/^(?:from|to|until|since)$/.test(name)) return toInstant(name, n)
  if (/(?:From|To|Until|Day|Date)$/.test(name)) return toInstant(name, n).slice(0, 10)
  if (/UID|study|patient/i.test(name)) return `2.25.${n}`
  return ownParams[name] ?? (/search|term|name/i.test(name) ? `own ${name}` : id)
}
