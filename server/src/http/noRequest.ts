import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { Refusal } from '../core/errors.ts'
import type { Settings } from '../settings/settings.ts'
import { ofStatus, toErrorEnvelope } from './errorResponses.ts'
import { toDefaultHeaders } from './headers.ts'

const statusOfCause: Readonly<Record<string, 408 | 431>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** A log says it once a minute: whoever tries in vain tries again and again. */
const logAgainMs = 60_000
/** The first bytes of a TLS handshake (RFC 8446, 5.1). */
const isTls = (bytes: unknown): boolean => bytes instanceof Uint8Array && bytes[0] === 22 && bytes[1] === 3

/**
 * What is no HTTP, too slow or too long never becomes a request. It is answered on the line itself, like everything
 * else: in one shape, and with the headers of every answer. Then the line is closed.
 */
export function answerNoRequest(settings: Pick<Settings, 'publicUrl'>, log: Pick<FastifyBaseLogger, 'warn'>) {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (error: Error & { readonly code?: string; readonly rawPacket?: unknown }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    if (isTls(error.rawPacket) && performance.now() - loggedAt >= logAgainMs) {
      loggedAt = performance.now()
      log.warn(
        { ip: socket.remoteAddress },
        'a client speaks https to this port, which takes http: give it the address of the proxy that has the certificate',
      )
    }
    const status = statusOfCause[error.code ?? ''] ?? 400
    const [code, sentence] = ofStatus[status] ?? ['INVALID', 'This request cannot be read.']
    const body = JSON.stringify(toErrorEnvelope(new Refusal(status, code, sentence), randomUUID()))
    const headers = {
      ...toDefaultHeaders(settings),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    if (socket.writable) socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
    socket.destroy(error)
  }
}
