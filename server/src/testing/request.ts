import type { Endpoint, Input } from '@dmp/contract'

export interface CallRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly payload?: object
}

/** The fields of an object schema, also behind rules between fields. */
export const listKeys = (schema: unknown): readonly string[] => {
  const { entries, pipe } = (schema ?? {}) as { entries?: object; pipe?: readonly unknown[] }
  return entries ? Object.keys(entries) : pipe?.[0] ? listKeys(pipe[0]) : []
}

/** Text that an address can hold: a lone surrogate has no encoding. */
const asText = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()

/**
 * The request that a call of the contract becomes. What belongs to neither path nor query goes into the body,
 * undeclared things too.
 */
export function toRequest<E extends Endpoint>(call: E, input: Input<E> | Record<string, unknown>): CallRequest {
  const { method, path, params, query, body } = call.definition
  const rest: Record<string, unknown> = { ...input }
  const take = (key: string): unknown => {
    const value = rest[key]
    delete rest[key]
    return value
  }
  const inPath = new Set(listKeys(params))
  let url = `/api${path}`
  for (const key of inPath) url = url.replace(`:${key}`, encodeURIComponent(asText(take(key) ?? '')))
  const search = new URLSearchParams()
  for (const key of listKeys(query)) {
    const value = take(key)
    if (value !== undefined && value !== null) search.set(key, asText(value))
  }
  const text = search.toString()
  const hasBody = body !== undefined || Object.keys(rest).length > 0
  return { method, url: text ? `${url}?${text}` : url, ...(hasBody ? { payload: rest } : {}) }
}
