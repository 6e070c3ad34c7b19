import { AsyncLocalStorage } from 'node:async_hooks'
import { ERRORS, Server, type ServerOptions } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLanguage } from '../../core/languages.ts'
import { Refusal } from '../../core/errors.ts'
import { isDiskFull } from '../../core/isDiskFull.ts'
import { diskFull, logCause, toAway, toErrorEnvelope } from '../../http/errorResponses.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import { toStoreRefusal } from './storeRefusal.ts'
import { uploadGone, uploadTooLarge } from './tusRequests.ts'

interface Exchange {
  readonly request: FastifyRequest
  /** What was thrown while the library had the request. */
  refusal?: Refusal
}

type TusOptions = Omit<ServerOptions, 'onResponseError' | 'maxSize' | 'allowedOrigins' | 'locker'> &
  Required<Pick<ServerOptions, 'locker'>> & { readonly datastore: Server['datastore']; readonly maxSize: number }

/** The library's server of the protocol, whose refusals have code, sentence and shape of every other door. */
export class TusServer extends Server {
  readonly #exchanges = new AsyncLocalStorage<Exchange>()
  readonly #maxBytes: number

  constructor(options: TusOptions) {
    super({
      ...options,
      // Pages of other origins get nothing (P10).
      allowedOrigins: () => false,
      onResponseError: (_request, error) => this.#note(error),
    })
    this.#maxBytes = options.maxSize
  }

  /** After `reply.hijack()`. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.#exchanges.run({ request }, () => this.handle(request.raw, reply.raw))
  }

  override async write(...[context, headers, status, body]: Parameters<Server['write']>): Promise<Response> {
    const exchange = this.#exchanges.getStore()
    if (status < 400 || !exchange) return super.write(context, headers, status, body)
    const refusal = exchange.refusal ?? toRefusal({ status_code: status, body }, this.#maxBytes)
    const { id, headers: asked } = exchange.request
    const language = findLanguage(asked['accept-language'])
    headers.set('content-type', 'application/json; charset=utf-8')
    if (refusal.retryAfter !== undefined) headers.set('retry-after', String(refusal.retryAfter))
    if (language !== undefined && language !== 'en') headers.set('content-language', language)
    return super.write(context, headers, refusal.status, JSON.stringify(toErrorEnvelope(refusal, id, language)))
  }

  #note(error: unknown): undefined {
    const exchange = this.#exchanges.getStore()
    if (!exchange) return
    exchange.refusal = toRefusal(error, this.#maxBytes)
    const { refusal, request } = exchange
    logCause(request.log, refusal)
    if (refusal.status === 500) request.log.error({ reason: (error as Error).message }, 'an upload failed')
  }
}

function toRefusal(error: unknown, maxBytes: number): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ObjectStoreError) return toStoreRefusal(error)
  if (isDiskFull(error)) return diskFull()
  // A primary that dies: what the sender asks for is not done, or is found to be done when it asks again.
  const away = toAway(error)
  if (away) return away
  const { status_code: status, body } = (error ?? {}) as { status_code?: number; body?: string }
  // Errors of the protocol are meant for the sender; any other is not.
  if (status === undefined || status >= 500) return toFailure(status, body)
  if (body === ERRORS.ERR_MAX_SIZE_EXCEEDED.body) return uploadTooLarge(maxBytes)
  if (status === 413)
    return new Refusal(413, 'TOO_LARGE', 'More bytes came than Upload-Length promised. Begin a new upload.')
  if (status === 409)
    return new Refusal(
      409,
      'WRONG_OFFSET',
      'Upload-Offset is not what has arrived. Ask with HEAD, and go on from there.',
    )
  if (status === 404 || status === 410) return uploadGone(status)
  return new Refusal(400, 'INVALID', `The tus protocol does not allow this request: ${(body ?? '').trim()}`)
}

function toFailure(status: number | undefined, body: string | undefined): Refusal {
  if (status === 501)
    return new Refusal(
      501,
      'NOT_OFFERED',
      'Parts of a file are not taken beside each other. Switch parallel uploads off.',
    )
  if (body === ERRORS.ERR_LOCK_TIMEOUT.body)
    return new Refusal(503, 'NOT_READY', 'Another request still sends to this upload. Please try again.', undefined, 2)
  return new Refusal(500, 'INTERNAL', 'Something went wrong. Please try again later.')
}
