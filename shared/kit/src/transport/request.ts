import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import ky from 'ky'
import * as v from 'valibot'
import { settings } from '../settings.ts'
import { authorization } from './authorization.ts'
import { toCallError, toUnansweredError } from './failures.ts'

export interface RequestOptions {
  readonly accessToken?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const readTimeoutMs = 30_000
// Changes may carry an image over a slow line.
const changeTimeoutMs = 120_000

/** The parts of one flat input: parameters into the path, query keys into the query, the rest into the body. */
export function splitInput(endpoint: Endpoint, input: Readonly<Record<string, unknown>>) {
  const rest = { ...input }
  const path = endpoint.definition.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (value === undefined || value === null || value === '') throw new Error(`${endpoint.name} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const name of Object.keys(endpoint.definition.query?.entries ?? {})) {
    const value = rest[name]
    delete rest[name]
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return { path, query, body: rest }
}

/** One request and its answer, parsed from `data` (7.01), without the session's step. Throws `CallError`. */
export async function request<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { accessToken, signal }: RequestOptions = {},
): Promise<Answer<E>> {
  const { method } = endpoint.definition
  const { path, query, body } = splitInput(endpoint, input as Record<string, unknown>)
  const response = await ky(new URL(settings().apiRoot.replace(/\/$/, '') + path, document.baseURI), {
    method,
    searchParams: query,
    // 7.01 sets the JSON type on every request, and a JSON type with an empty body is malformed.
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      Accept: 'application/json',
      ...authorization(accessToken),
    },
    credentials: 'include',
    retry: 0,
    timeout: method === 'GET' ? readTimeoutMs : changeTimeoutMs,
    throwHttpErrors: false,
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw toUnansweredError(error)
  })
  if (!response.ok) throw await toCallError(response)
  const reply: unknown =
    response.status === 204
      ? {}
      : await response.json().catch((error: unknown) => {
          throw toUnansweredError(error)
        })
  return parseAnswer(endpoint, reply)
}

function parseAnswer<E extends Endpoint>({ definition, name }: E, reply: unknown): Answer<E> {
  const { data, total } = (typeof reply === 'object' && reply !== null ? reply : {}) as {
    data?: unknown
    total?: unknown
  }
  if (!definition.answer) return null as Answer<E>
  const parsed = v.safeParse(definition.answer, data)
  // A newer server may say more than this page knows; what does not fit at all fails where it is shown.
  if (!parsed.success)
    console.warn(`${name} answered something unexpected at ${v.getDotPath(parsed.issues[0]) ?? 'data'}`)
  const value = parsed.success ? parsed.output : data
  if (!definition.sortable) return value as Answer<E>
  return {
    rows: Array.isArray(value) ? value : [],
    ...(typeof total === 'number' ? { total } : {}),
  } as unknown as Answer<E>
}
