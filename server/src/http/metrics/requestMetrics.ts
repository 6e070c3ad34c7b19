import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../core/metrics.ts'
import { isUploading } from '../requestTimeouts.ts'

const bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Routes are patterns, so that no label holds an id; a path without a route is `none`. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  const count = metrics.counter('dmp_requests_total', 'Requests, by route and class of status')
  const measure = metrics.histogram('dmp_request_seconds', 'Time until a response was sent, by route', bounds)
  const open = new Set<FastifyRequest>()
  const uploading = (): number => [...open].filter(isUploading).length
  metrics.gauge('dmp_open_requests', 'Requests under way, live channels aside', () => open.size)
  metrics.gauge('dmp_open_uploads', 'Requests under way that bring objects', uploading)

  const end = (request: FastifyRequest, reply: FastifyReply, isWhole: boolean): void => {
    if (!open.delete(request)) return
    const { method } = request
    const route = request.routeOptions.url ?? 'none'
    // As in the log: whoever hung up before everything was sent.
    const status = isWhole ? `${Math.floor(reply.raw.statusCode / 100)}xx` : '499'
    count({ method, route, status })
    measure({ method, route }, reply.elapsedTime / 1000)
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket') return
    open.add(request)
    reply.raw.once('finish', () => end(request, reply, true)).once('close', () => end(request, reply, false))
  })
}
