import type { Endpoint } from '@dmp/contract/endpoint'

/**
 * What goes into a call and what comes out, without limits, formats and messages: what a page of another age must still
 * fit. A list is what may stand there.
 */
export type Shape =
  | { readonly is: 'object'; readonly of: Readonly<Record<string, Shape>>; readonly optional?: readonly string[] }
  | { readonly is: 'list' | 'record' | 'maybe'; readonly of: Shape }
  | { readonly is: 'one of'; readonly of: readonly string[] }
  | { readonly is: 'either'; readonly of: readonly Shape[] }
  | { readonly is: 'text' | 'number' | 'flag' | 'nothing' | 'anything' }

/** A call as it travels: the words of its address, what it takes, and what it answers. */
export interface CallShape {
  readonly method: string
  readonly path: string
  readonly takes: Shape
  readonly gives: Shape
}

/** What is read of a schema of valibot. */
interface Schema {
  readonly type: string
  readonly entries?: Readonly<Record<string, Schema>>
  readonly item?: Schema
  readonly value?: Schema
  readonly wrapped?: Schema
  readonly literal?: unknown
  readonly options?: readonly unknown[]
}

const optionalTypes: ReadonlySet<string> = new Set(['optional', 'exact_optional', 'nullish', 'undefinedable'])
const plain: Readonly<Record<string, Shape>> = {
  string: { is: 'text' },
  date: { is: 'text' },
  number: { is: 'number' },
  bigint: { is: 'number' },
  boolean: { is: 'flag' },
  null: { is: 'nothing' },
}

function describe(schema: Schema): Shape {
  const { type, entries, item, value, wrapped, options } = schema
  if (entries) return describeObject(entries)
  if (item) return { is: 'list', of: describe(item) }
  if (type === 'record' && value) return { is: 'record', of: describe(value) }
  if (wrapped) {
    const inner = describe(wrapped)
    return type === 'nullable' || type === 'nullish' ? { is: 'maybe', of: inner } : inner
  }
  if (type === 'literal') return describeLiteral(schema.literal)
  if (options && (type === 'picklist' || type === 'enum')) return { is: 'one of', of: options.map(String).sort() }
  if (options && (type === 'union' || type === 'variant'))
    return { is: 'either', of: options.map((option) => describe(option as Schema)) }
  return plain[type] ?? { is: 'anything' }
}

function describeObject(entries: Readonly<Record<string, Schema>>): Shape {
  const names = Object.keys(entries).sort()
  const optional = names.filter((name) => optionalTypes.has(entries[name]!.type))
  const of = Object.fromEntries(names.map((name) => [name, describe(entries[name]!)]))
  return { is: 'object', of, ...(optional.length > 0 ? { optional } : {}) }
}

const describeLiteral = (literal: unknown): Shape =>
  typeof literal === 'string' ? { is: 'one of', of: [literal] } : (plain[typeof literal] ?? { is: 'anything' })

/** The shape of a call. */
export function toCallShape({ definition }: Endpoint): CallShape {
  const { method, path, params, query, body, answer } = definition
  const entries = [params, query, body].map((schema) => (schema as Schema | undefined)?.entries ?? {})
  return {
    method,
    path,
    takes: describeObject(Object.assign({}, ...entries) as Record<string, Schema>),
    gives: answer ? describe(answer as unknown as Schema) : { is: 'nothing' },
  }
}

/** Why a page that makes the call as `made` cannot make it to a server that answers it as `answered`. */
export function findCallMisfit(made: CallShape, answered: CallShape): string | undefined {
  if (made.method !== answered.method || made.path !== answered.path)
    return `it is ${answered.method} ${answered.path} there`
  const taken = findMisfit(made.takes, answered.takes, '', true)
  if (taken !== undefined) return `it sends ${taken}`
  const given = findMisfit(answered.gives, made.gives, '', false)
  return given === undefined ? undefined : `its answer has ${given}`
}

/**
 * Why what `given` describes does not fit where `wanted` is wanted. `isStrict`: what is not known is refused, and
 * values are compared, as a server does; a page reads over both.
 */
function findMisfit(given: Shape, wanted: Shape, place: string, isStrict: boolean): string | undefined {
  const named = place === '' ? 'something' : `“${place}”`
  if (wanted.is === 'anything' || given.is === 'anything') return undefined
  // Whatever may be given has to fit.
  if (given.is === 'either')
    return given.of
      .map((option) => findMisfit(option, wanted, place, isStrict))
      .find((problem) => problem !== undefined)
  if (given.is === 'maybe')
    return findMisfit({ is: 'nothing' }, wanted, place, isStrict) === undefined
      ? findMisfit(given.of, wanted, place, isStrict)
      : `${named}, which may be empty and may not be there`
  if (wanted.is === 'maybe') return given.is === 'nothing' ? undefined : findMisfit(given, wanted.of, place, isStrict)
  if (wanted.is === 'either')
    return wanted.of.some((option) => findMisfit(given, option, place, isStrict) === undefined)
      ? undefined
      : `${named} in another form`
  if (wanted.is === 'one of' && given.is === 'one of') {
    const unknown = isStrict ? given.of.find((value) => !wanted.of.includes(value)) : undefined
    return unknown === undefined ? undefined : `${named} as “${unknown}”, which is not known`
  }
  if (isText(wanted) && isText(given)) return undefined
  if (wanted.is !== given.is) return `${named} as ${given.is} in place of ${wanted.is}`
  if (wanted.is === 'object' && given.is === 'object') return findObjectMisfit(given, wanted, place, isStrict)
  if ((wanted.is === 'list' || wanted.is === 'record') && (given.is === 'list' || given.is === 'record'))
    return findMisfit(given.of, wanted.of, place, isStrict)
  return undefined
}

const isText = ({ is }: Shape): boolean => is === 'text' || is === 'one of'

type ObjectShape = Extract<Shape, { is: 'object' }>

function findObjectMisfit(
  given: ObjectShape,
  wanted: ObjectShape,
  place: string,
  isStrict: boolean,
): string | undefined {
  const toPlace = (name: string): string => (place === '' ? name : `${place}.${name}`)
  const isOptional = ({ optional = [] }: ObjectShape, name: string): boolean => optional.includes(name)
  for (const [name, shape] of Object.entries(wanted.of)) {
    const found = given.of[name]
    if (found === undefined) {
      if (!isOptional(wanted, name)) return `no “${toPlace(name)}”`
      continue
    }
    if (isOptional(given, name) && !isOptional(wanted, name)) return `“${toPlace(name)}” only sometimes`
    const misfit = findMisfit(found, shape, toPlace(name), isStrict)
    if (misfit !== undefined) return misfit
  }
  const unknown = isStrict ? Object.keys(given.of).find((name) => wanted.of[name] === undefined) : undefined
  return unknown === undefined ? undefined : `“${toPlace(unknown)}”, which is not known`
}
