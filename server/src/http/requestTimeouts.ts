import type { FastifyInstance, FastifyRequest } from 'fastify'

/** How long the body of a call may take to arrive (P18). */
const defaultCallMs = 60_000
/** Uploads take as long as the line needs; they are given up when nothing arrives for this long. */
const defaultSilenceMs = 120_000

/** Whether the body is an upload, which may be long: the route says so, however its address is spelled. */
export const isUploading = ({ method, routeOptions: { url } }: FastifyRequest): boolean =>
  (method === 'POST' || method === 'PATCH') && /^\/(?:dicom-web\/studies|api\/Scan\/uploads)(?:\/|$)/.test(url ?? '')

/**
 * Node has one time-out for the bodies of all requests, but a study over a slow line takes hours where a login takes
 * milliseconds. So this gives each request its own.
 */
export function registerRequestTimeouts(
  app: FastifyInstance,
  { callMs = defaultCallMs, silenceMs = defaultSilenceMs } = {},
): void {
  app.addHook('onRequest', async (request) => {
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
  })
}
