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
  /** Can be read again when the first try breaks off. */
  readonly body?: Blob | Uint8Array<ArrayBuffer> | string
  /** Statuses besides 2xx that the caller understands. */
  readonly acceptedStatuses?: readonly number[]
}

const maxAttempts = 4
const firstPauseMs = 100
/** Until the answer begins; a part of 16 MB may take as long on a slow line. */
const responseTimeoutMs = 120_000

/** Signed requests that are tried again when the line breaks or the store is busy. */
export class SignedFetch {
  readonly #client: AwsClient
  readonly #place: string

  constructor({ region, accessKeyId, secretAccessKey }: Credentials, place: string) {
    this.#client = new AwsClient({ region, accessKeyId, secretAccessKey, service: 's3', retries: 0 })
    this.#place = place
  }

  async send(request: Request): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(request)
      } catch (cause) {
        const again = cause instanceof BucketError && cause.fault === 'UNAVAILABLE' && attempt < maxAttempts
        if (!again) throw cause
        await pause(firstPauseMs * 4 ** (attempt - 1) * (0.5 + Math.random()))
      }
    }
  }

  async #once({ method, url, headers = {}, body, acceptedStatuses = [] }: Request): Promise<Response> {
    const tooLate = new AbortController()
    const timer = setTimeout(
      () => tooLate.abort(new DOMException('no answer in time', 'TimeoutError')),
      responseTimeoutMs,
    )
    try {
      const signed = await this.#client.sign(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        signal: tooLate.signal,
      })
      const response = await fetch(signed)
      if (response.ok || acceptedStatuses.includes(response.status)) return response
      const words = await response.text()
      const code = /<Code>([A-Za-z0-9]+)<\/Code>/.exec(words)?.[1] ?? (response.statusText || 'Unknown')
      throw toBucketError(this.#place, response.status, code)
    } catch (cause) {
      throw cause instanceof BucketError ? cause : toUnreachableError(this.#place, cause)
    } finally {
      clearTimeout(timer)
    }
  }
}
