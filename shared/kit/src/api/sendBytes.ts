import { tokenToSend } from './call.ts'
import { failureOf, failureWithoutAnswer } from './failures.ts'

export interface SendOptions {
  readonly contentType: string
  readonly accept: string
  /** How many bytes have left so far. */
  readonly onProgress?: (sentBytes: number) => void
  readonly signal?: AbortSignal
}

/** A line that carries nothing for so long is dead, though nobody said so (P28). */
const stallMs = 60_000

/** What came back where it is in the accepted form, whatever the status: DICOMweb tells in it what was refused. */
export interface SentAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Sends bytes to the server with the session's token and tells how far it is: for DICOMweb, which has no JSON calls.
 * Throws `CallError` where the answer is not of the accepted type, and when none came.
 *
 * @example await sendBytes('/dicom-web/studies', blob, { contentType: 'application/dicom', accept: 'application/dicom+json' })
 */
export function sendBytes(path: string, body: Blob, { contentType, accept, onProgress, signal }: SendOptions): Promise<SentAnswer> {
  return new Promise((resolve, reject) => {
    // fetch cannot tell how much of a body has been sent.
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.withCredentials = true
    request.setRequestHeader('Content-Type', contentType)
    request.setRequestHeader('Accept', accept)
    const token = tokenToSend()
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`)
    let stalled: ReturnType<typeof setTimeout> | undefined
    const alive = () => {
      clearTimeout(stalled)
      stalled = setTimeout(() => {
        reject(failureWithoutAnswer(new DOMException('nothing moves', 'TimeoutError')))
        request.abort()
      }, stallMs)
    }
    request.upload.onprogress = (event) => {
      alive()
      onProgress?.(event.loaded)
    }
    request.onloadend = () => clearTimeout(stalled)
    request.onload = () => {
      const { status, responseText: text } = request
      if ((request.getResponseHeader('content-type') ?? '').startsWith(accept)) return resolve({ status, text })
      const headers = ['retry-after', 'x-request-id'].flatMap((name): [string, string][] => {
        const value = request.getResponseHeader(name)
        return value === null ? [] : [[name, value]]
      })
      void failureOf(new Response(text, { status, statusText: request.statusText, headers })).then(reject)
    }
    request.onerror = () => reject(failureWithoutAnswer(new TypeError('no answer')))
    const stop = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
    request.onabort = stop
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    alive()
    request.send(body)
  })
}
