import type { FastifyInstance } from 'fastify'
import type { OpenResponses } from '../core/openResponses.ts'
import { anyOtherCall, type RateLimits } from '../core/rateLimits.ts'

/** A response that nobody reads any further is ended after this time (P18). */
const defaultStallMs = 60_000

interface CallLimits {
  readonly limits: Pick<RateLimits, 'spend'>
  readonly openResponses: OpenResponses
}

/**
 * Limits of every route, before anything else is done for a request: how often its address may call it, how many
 * responses of an address may be open, and how long a response may make no progress. A route that states no limit keeps
 * the server from starting.
 */
export function registerCallLimits(
  app: FastifyInstance,
  { limits, openResponses }: CallLimits,
  { stallMs = defaultStallMs } = {},
): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.limit === undefined)
      throw new Error(`${String(method)} ${url} states no limit: give it config.limit, a name of core/rateLimits.ts.`)
  })
  app.addHook('onRequest', async (request, reply) => {
    // The line may close while the limits are asked: listen first, or its place is never given back.
    let isOver = false
    let end = (): void => undefined
    const finish = (): void => {
      isOver = true
      end()
    }
    reply.raw.once('close', finish)
    reply.raw.once('finish', finish)
    await limits.spend(request.routeOptions.config.limit ?? anyOtherCall, request.ip, undefined)
    // Live channels stay open on purpose and are counted by themselves.
    if (request.ws) return
    end = openResponses.begin(request.raw, request.ip)
    if (isOver) end()
  })
  app.addHook('onSend', async (_request, reply) => {
    const { socket } = reply.raw
    // Node closes a line on which nothing moves; after the response the time for idle lines is Node's own again.
    if (typeof socket?.setTimeout === 'function') socket.setTimeout(stallMs)
  })
}
