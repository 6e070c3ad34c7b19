import * as v from 'valibot'
import { formatNetwork } from '../core/networks.ts'

/** One environment variable: what it means, how its text is read, and what holds without it. */
export interface Setting<T> {
  readonly name: string
  readonly about: string
  readonly schema: v.GenericSchema<string, T>
  /** Text that holds when the variable is not set; absent when it then has no value. */
  readonly fallback?: string
  /** Production does not start without it. */
  readonly neededInProduction?: true
  readonly isSecret?: true
}

interface More {
  fallback?: string
  neededInProduction?: true
  isSecret?: true
}

export const setting = <S extends v.GenericSchema<string, unknown>>(
  name: string,
  about: string,
  schema: S,
  more: More = {},
) => ({ name, about, schema, ...more }) as Setting<v.InferOutput<S>> & { fallback: string }
export const optional = <S extends v.GenericSchema<string, unknown>>(
  name: string,
  about: string,
  schema: S,
  more: Omit<More, 'fallback'> = {},
): Setting<v.InferOutput<S> | undefined> => ({ name, about, schema, ...more })

export const Text = v.pipe(v.string('give text'), v.nonEmpty('is empty'), v.maxLength(4000, 'is too long'))
export const AnyText = v.pipe(v.string('give text'), v.maxLength(4000, 'is too long'))
export const decimal = (least: number, most: number) =>
  v.pipe(
    v.string('give a number'),
    v.regex(/^\d+(?:\.\d+)?$/, 'is not a number'),
    v.transform(Number),
    v.minValue(least, `is below ${least}`),
    v.maxValue(most, `is above ${most}`),
  )
export const whole = (least: number, most: number) => v.pipe(decimal(least, most), v.integer('is not a whole number'))
export const Flag = v.pipe(
  v.picklist(['0', '1', 'true', 'false'], 'is neither 0 nor 1'),
  v.transform((text) => text === '1' || text === 'true'),
)
export const address = (...schemes: string[]) =>
  v.pipe(
    v.string('give an address'),
    v.check(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
      `is not an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    ),
  )
export const Web = address('http:', 'https:')
export const Origins = v.pipe(
  v.string('give addresses'),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  v.check(
    (list) => list.every((text) => URL.canParse(text) && new URL(text).origin === text),
    'is not a list of origins such as https://apps.example.org',
  ),
)
/** Names or addresses of hosts, each with a port or for all ports. */
export const Hosts = v.pipe(
  v.string('give hosts'),
  v.transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
  v.check(
    (list) => list.every((text) => /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/.test(text)),
    'is not a list of hosts such as receiver.example or receiver.example:8080',
  ),
)
export const NetworkList = v.pipe(
  v.string('give networks'),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  v.check(
    (list) => list.every((text) => formatNetwork(text) !== undefined),
    'is not a list of networks such as 10.20.0.0/16',
  ),
)
export const Names = v.pipe(
  v.string('give names'),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  v.check((list) => list.every((text) => /^[\w.-]{1,100}$/.test(text)), 'is not a list of names'),
)
export const minutes = (name: string, about: string, fallback: string) =>
  setting(name, `${about}, in minutes`, decimal(0, 1_000_000), { fallback })
export const seconds = (name: string, about: string, fallback: string) =>
  setting(name, `${about}, in seconds`, decimal(0, 1_000_000), { fallback })
