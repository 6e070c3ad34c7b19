import { messages } from '@dmp/contract/fields'
import * as v from 'valibot'

/** An object schema, or a pipe whose root is one. */
export type FormSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>
/** The values of the fields: every key of the schema, empty texts included. */
export type FormValues = Readonly<Record<string, unknown>>
/** First message of each field that is wrong. */
export type FormErrors = Readonly<Record<string, string>>

type Entry = { readonly type: string; readonly wrapped?: Entry }

/** The keys of the schema, in its order. */
export function getEntries(schema: FormSchema): Readonly<Record<string, Entry>> {
  // A pipe keeps the entries of its root.
  const { entries } = schema as unknown as { entries?: Record<string, Entry> }
  if (!entries) throw new Error('A form needs an object schema')
  return entries
}

const isOptional = ({ type }: Entry): boolean =>
  type === 'optional' || type === 'nullish' || type === 'exact_optional' || type === 'undefinedable'

/** The values that a form starts with: its defaults, or empty ones. */
export function createStart(schema: FormSchema, defaults: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(getEntries(schema)).map(([name, entry]) => [
      name,
      defaults[name] ?? (entry.type === 'boolean' || entry.type === 'literal' ? false : ''),
    ]),
  )
}

/**
 * The values to send, without optional fields that were left empty. One that was emptied is sent: a server that keeps
 * what it is not told (3.15) would keep it.
 */
export function toSend(schema: FormSchema, values: FormValues, start: FormValues = {}): Record<string, unknown> {
  const isLeftEmpty = ([name, entry]: [string, Entry]): boolean =>
    isOptional(entry) && values[name] === '' && (isEmpty(start[name]) || !takesEmpty(entry))
  return Object.fromEntries(
    Object.entries(getEntries(schema))
      .filter((field) => !isLeftEmpty(field))
      .map(([name]) => [name, values[name]]),
  )
}

const takesEmpty = (entry: Entry): boolean => v.safeParse(entry as unknown as v.GenericSchema, '').success

export type Verdict =
  | { readonly isValid: true; readonly output: Record<string, unknown>; readonly errors: FormErrors }
  | { readonly isValid: false; readonly errors: FormErrors }

/** Validates the values: the first message of each field, in the contract's words (section 5). */
export function validate(schema: FormSchema, values: FormValues): Verdict {
  const result = v.safeParse(schema, toSend(schema, values))
  if (result.success) return { isValid: true, output: result.output, errors: {} }
  const errors: Record<string, string> = {}
  for (const issue of result.issues) {
    const name = String(issue.path?.[0]?.key ?? '')
    errors[name] ??=
      isEmpty(values[name]) && issue.kind === 'schema' ? (ownText(issue.message) ?? messages.required) : issue.message
  }
  return { isValid: false, errors }
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

// The enclosing object reports a missing key, in words that are not meant for the field.
const ownText = (message: string): string | undefined =>
  /^Invalid |^Unknown property/.test(message) ? undefined : message

/** Whether any value differs from the start. */
export function hasChanges(start: FormValues, values: FormValues): boolean {
  return Object.keys(start).some((name) => !isEqual(start[name], values[name]))
}

const isEqual = (a: unknown, b: unknown): boolean =>
  (isEmpty(a) && isEmpty(b)) ||
  Object.is(a, b) ||
  (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
