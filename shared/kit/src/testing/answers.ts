import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { seenDateHeader } from '@dmp/contract/fields'
import { CallError } from '@dmp/kit'
import { clickAgain } from './secondClick.ts'
import { addData } from './untranslated.ts'

type Reply<E extends Endpoint> =
  | Answer<E>
  | CallError
  | 'pending'
  | ((input: Input<E>) => Answer<E> | CallError | Promise<Answer<E> | CallError>)

/** One line of the answers table; made by `answer`, so that the answer fits the call. */
export interface Line {
  readonly endpoint: Endpoint
  readonly reply: unknown
}

/**
 * One line of the answers table. The last line of an endpoint wins. 'pending' never answers; a `CallError` is what
 * the server refuses with;
 * `new CallError(0, …)` is a line that is down.
 *
 * @example answer(complaint.get, ({ id }) => aComplaint({ id }))
 */
export function answer<E extends Endpoint>(endpoint: E, reply: Reply<E>): Line {
  return { endpoint, reply }
}

/** One request that reached the table. */
export interface RequestRecord {
  readonly endpoint: Endpoint
  readonly input: Record<string, unknown>
  readonly headers: Headers
}

export interface AnswersTable {
  readonly fetch: typeof globalThis.fetch
  readonly made: RequestRecord[]
  /** Requests that no line answers: what `renderScreen` fails the test with. */
  readonly unanswered: string[]
  /** Changes that the table answered without a refusal, and those with which somebody else was faster. */
  readonly changed: Endpoint[]
  /** Changes that are under way. */
  readonly changing: Set<Promise<unknown>>
  /** Reads without an answer that nobody has stopped. */
  readonly waiting: Set<string>
  /** Changes that a second click made again while the first was under way. */
  readonly repeated: string[]
}

const reply = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** A fetch that responds from the table as the server would, so that everything above the network is the real thing. */
export function answersTable(lines: readonly Line[], apiRoot: string): AnswersTable {
  const made: RequestRecord[] = []
  const unanswered: string[] = []
  const changed: Endpoint[] = []
  const changing = new Set<Promise<unknown>>()
  const waiting = new Set<string>()
  const repeated: string[] = []
  const fetch = async (resource: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(resource, init)
    const url = new URL(request.url)
    // Pictures and other files are no calls: there are none.
    if (!url.pathname.startsWith(`${apiRoot}/`)) return reply(404, { code: 'NOT_FOUND', message: 'No file in tests' })
    const path = url.pathname.slice(apiRoot.length)
    const line = lines.findLast(
      ({ endpoint }) => endpoint.definition.method === request.method && toPattern(endpoint).test(path),
    )
    if (!line) {
      unanswered.push(`${request.method} ${path}`)
      return reply(501, { code: 'NO_LINE', message: `No line in the answers table for ${request.method} ${path}` })
    }
    const text = request.method === 'GET' ? '' : await request.text()
    const input = {
      ...toPattern(line.endpoint).exec(path)?.groups,
      ...Object.fromEntries(url.searchParams),
      ...(text ? (JSON.parse(text) as object) : {}),
      ...toSeenDate(request.headers),
    }
    const { name } = line.endpoint
    const record = { endpoint: line.endpoint, input, headers: request.headers }
    made.push(record)
    addData(input)
    // A question that is too long for an address is asked by POST.
    if (request.method === 'GET' || /\/list[A-Z]/.test(path)) {
      waiting.add(name)
      request.signal.addEventListener('abort', () => waiting.delete(name))
      return createReply(line, input, request.signal).finally(() => waiting.delete(name))
    }
    const answerChange = async (): Promise<Response> => {
      await clickAgain()
      const isSame = (other: RequestRecord) =>
        other !== record && other.endpoint.name === name && JSON.stringify(other.input) === JSON.stringify(input)
      if (made.slice(made.indexOf(record)).some(isSame)) repeated.push(name)
      const response = await createReply(line, input, request.signal)
      if (response.ok || (await isOvertaken(response))) changed.push(line.endpoint)
      return response
    }
    const change = answerChange()
    changing.add(change)
    return change.finally(() => changing.delete(change))
  }
  return { fetch, made, unanswered, changed, changing, waiting, repeated }
}

/** Somebody else has changed it: what lists show of it is as old as after an own change. */
const isOvertaken = async (response: Response): Promise<boolean> =>
  response.status === 409 && ((await response.clone().json()) as { code?: unknown }).code === 'CHANGED_MEANWHILE'

// As the server reads it.
function toSeenDate(headers: Headers): { seenUpdatedDate?: string } {
  const seenUpdatedDate = headers.get(seenDateHeader)
  return seenUpdatedDate === null ? {} : { seenUpdatedDate }
}

function toPattern({ definition }: Endpoint): RegExp {
  return new RegExp(`^${definition.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`, 'i')
}

async function createReply(
  { endpoint, reply: given }: Line,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Response> {
  if (given === 'pending')
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  const value: unknown = typeof given === 'function' ? await (given as (input: unknown) => unknown)(input) : given
  if (value instanceof CallError) {
    const { status, code, message, fields, requestId } = value
    addData([message, fields, requestId])
    if (status === 0) throw new TypeError('Failed to fetch')
    return reply(status, {
      code,
      message,
      ...(fields.length > 0 ? { fields } : {}),
      ...(requestId ? { requestId } : {}),
    })
  }
  addData(value)
  if (!endpoint.definition.sortable) return reply(200, { data: value })
  const { rows, total } = value as { rows: unknown; total?: number }
  return reply(200, { data: rows, ...(total === undefined ? {} : { total }) })
}
