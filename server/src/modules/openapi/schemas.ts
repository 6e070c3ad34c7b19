import { toJsonSchema } from '@valibot/to-json-schema'
import * as fields from '@dmp/contract/fields'
import * as live from '@dmp/contract/live'
import * as user from '@dmp/contract/user'
import { modules } from '@dmp/contract/calls'
import * as examples from '@dmp/contract/examples'
import { parse, type GenericSchema } from 'valibot'
import { ChangeMessage } from '../webhook/payload.ts'

export type Json = Record<string, unknown>
type Mode = 'input' | 'output'
interface Entries {
  readonly entries?: Readonly<Record<string, { readonly default?: unknown }>>
}

/** Entities and lists of words get a name of their own; what is text or a number stands where it is used. */
const namedTypes: ReadonlySet<string> = new Set(['object', 'strict_object', 'picklist', 'variant'])

const isNamed = (name: string, value: unknown): value is GenericSchema =>
  /^[A-Z]/.test(name) && namedTypes.has(String((value as { type?: unknown } | null)?.type))

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The schemas that the contract exports, by name; of two with one name the later gets that of its module, too. */
function nameSchemas(): ReadonlyMap<unknown, string> {
  const names = new Map<unknown, string>()
  const taken = new Set<string>()
  const sources = { ...modules, fields, user, live, webhookMessage: { ChangeMessage } }
  for (const [module, values] of Object.entries(sources)) {
    for (const [name, value] of Object.entries(values)) {
      if (!isNamed(name, value) || names.has(value)) continue
      const chosen = taken.has(name) || module === 'live' ? `${upperFirst(module)}${name}` : name
      taken.add(chosen)
      names.set(value, chosen)
    }
  }
  return names
}

/** What the contract's examples hold of an entity: `aComplaint()` is one of `Complaint`. */
function findExample(name: string): unknown {
  const makers = examples as Readonly<Record<string, unknown>>
  const maker = [`a${name}`, `an${name}`, `some${name}`].map((key) => makers[key]).find((one) => one !== undefined)
  return typeof maker === 'function' ? (maker as () => unknown)() : maker
}

const omit = (json: Json, left: string): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => name !== left))

/** An answer always has what it has a default for. */
function fillDefaults({ entries }: Entries, json: Json): Json {
  const properties = (json.properties ?? {}) as Record<string, Json>
  const required = (json.required ?? []) as readonly string[]
  const isFilled = (name: string): boolean => entries?.[name]?.default !== undefined
  return {
    ...json,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, omit(property, 'default')]),
    ),
    required: Object.keys(properties).filter((name) => required.includes(name) || isFilled(name)),
  }
}

/**
 * JSON Schemas of the contract's schemas. A schema with a name stands once, among the components, and is referred to
 * from everywhere else. Rules between fields and transformations have no JSON Schema: the shape is what a client needs.
 */
export class Schemas {
  readonly #names = nameSchemas()
  readonly #components = new Map<string, { readonly schema: GenericSchema; readonly mode: Mode; json: Json }>()

  convert(schema: GenericSchema, mode: Mode): Json {
    return this.#names.has(schema) ? this.#refer(schema, mode) : this.#convert(schema, mode)
  }

  /** Every schema that was referred to, by name. */
  get components(): Json {
    const sorted = [...this.#components].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(
      sorted.map(([name, { json, schema, mode }]) => {
        const example = findExample(name)
        if (example === undefined) return [name, json]
        return [name, { ...json, examples: [mode === 'output' ? parse(schema, example) : example] }]
      }),
    )
  }

  #convert(schema: GenericSchema, mode: Mode): Json {
    const { $schema: _, ...rest } = toJsonSchema(schema, {
      typeMode: mode,
      errorMode: 'ignore',
      target: 'draft-2020-12',
      overrideSchema: ({ valibotSchema, jsonSchema }) => {
        if (valibotSchema !== schema && this.#names.has(valibotSchema))
          return this.#refer(valibotSchema as GenericSchema, mode)
        const isFilled = mode === 'output' && 'entries' in valibotSchema
        return isFilled ? fillDefaults(valibotSchema as Entries, jsonSchema as Json) : undefined
      },
    }) as Json
    return rest
  }

  /** What is taken may differ from what is answered: it has a name of its own then. */
  #refer(schema: GenericSchema, mode: Mode): { $ref: string } {
    const plain = this.#names.get(schema) ?? ''
    const existing = this.#components.get(plain)
    if (!existing) this.#add(plain, schema, mode)
    const isSame = !existing || existing.mode === mode || this.#isSameInBoth(schema)
    const name = isSame ? plain : `${plain}${upperFirst(mode)}`
    if (!isSame && !this.#components.has(name)) this.#add(name, schema, mode)
    return { $ref: `#/components/schemas/${name}` }
  }

  #add(name: string, schema: GenericSchema, mode: Mode): void {
    const component = { schema, mode, json: {} }
    this.#components.set(name, component)
    component.json = this.#convert(schema, mode)
  }

  #isSameInBoth(schema: GenericSchema): boolean {
    const write = (mode: Mode): string => JSON.stringify(this.#convert(schema, mode))
    return write('input') === write('output')
  }
}

export const refer = (kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string): { $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
})
