import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import type { Bus } from '../db/bus.ts'
import type { RightUnderWay } from '../identity/rightUnderWay.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** From now on the request ends with the right. */
    standOn?: (right: RightUnderWay) => void
  }
}

/** The database was away: asked again until it answers, or the request is over. */
const againMs = 2000

/** Who is refused now, by what refuses new requests, goes on no more; nobody knows yet while the database is away. */
const toJudgement = (error: unknown): false | undefined =>
  error instanceof Refusal && error.status < 500 ? false : undefined

/**
 * Ends requests that are under way when what they were admitted by has ended (P11). A request is judged when it comes,
 * and its sender decides how long it takes: a body that arrives over hours, a zip that is read slowly.
 */
export function registerRightsUnderWay(app: FastifyInstance, bus: Pick<Bus, 'subscribe'>): void {
  const underWay = new Set<{ readonly right: RightUnderWay; judge(): Promise<void> }>()
  bus.subscribe((news) => {
    for (const { right, judge } of underWay) if (news.kind === 'missed' || right.isAbout(news)) void judge()
  })
  app.addHook('onRequest', (request, { raw }, next) => {
    request.standOn = (right) => {
      if (raw.destroyed || raw.writableFinished) return
      const judge = async (): Promise<void> => {
        while (underWay.has(entry)) {
          const goesOn = await right.goesOn().catch(toJudgement)
          if (goesOn) return
          if (goesOn === false && underWay.delete(entry)) {
            request.log.warn({ route: request.routeOptions.url, ip: request.ip }, 'cut: its right ended meanwhile')
            request.raw.socket.destroy()
          }
          await pause(againMs, undefined, { ref: false })
        }
      }
      const entry = { right, judge }
      const end = (): void => void underWay.delete(entry)
      underWay.add(entry)
      raw.once('close', end).once('finish', end)
    }
    next()
  })
}
