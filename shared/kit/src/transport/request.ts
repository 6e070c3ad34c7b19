import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { seenDateHeader, timeZoneHeader } from '@dmp/contract/fields'
import ky, { isHTTPError, type KyResponse } from 'ky'
import * as v from 'valibot'
import { locale } from '../language/language.ts'
import { onFirstUse } from '../onFirstUse.ts'
import { toApiUrl } from './apiUrl.ts'
import { authorization } from './authorization.ts'
import { toCallError, toUnansweredError } from './failures.ts'
import { fetchOrTakeOver } from './firstAnswers.ts'
import { findPass, type Asked } from './passage.ts'

export interface RequestOptions {
  readonly accessToken?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const timeZone = onFirstUse(() => Intl.DateTimeFormat().resolvedOptions().timeZone)

const readTimeoutMs = 30_000
// Changes may carry an image over a slow line.
const changeTimeoutMs = 120_000

/** Divides a flat input: parameters go into the path, query keys into the query, the rest into the body. */
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

// Why ky does not retry: docs/decisions/0037-http-client.md.
const client = ky.create({
  headers: { 'Content-Type': 'application/json; charset=UTF-8', Accept: 'application/json' },
  credentials: 'include',
  retry: 0,
  // Without a retry, ky hands over a request.
  fetch: (input) => fetchOrTakeOver(input as Request),
  hooks: { beforeError: [({ error }) => toFailure(error)] },
})

function toFailure(error: Error): Error {
  // The caller stopped the request: that is not a failure of the server.
  if (error.name === 'AbortError') return error
  return isHTTPError(error) ? toCallError(error.response, error.data) : toUnansweredError(error)
}

/** Makes one request and returns its answer, parsed from `data` (7.01). Knows no session. Throws `CallError`. */
export async function request<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: RequestOptions = {},
): Promise<Answer<E>> {
  const { seenUpdatedDate, ...properties } = input as Record<string, unknown>
  const { path, query, body } = splitInput(endpoint, properties)
  const asked: Asked = {
    name: endpoint.name,
    method: endpoint.definition.method,
    path,
    query: Object.fromEntries(query),
    body,
    ...(typeof seenUpdatedDate === 'string' ? { seenUpdatedDate } : {}),
  }
  const pass = findPass()
  return parseAnswer(endpoint, await (pass ? pass(asked, options.signal) : ask(asked, options)))
}

/** Makes one request, whoever asked for it, and returns its reply as it came. Throws `CallError`. */
export async function ask(
  { method, path, query, body, seenUpdatedDate }: Asked,
  { accessToken, signal }: RequestOptions,
): Promise<unknown> {
  const url = toApiUrl(path)
  const response = await client(url, {
    method,
    searchParams: new URLSearchParams(query),
    // 7.01 sets the JSON type on every request, and a JSON type with an empty body is malformed.
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    headers: {
      'Accept-Language': locale(),
      ...authorization(accessToken),
      ...toOwnHeaders(url, seenUpdatedDate),
    },
    timeout: method === 'GET' ? readTimeoutMs : changeTimeoutMs,
    ...(signal ? { signal } : {}),
  })
  return response.status === 204 ? {} : readJson(response)
}

// Another origin would have to allow the header first, and its server does not know it.
function toOwnHeaders(url: URL, seenUpdatedDate: unknown): Readonly<Record<string, string>> {
  if (url.origin !== window.location.origin) return {}
  return {
    [timeZoneHeader]: timeZone(),
    ...(typeof seenUpdatedDate === 'string' ? { [seenDateHeader]: seenUpdatedDate } : {}),
  }
}

function readJson(response: KyResponse): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    throw toUnansweredError(error)
  })
}

function parseAnswer<E extends Endpoint>({ definition, name }: E, reply: unknown): Answer<E> {
  const { data, total } = (typeof reply === 'object' && reply !== null ? reply : {}) as {
    data?: unknown
    total?: unknown
  }
  if (!definition.answer) return null as Answer<E>
  const parsed = v.safeParse(definition.answer, data)
  // A newer server may answer differently; an answer that does not fit fails where it is shown.
  if (!parsed.success)
    console.warn(`${name} returned an unexpected response at ${v.getDotPath(parsed.issues[0]) ?? 'data'}`)
  const value = parsed.success ? parsed.output : data
  if (!definition.sortable) return value as Answer<E>
  return {
    rows: Array.isArray(value) ? value : [],
    ...(typeof total === 'number' ? { total } : {}),
  } as unknown as Answer<E>
}
