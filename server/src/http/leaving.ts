import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import type { Stopping } from '../core/stopping.ts'

export const leaving = (): Refusal =>
  new Refusal(503, 'NOT_READY', 'This server is being stopped. Please try again in a moment.', undefined, 1)

/** A server that was told to stop keeps no line for a next request; later it refuses what still comes. */
export function registerLeaving(app: FastifyInstance, { stopping }: { readonly stopping: Stopping }): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!stopping.isAsked) return
    void reply.header('connection', 'close')
    // Whoever watches the process still learns that it is up.
    if (stopping.signal.aborted && request.routeOptions.config.limit !== 'health') throw leaving()
  })
}
