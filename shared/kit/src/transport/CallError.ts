/** One field that the server refused, by the server's name. */
export interface FieldError {
  readonly path: string
  readonly message: string
}

/** Further details of a failed call. */
export interface CallErrorDetails {
  readonly fields?: readonly FieldError[]
  readonly requestId?: string | undefined
  /** Seconds after which to try again (HTTP 429, 503). */
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/**
 * A failed call (8.02), with the server's code and message or else the HTTP message.
 * `status` is 0 without an answer; `code` is then OFFLINE, UNREACHABLE, TIMEOUT or UNKNOWN.
 */
export class CallError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: readonly FieldError[]
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, details: CallErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'CallError'
    this.status = status
    this.code = code
    this.fields = details.fields ?? []
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
  }
}
