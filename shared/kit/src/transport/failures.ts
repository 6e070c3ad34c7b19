import * as v from 'valibot'
import { CallError } from './CallError.ts'

const Text = v.string('Text.')
const ErrorBody = v.object({
  code: v.optional(v.union([Text, v.pipe(v.number('A number.'), v.transform(String))], 'A code.'), ''),
  message: v.pipe(Text, v.nonEmpty('Empty.')),
  requestId: v.optional(Text),
  fields: v.optional(v.array(v.object({ path: Text, message: Text }), 'A list.'), []),
})

/** The part of a refused answer that an error is made from; a `Response` has it. */
export interface RefusedAnswer {
  readonly status: number
  readonly statusText: string
  readonly headers: { get(name: string): string | null }
}

/** The error of a refused call: code and message of the body, or the HTTP message without one (8.02). */
export function toCallError({ status, statusText, headers }: RefusedAnswer, body: unknown): CallError {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined
  const requestId = headers.get('x-request-id') ?? undefined
  const parsed = v.safeParse(ErrorBody, body)
  if (!parsed.success)
    return new CallError(status, `HTTP_${status}`, httpMessage(status, statusText), { retryAfter, requestId })
  const { code, message, fields } = parsed.output
  return new CallError(status, code, message, {
    retryAfter,
    fields,
    requestId: parsed.output.requestId ?? requestId,
  })
}

/** The value of a JSON text; undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function httpMessage(status: number, statusText: string): string {
  // HTTP/2 has no status text, and some stacks fill in 'Unknown Error'.
  return statusText === '' || statusText === 'Unknown Error' ? `The server responded with HTTP ${status}.` : statusText
}

/** The error of a call without an answer; its sentence says what a person can do (P28). */
export function toUnansweredError(cause: unknown): CallError {
  if (cause instanceof CallError) return cause
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'TimeoutError')
    return new CallError(0, 'TIMEOUT', 'The server is taking too long to respond. Please try again.', { cause })
  if (!navigator.onLine)
    return new CallError(0, 'OFFLINE', 'You are offline. Check your connection and try again.', { cause })
  if (cause instanceof TypeError || name === 'NetworkError')
    return new CallError(0, 'UNREACHABLE', 'The server cannot be reached right now. Please try again.', { cause })
  return new CallError(0, 'UNKNOWN', 'An unknown error occurred', { cause })
}

/** What a request ended with, as its caller gets it. */
export const toFailure = (error: unknown): Error =>
  // The caller stopped the request: that is not a failure of the server.
  error instanceof Error && error.name === 'AbortError' ? error : toUnansweredError(error)

/** Whether another try can succeed: no answer came, or the server is busy or restarting. */
export function isTemporary(error: unknown): boolean {
  return error instanceof CallError && [0, 408, 429, 502, 503, 504].includes(error.status)
}
