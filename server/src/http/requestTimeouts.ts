import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** How long the body of a call may take to arrive (P18). */
const defaultCallMs = 60_000
/** Uploads take as long as the line needs; they are given up when nothing arrives for this long. */
const defaultSilenceMs = 120_000
/** For so long, what still comes of a refused upload is read, and thrown away. */
const defaultLingerMs = 5_000

/** Whether the body is an upload, which may be long: the route says so, however its address is spelled. */
export const isUploading = ({ method, routeOptions: { url } }: FastifyRequest): boolean =>
  (method === 'POST' || method === 'PATCH') &&
  /^\/(?:dicom-web\/studies|api\/Scan\/uploads|api\/Organization\/imports)(?:\/|$)/.test(url ?? '')

/**
 * Node has one time-out for the bodies of all requests, but a study over a slow line takes hours where a login takes
 * milliseconds. So this gives each request its own.
 */
export function registerRequestTimeouts(
  app: FastifyInstance,
  { callMs = defaultCallMs, silenceMs = defaultSilenceMs, lingerMs = defaultLingerMs } = {},
): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    const { socket } = raw
    // Requests that tests put in have no line that could be slow.
    if (raw.complete || typeof socket?.destroySoon !== 'function') return
    if (!isUploading(request)) {
      const giveUp = (): void => {
        if (raw.complete || socket.destroyed) return
        socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
        socket.destroySoon()
      }
      const timer = setTimeout(giveUp, callMs).unref()
      raw.once('close', () => clearTimeout(timer))
      return
    }
    // Node closes the connection when its time is up; once the body is here, the time for idle connections is Node's
    // own again.
    socket.setTimeout(silenceMs)
    raw.once('end', () => socket.setTimeout(0))
    letAnswerArrive(raw, reply.raw, socket, lingerMs)
  })
}

/**
 * An answer that comes before the body is whole reaches its sender only if the rest is read: a line that is closed with
 * bytes unread is reset, and the sender sees that instead of the sentence (RFC 9112, 9.6).
 */
function letAnswerArrive(raw: IncomingMessage, answer: ServerResponse, socket: Socket, lingerMs: number): void {
  const { destroySoon } = socket
  const readOn = (): void => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
    raw.once('close', () => clearTimeout(timer))
    raw.resume()
  }
  // What Node calls behind an answer that says "connection: close".
  socket.destroySoon = () => {
    socket.destroySoon = destroySoon
    // Whoever goes on with what fails is not worth the reading.
    if (raw.complete || answer.statusCode === 429) return socket.destroySoon()
    raw.once('end', () => socket.destroySoon())
    socket.end()
  }
  answer.once('finish', () => {
    if (!raw.complete) readOn()
  })
}
