import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** As proxies call a request whose caller left before the answer. */
const callerLeft = 499

/** Ids and codes in paths name people and open doors, so a line holds the route's pattern instead of the path. */
export function registerRequestLog(app: FastifyInstance): void {
  const logged = new WeakSet<FastifyRequest>()
  const log = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
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
    if (status >= 500) request.log.error(line, 'request')
    else request.log.info(line, 'request')
  }
  // A caller who hangs up while the server works leaves a line as well: otherwise nobody sees who fills the disk.
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = reply
    if (!request.ws) raw.once('close', () => raw.writableFinished || log(request, reply, callerLeft))
  })
  app.addHook('onResponse', async (request, reply) => log(request, reply, reply.statusCode))
}
