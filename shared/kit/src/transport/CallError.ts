/** One refused field of a form, as the server names it. */
export interface FieldError {
  readonly path: string
  readonly message: string
}

/** What more is known of a failed call. */
export interface CallErrorDetails {
  readonly fields?: readonly FieldError[]
  readonly requestId?: string | undefined
  /** Seconds after which to try again (HTTP 429, 503). */
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/**
 * What a failed call throws (clause 8.02): the server's code and message, else the HTTP message.
 * `status` is 0 when no answer came at all; `code` is then OFFLINE, UNREACHABLE or TIMEOUT.
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
