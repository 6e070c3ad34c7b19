import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { seenDateHeader, timeZoneHeader } from '@dmp/contract/fields'
import * as v from 'valibot'
import { locale } from '../language/language.ts'
import { onFirstUse } from '../onFirstUse.ts'
import { toApiUrl } from './apiUrl.ts'
import { authorization } from './authorization.ts'
import { parseJson, toCallError, toFailure, toUnansweredError } from './failures.ts'
import { takeFirstAnswer } from './firstAnswers.ts'
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

/** What sends requests (docs/decisions/0194-fewer-bytes-and-files.md). */
export const loadClient = async () => (await import('./client.ts')).client

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
  url.search = new URLSearchParams(query).toString()
  const timeout = method === 'GET' ? readTimeoutMs : changeTimeoutMs
  const first = takeFirstAnswer({ url, method, accessToken, stop: stopAfter(timeout, signal) })
  const response = first ? await readFirst(first) : await send()
  return response.status === 204 ? {} : readJson(response)

  async function send(): Promise<Response> {
    const client = await loadClient().catch((error: unknown) => {
      throw toUnansweredError(new TypeError('client', { cause: error }))
    })
    return client(url, {
      method,
      // 7.01 sets the JSON type on every request, and a JSON type with an empty body is malformed.
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      headers: {
        'Accept-Language': locale(),
        ...authorization(accessToken),
        ...toOwnHeaders(url, seenUpdatedDate),
      },
      timeout,
      ...(signal ? { signal } : {}),
    })
  }
}

const stopAfter = (ms: number, signal: AbortSignal | undefined) => (): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])])

/** An answer that the page's own script asked for. */
async function readFirst(answer: Promise<Response>): Promise<Response> {
  const response = await answer.catch((error: unknown) => {
    throw toFailure(error)
  })
  if (!response.ok) throw toCallError(response, parseJson(await response.text().catch(() => '')))
  return response
}

// Another origin would have to allow the header first, and its server does not know it.
function toOwnHeaders(url: URL, seenUpdatedDate: unknown): Readonly<Record<string, string>> {
  if (url.origin !== window.location.origin) return {}
  return {
    [timeZoneHeader]: timeZone(),
    ...(typeof seenUpdatedDate === 'string' ? { [seenDateHeader]: seenUpdatedDate } : {}),
  }
}

function readJson(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    throw toUnansweredError(error)
  })
}

function parseAnswer<E extends Endpoint>({ definition, name }: E, reply: unknown): Answer<E> {
  const { data, total } = (reply ?? {}) as { data?: unknown; total?: unknown }
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
