import { tokenToSend } from './call.ts'
import { failureWithoutAnswer } from './failures.ts'

export interface Exchange {
  readonly method: 'POST' | 'PATCH' | 'HEAD'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Blob
  /** How many bytes have left so far. */
  readonly onProgress?: ((sentBytes: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Exchanged {
  readonly status: number
  readonly statusText: string
  readonly text: string
  header(name: string): string | null
}

/** A line that carries nothing for so long is dead, though nobody said so (P28). */
const stallMs = 60_000
/** A server that has every byte of a large file reads it whole before it answers. */
const answerMs = 600_000

/**
 * One request with the session's token that tells how much of its body has left; fetch cannot. Throws only when no
 * answer came.
 */
export function exchange({ method, path, headers, body, onProgress, signal }: Exchange): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.withCredentials = true
    const token = tokenToSend()
    for (const [name, value] of Object.entries({ ...headers, ...(token && { Authorization: `Bearer ${token}` }) }))
      request.setRequestHeader(name, value)
    let stalled: ReturnType<typeof setTimeout> | undefined
    const alive = (patienceMs: number) => {
      clearTimeout(stalled)
      stalled = setTimeout(() => {
        reject(failureWithoutAnswer(new DOMException('nothing moves', 'TimeoutError')))
        request.abort()
      }, patienceMs)
    }
    request.upload.onprogress = (event) => {
      alive(stallMs)
      onProgress?.(event.loaded)
    }
    request.upload.onload = () => alive(answerMs)
    request.onloadend = () => clearTimeout(stalled)
    request.onload = () =>
      resolve({
        status: request.status,
        statusText: request.statusText,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      })
    request.onerror = () => reject(failureWithoutAnswer(new TypeError('no answer')))
    const stop = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
    request.onabort = stop
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', () => request.abort())
    alive(stallMs)
    request.send(body ?? null)
  })
}

/** What came back, as a failure takes it. */
export function responseOf({ status, statusText, text, header }: Exchanged): Response {
  const headers = ['retry-after', 'x-request-id'].flatMap((name): [string, string][] => {
    const value = header(name)
    return value === null ? [] : [[name, value]]
  })
  return new Response(text, { status, statusText, headers })
}
