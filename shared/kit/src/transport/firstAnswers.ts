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

interface Wanted {
  readonly url: URL
  readonly method: string
  readonly accessToken: string | undefined
  /** When nobody waits for it any more. */
  readonly stop: () => AbortSignal
}

/**
 * The answer of a call that the page has made already, if it is this one and for this session; each once. After a
 * change none counts any more.
 */
export function takeFirstAnswer({ url, method, accessToken, stop }: Wanted): Promise<Response> | undefined {
  const first = left.dmpFirstAnswers
  if (first === undefined) return undefined
  if (method !== 'GET' || performance.now() - startedAt > freshMs) {
    left.dmpFirstAnswers = undefined
    return undefined
  }
  const wanted = toComparable(url.href)
  const found = first.find((made) => toComparable(made.url) === wanted && made.accessToken === accessToken)
  if (found === undefined) return undefined
  left.dmpFirstAnswers = first.filter((other) => other !== found)
  return stopWith(stop(), found)
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
