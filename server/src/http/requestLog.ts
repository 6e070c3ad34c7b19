import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Ids and codes in paths name people and open doors, so a line holds the route's pattern instead of the path. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply, reply.statusCode))
  // What is done for somebody who hangs up is done all the same.
  app.addHook('onRequest', async (request, reply) => {
    if (request.ws) return
    reply.raw.once('close', () => reply.raw.writableFinished || logRequest(request, reply, lineClosed))
  })
}

/** As reverse proxies log it: the line was closed before the whole answer was sent. */
const lineClosed = 499
/** What is answered after its line was closed has its line already. */
const logged = new WeakSet<FastifyRequest>()

function logRequest(request: FastifyRequest, reply: FastifyReply, status: number): void {
  if (logged.has(request)) return
  logged.add(request)
  const { method, routeOptions, ip, viewer } = request
  const line = {
    method,
    route: routeOptions.url ?? 'none',
    status,
    ms: Math.round(reply.elapsedTime),
    ip,
    user: viewer?.userId,
  }
  // What is not offered is no failure of ours.
  if (status >= 500 && status !== 501) request.log.error(line, 'request')
  else request.log.info(line, 'request')
}
