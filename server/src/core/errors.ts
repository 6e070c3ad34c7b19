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
  readonly code: string
  readonly fields: readonly FieldProblem[] | undefined
  /** Seconds, sent as Retry-After. */
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, sentence: string, fields?: readonly FieldProblem[], retryAfter?: number) {
    super(sentence)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/**
 * The caller has, or asks for, more than a share of what there is: this costs points (`core/penalties.ts`). A refusal
 * for what others have under way, or for what is away, costs nothing: honest people meet those as well.
 */
export class OwnShareRefusal extends Refusal {}

/** Missing and foreign rows get the same answer, so that an answer does not tell which ids exist (P02). */
export const notFound = (): Refusal =>
  new Refusal(404, 'NOT_FOUND', 'This does not exist, or you have no access to it.')

export const tooManyRequests = (seconds: number, sentence = 'Too many attempts.', Kind = Refusal): Refusal => {
  const wait = Math.max(1, Math.ceil(seconds))
  return new Kind(429, 'SLOW_DOWN', `${sentence} Please try again in ${formatWait(wait)}.`, undefined, wait)
}

export const tooManyOfYours = (seconds: number, sentence: string): Refusal =>
  tooManyRequests(seconds, sentence, OwnShareRefusal)

const formatWait = (seconds: number): string => {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
