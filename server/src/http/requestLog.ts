import type { FastifyInstance } from 'fastify'

/** Ids and codes in paths name people and open doors, so a line holds the route's pattern instead of the path. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, ip, viewer } = request
    const line = {
      method,
      route: routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ip,
      user: viewer?.userId,
    }
    if (reply.statusCode >= 500) request.log.error(line, 'request')
    else request.log.info(line, 'request')
  })
}
