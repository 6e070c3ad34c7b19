import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { BucketError, toBucketError, toUnreachableError } from './bucketError.ts'

export interface Credentials {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers?: Record<string, string>
  /** Must be readable again, for retries. */
  readonly body?: Blob | Uint8Array<ArrayBuffer> | string
  /** Statuses besides 2xx that the caller handles itself. */
  readonly acceptedStatuses?: readonly number[]
}

const maxAttempts = 4
const firstPauseMs = 100
/** Until the response begins, all attempts together: somebody waits for it. */
const responseTimeoutMs = 8000
/** Sending takes its time, too: a part of 16 MB over a slow connection two minutes. */
const bytesPerMs = 128
const longestTimeoutMs = 120_000

/** Sends signed requests, and repeats them when the connection breaks or the store is busy. */
export class SignedFetch {
  readonly #client: AwsClient
  readonly #location: string

  constructor({ region, accessKeyId, secretAccessKey }: Credentials, location: string) {
    this.#client = new AwsClient({ region, accessKeyId, secretAccessKey, service: 's3', retries: 0 })
    this.#location = location
  }

  async send(request: Request): Promise<Response> {
    const began = performance.now()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce(request)
      } catch (cause) {
        const isTransient = cause instanceof BucketError && cause.fault === 'UNAVAILABLE' && attempt < maxAttempts
        const hasTime = performance.now() - began < responseTimeoutMs / 2
        if (!isTransient || !hasTime) throw cause
        await pause(firstPauseMs * 4 ** (attempt - 1) * (0.5 + Math.random()))
      }
    }
  }

  async #sendOnce({ method, url, headers = {}, body, acceptedStatuses = [] }: Request): Promise<Response> {
    const timeout = new AbortController()
    const timer = setTimeout(
      () => timeout.abort(new DOMException('no response in time', 'TimeoutError')),
      toTimeoutMs(body),
    )
    try {
      const signed = await this.#client.sign(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        signal: timeout.signal,
      })
      // Objects go to the store of the settings, and to no other that it names.
      const response = await fetch(signed, { redirect: 'manual' })
      if (response.ok || acceptedStatuses.includes(response.status)) return response
      const errorBody = await response.text()
      const code = /<Code>([A-Za-z0-9]+)<\/Code>/.exec(errorBody)?.[1] ?? (response.statusText || 'Unknown')
      throw toBucketError(this.#location, response.status, code)
    } catch (cause) {
      throw cause instanceof BucketError ? cause : toUnreachableError(this.#location, cause)
    } finally {
      clearTimeout(timer)
    }
  }
}

const toTimeoutMs = (body: Request['body']): number => {
  const bytes = body === undefined ? 0 : body instanceof Blob ? body.size : body.length
  return Math.min(longestTimeoutMs, responseTimeoutMs + bytes / bytesPerMs)
}
