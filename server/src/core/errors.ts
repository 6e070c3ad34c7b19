import type { ErrorCode } from './errorCodes.ts'

export interface FieldProblem {
  readonly path: string
  readonly message: string
}

/**
 * Thrown by handlers to answer with an error envelope (docs/decisions/0002-the-wire.md). The sentence is for a person.
 *
 * @example
 * const message = 'This email is already in use.'
 * throw new Refusal(409, 'EMAIL_TAKEN', message, [{ path: 'email', message }])
 */
export class Refusal extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly fields: readonly FieldProblem[] | undefined
  /** Seconds, sent as Retry-After. */
  readonly retryAfter: number | undefined
  /** The caller asked too often or for too much: whoever goes on with that waits (`Penalties`). */
  readonly isOwnDoing: boolean

  constructor(
    status: number,
    code: ErrorCode,
    sentence: string,
    fields?: readonly FieldProblem[],
    retryAfter?: number,
  ) {
    super(sentence)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
    this.isOwnDoing = status === 429
  }
}

/** 503 while so much is under way that this has to come later. */
export class Busy extends Refusal {
  override readonly isOwnDoing: boolean

  /** @param isOwnDoing whether the caller alone has so much under way; if not, others or the server itself have */
  constructor(sentence: string, retryAfterSeconds: number, isOwnDoing: boolean) {
    super(503, 'NOT_READY', sentence, undefined, retryAfterSeconds)
    this.isOwnDoing = isOwnDoing
  }
}

/** What a program is told of a property, parameter or header that it left out; the answer's sentence names it. */
export const needed = 'This is needed.'
export const missing = (path: string): Refusal => new Refusal(400, 'INVALID', needed, [{ path, message: needed }])

/** Missing and foreign rows get the same answer, so that an answer does not tell which ids exist (P02). */
export const notFound = (): Refusal =>
  new Refusal(404, 'NOT_FOUND', 'This does not exist, or you have no access to it.')

export const tooManyRequests = (seconds: number, sentence = 'Too many attempts.', Kind = Refusal): Refusal => {
  const wait = Math.max(1, Math.ceil(seconds))
  return new Kind(429, 'SLOW_DOWN', `${sentence} Please try again in ${formatWait(wait)}.`, undefined, wait)
}

/** Others have done as much: those behind the same address, or of the same organization. */
class SharedLimit extends Refusal {
  override readonly isOwnDoing = false
}
export const tooManyOfAll = (seconds: number, sentence: string): Refusal =>
  tooManyRequests(seconds, sentence, SharedLimit)

const formatWait = (seconds: number): string => {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
