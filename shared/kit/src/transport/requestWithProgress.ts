import { authorization } from './authorization.ts'
import { toUnansweredError } from './failures.ts'

export interface ExchangeOptions {
  readonly method: 'POST' | 'PATCH' | 'HEAD'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly accessToken?: string | undefined
  readonly body?: Blob
  /** Receives the number of bytes sent so far. */
  readonly onProgress?: ((sentBytes: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ExchangeAnswer {
  readonly status: number
  readonly statusText: string
  readonly text: string
  readonly headers: { get(name: string): string | null }
}

/** A connection without progress for this long counts as lost (P28). */
const stallMs = 60_000
/** The server reads a large file completely before it answers. */
const answerMs = 600_000

/**
 * Makes one request and reports how much of its body has been sent, which fetch cannot do. Throws only when no answer
 * came.
 */
export function requestWithProgress({
  method,
  path,
  headers,
  accessToken,
  body,
  onProgress,
  signal,
}: ExchangeOptions): Promise<ExchangeAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.withCredentials = true
    for (const [name, value] of Object.entries({ ...headers, ...authorization(accessToken) }))
      request.setRequestHeader(name, value)
    let stalled: ReturnType<typeof setTimeout> | undefined
    const restartTimeout = (timeoutMs: number) => {
      clearTimeout(stalled)
      stalled = setTimeout(() => {
        reject(toUnansweredError(new DOMException('No progress', 'TimeoutError')))
        request.abort()
      }, timeoutMs)
    }
    request.upload.onprogress = (event) => {
      restartTimeout(stallMs)
      onProgress?.(event.loaded)
    }
    request.upload.onload = () => restartTimeout(answerMs)
    request.onloadend = () => clearTimeout(stalled)
    request.onload = () =>
      resolve({
        status: request.status,
        statusText: request.statusText,
        text: request.responseText,
        headers: { get: (name) => request.getResponseHeader(name) },
      })
    request.onerror = () => reject(toUnansweredError(new TypeError('no answer')))
    const stop = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
    request.onabort = stop
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', () => request.abort())
    restartTimeout(stallMs)
    request.send(body ?? null)
  })
}
