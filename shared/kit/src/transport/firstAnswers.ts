import { authorization } from './authorization.ts'

/** A call that the page made before its first script; the server's `firstCalls.browser.js` leaves it. */
interface FirstAnswer {
  readonly url: string
  readonly accessToken: string
  readonly answer: Promise<Response>
  readonly stop: AbortController
}

/** A screen that asks later than this after the code began is not the first one of the page. */
const freshMs = 10_000
const startedAt = performance.now()

const left = globalThis as { dmpFirstAnswers?: FirstAnswer[] | undefined }

/**
 * `fetch`, which takes over the answer of a call that the page has made already, if it is this one and for this
 * session; each once. After a change none counts any more.
 */
export function fetchOrTakeOver(request: Request): Promise<Response> {
  const first = left.dmpFirstAnswers
  if (first === undefined) return fetch(request)
  if (request.method !== 'GET' || performance.now() - startedAt > freshMs) {
    left.dmpFirstAnswers = undefined
    return fetch(request)
  }
  const url = toComparable(request.url)
  const found = first.find(
    ({ url: made, accessToken }) =>
      toComparable(made) === url && request.headers.get('authorization') === authorization(accessToken).Authorization,
  )
  if (found === undefined) return fetch(request)
  left.dmpFirstAnswers = first.filter((other) => other !== found)
  return stopWith(request.signal, found)
}

/** The order of parameters says nothing. */
function toComparable(address: string): string {
  const url = new URL(address)
  url.searchParams.sort()
  return url.href
}

function stopWith(signal: AbortSignal, { answer, stop }: FirstAnswer): Promise<Response> {
  if (signal.aborted) stop.abort(signal.reason)
  else signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
  return answer
}
