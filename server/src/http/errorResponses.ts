import { types } from 'node:util'
import { isLineLost, isUndone, takesNoWrites } from '../db/lostLine.ts'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { missingValues, unknownProperty } from '@dmp/contract/fields'
import { isProgram } from '../core/caller.ts'
import { bearerToken } from '../core/credential.ts'
import { findLanguage, sayIn } from '../core/languages.ts'
import type { ErrorCode } from '../core/errorCodes.ts'
import { needed, notFound, Refusal, type FieldProblem } from '../core/errors.ts'
import { formatBytes } from '../core/formatBytes.ts'
import { isDiskFull } from '../core/isDiskFull.ts'

/** The error envelope of docs/decisions/0002-the-wire.md. */
interface Envelope {
  readonly code: ErrorCode
  readonly message: string
  readonly requestId: string
  readonly fields?: readonly FieldProblem[]
}

/** What is said where the program that reads requests refuses them. */
export const ofStatus: Readonly<Record<number, readonly [code: ErrorCode, sentence: string]>> = {
  400: ['INVALID', 'This request cannot be read.'],
  404: ['NOT_FOUND', 'This does not exist, or you have no access to it.'],
  405: ['INVALID', 'This address does not support that method.'],
  408: ['TOO_SLOW', 'The request took too long to arrive. Please try again.'],
  414: ['TOO_LARGE', 'This address is longer than the server accepts.'],
  415: ['WRONG_TYPE', 'Send JSON, with Content-Type: application/json.'],
  431: ['TOO_LARGE', 'The headers are larger than the server accepts.'],
  503: ['NOT_READY', 'The service is not ready. Please try again in a moment.'],
}

/** Sends every error once, in one shape. The inner cause is logged under the request's id and never sent. */
export function registerErrorResponses(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Refusal, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler(() => {
    throw notFound()
  })
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = error instanceof Refusal ? error : toRefusal(error, request)
  logCause(request.log, refusal)
  request.isOwnDoing = refusal.isOwnDoing
  if (refusal.retryAfter !== undefined) void reply.header('retry-after', String(refusal.retryAfter))
  if (refusal.status === 401) void reply.header('www-authenticate', toChallenges(request))
  const language = findLanguage(request.headers['accept-language'])
  if (language !== undefined && language !== 'en') void reply.header('content-language', language)
  return reply
    .status(refusal.status)
    .type('application/json; charset=utf-8')
    .send(toErrorEnvelope(refusal, request.id, language))
}

/** A refusal for which the caller can do nothing: whoever reads the log has to learn why. */
export function logCause(log: Pick<FastifyBaseLogger, 'error'>, { status, code, cause }: Refusal): void {
  if (status < 500 || cause === undefined) return
  // The log hides `err.code`, under which a mailed code might stand.
  const reason = String((cause as { code?: unknown }).code ?? 'unknown')
  log.error({ code, reason, err: withoutValues(cause) }, 'a dependency failed')
}

/** What never stands beside a field of a form: whoever reads the sentence alone would look for the property. */
const saysNoName: ReadonlySet<string> = new Set([needed, unknownProperty(), ...Object.values(missingValues)])

/** @param language in which its sentences are said; English if absent */
export function toErrorEnvelope(refusal: Refusal, requestId: string, language?: string): Envelope {
  const say = (sentence: string): string => sayIn(language, sentence)
  const [first] = refusal.fields ?? []
  return {
    code: refusal.code,
    message: `${first && saysNoName.has(refusal.message) ? `${first.path}: ` : ''}${say(refusal.message)}`,
    requestId,
    ...(refusal.fields ? { fields: refusal.fields.map((field) => ({ ...field, message: say(field.message) })) } : {}),
  }
}

/** Programs may wait for a challenge before they send a password; a browser would ask its person for one. */
/** The schemes that are taken; of a token that is not, that it is not valid (RFC 6750, section 3). */
function toChallenges(request: FastifyRequest): string | string[] {
  const isForMachines = request.routeOptions.config?.access?.isForMachines ?? false
  const error = bearerToken(request.headers.authorization) === undefined ? '' : ', error="invalid_token"'
  const bearer = `Bearer realm="DMP"${error}`
  if (!isForMachines || !isProgram(request)) return bearer
  return [bearer, 'Basic realm="API token as password", charset="UTF-8"']
}

function toRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (isDiskFull(error)) {
    request.log.error({ err: withoutValues(error) }, 'no room')
    return diskFull()
  }
  // Its sender hung up: nobody reads the answer, and nothing that this server stands on has failed.
  const status = isBrokenOff(error, request) ? 400 : toStatus(error)
  const standardRefusal = status === 413 ? toTooLarge(request) : ofStatus[status]
  if (standardRefusal) {
    const refusal = new Refusal(status, ...standardRefusal, undefined, status === 503 ? awaySeconds : undefined)
    refusal.cause = error
    return refusal
  }
  request.log.error({ err: withoutValues(error) }, 'unexpected error')
  return new Refusal(500, 'INTERNAL', 'Something went wrong. Please try again later.')
}

function toTooLarge({ routeOptions }: FastifyRequest): readonly [code: ErrorCode, sentence: string] {
  const bodyLimit = formatBytes(routeOptions.bodyLimit)
  return ['TOO_LARGE', `This is larger than the server accepts here: at most ${bodyLimit}.`]
}

const isBrokenOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.readableAborted && (error as { code?: unknown } | null)?.code === 'ECONNRESET'

function toStatus(error: unknown): number {
  if (isDatabaseAway(error)) return 503
  // Text that the database cannot hold, such as a NUL character.
  if (getSqlState(error).startsWith('22')) return 400
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode < 500 ? statusCode : 500
}

/** Until it is worth another try. */
const awaySeconds = 2

export const diskFull = (): Refusal =>
  new Refusal(
    507,
    'NO_ROOM',
    'The server is out of disk space, so nothing was saved. Please try again later, or tell the operator.',
    undefined,
    60,
  )

/** Connection lost, refused or timed out, a statement too long, a restarting server, an exhausted pool: it recovers. */
const isDatabaseAway = (error: unknown): boolean =>
  isLineLost(error) || takesNoWrites(error) || isUndone(error) || /^(?:53|57P0|57014)/.test(getSqlState(error))

/** Where a library answers: what is away for moments is worth another try; undefined for anything else. */
export function toAway(error: unknown): Refusal | undefined {
  const [code, sentence] = ofStatus[503] ?? []
  if (!isDatabaseAway(error) || !code || !sentence) return undefined
  const refusal = new Refusal(503, code, sentence, undefined, awaySeconds)
  refusal.cause = error
  return refusal
}

const getSqlState = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && code.length === 5 ? code : ''
}

/**
 * Errors of the database repeat values in `detail`, `parameters` and so on; the log gets what they say and where they
 * came from.
 */
function withoutValues(error: unknown): object {
  // Also one of another realm, as of Node's own file system under a test.
  if (!types.isNativeError(error)) return { message: 'not an error object' }
  return { type: error.name, message: error.message, code: (error as { code?: unknown }).code, stack: error.stack }
}
