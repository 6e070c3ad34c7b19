import * as v from 'valibot'
import { CallError } from './CallError.ts'

const Text = v.string('Text.')
const ErrorBody = v.object({
  code: v.optional(v.union([Text, v.pipe(v.number('A number.'), v.transform(String))], 'A code.'), ''),
  message: v.pipe(Text, v.nonEmpty('Empty.')),
  requestId: v.optional(Text),
  fields: v.optional(v.array(v.object({ path: Text, message: Text }), 'A list.'), []),
})

/** 8.02: with a body its code and message, otherwise the HTTP message. */
export async function toCallError(response: Response): Promise<CallError> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const details = {
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
  }
  const body = v.safeParse(ErrorBody, await response.json().catch(() => null))
  if (body.success) {
    const { code, message, requestId, fields } = body.output
    return new CallError(response.status, code, message, {
      ...details,
      fields,
      requestId: requestId ?? details.requestId,
    })
  }
  return new CallError(response.status, `HTTP_${response.status}`, httpMessage(response), details)
}

function httpMessage({ status, statusText }: Response): string {
  // HTTP/2 has no status text, and some stacks fill in 'Unknown Error'.
  return statusText === '' || statusText === 'Unknown Error' ? `The server answered with HTTP ${status}.` : statusText
}

/** No answer at all: says what a person can do about it (P28). */
export function toUnansweredError(cause: unknown): CallError {
  if (cause instanceof CallError) return cause
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'TimeoutError')
    return new CallError(0, 'TIMEOUT', 'The server takes too long to answer. Please try again.', { cause })
  if (!navigator.onLine)
    return new CallError(0, 'OFFLINE', 'You are offline. Check your connection and try again.', { cause })
  if (cause instanceof TypeError || name === 'NetworkError')
    return new CallError(0, 'UNREACHABLE', 'The server cannot be reached right now. Please try again.', { cause })
  return new CallError(0, 'UNKNOWN', 'An unknown error occurred', { cause })
}

/** Whether trying again by itself makes sense: nothing came back, or the server is busy or restarting. */
export function isTemporary(error: unknown): boolean {
  return error instanceof CallError && [0, 408, 429, 502, 503, 504].includes(error.status)
}
