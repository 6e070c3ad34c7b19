import { randomUUID } from 'node:crypto'
import { LogController, type FastifyBaseLogger, type FastifyHttpOptions } from 'fastify'
import type { Server } from 'node:http'
import type { Settings } from '../settings/settings.ts'
import { sendError } from './errorResponses.ts'
import { toDefaultHeaders } from './headers.ts'
import { answerNoRequest } from './noRequest.ts'

const kilobyte = 1024
/** The first line and the headers of a request together. */
const longestHead = 16 * kilobyte

export function createFastifyOptions(log: FastifyBaseLogger, settings: Settings): FastifyHttpOptions<Server> {
  return {
    loggerInstance: log,
    // Our own line per request (`registerRequestLog`); Fastify's would hold the query string.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < settings.trustProxy,
    // Enough for every call but those that say otherwise in the contract.
    bodyLimit: 100 * kilobyte,
    // Slow senders: headers have to arrive in time; bodies have their own time for each kind of request
    // (`registerRequestTimeouts`).
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 10_000,
    // Node looks for late headers only so often; by itself every 30 s.
    http: { maxHeaderSize: longestHead, headersTimeout: 15_000, connectionsCheckingInterval: 1000 },
    // Addresses that cannot be decoded never reach a route, nor the hooks that give an answer its headers.
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers(toDefaultHeaders(settings))),
    clientErrorHandler: answerNoRequest(settings, log),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    forceCloseConnections: 'idle',
    // `registerLeaving` does so, in words.
    return503OnClosing: false,
    // A viewer may name many frames of an object in one address: a part of it is as long as its line may be.
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: longestHead },
  }
}
