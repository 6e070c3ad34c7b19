import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { goOnFor, takeTurnOf } from '../core/asker.ts'
import { findSecret, findVisit } from '../core/caller.ts'
import type { TurnOwner } from '../core/fairQueue.ts'
import type { OpenResponses } from '../core/openResponses.ts'
import { penaltyPoints, type Penalties } from '../core/penalties.ts'
import { anyOtherCall, type RateLimits } from '../core/rateLimits.ts'
import type { CountAs } from './countAs.ts'
import { createRequestTurns } from './requestTurns.ts'
import { isUploading } from './requestTimeouts.ts'

/** A response that nobody reads any further is ended after this time (P18). */
const defaultStallMs = 60_000
/**
 * Whoever takes less than this in so long is no reader on a bad line, but somebody who keeps the response open byte by
 * byte: some 3.5 kB a second. Streams hand over a megabyte at a time, so that less cannot be measured.
 */
const defaultFloor = { bytes: 2 ** 20, ms: 300_000 }

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom limits by address count it as: its address, or a person who is known. */
    countedAs: string
  }
}

interface CallLimits {
  readonly limits: Pick<RateLimits, 'spend'>
  readonly openResponses: OpenResponses
  readonly penalties: Penalties
  readonly countAs: CountAs
}

/**
 * Limits of every route, before anything else is done for a request: whether its caller has to wait, how often its
 * address may call it, or a person who is known, how many of their responses may be open, and how long a response may
 * make no progress. A route that states no limit keeps the server from starting.
 */
export function registerCallLimits(
  app: FastifyInstance,
  { limits, openResponses, penalties, countAs }: CallLimits,
  { stallMs = defaultStallMs, floor = defaultFloor } = {},
): void {
  const readers = watchReaders(floor)
  app.addHook('onClose', async () => readers.close())
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.limit === undefined)
      throw new Error(`${String(method)} ${url} states no limit: give it config.limit, a name of core/rateLimits.ts.`)
  })
  const findOwner = (request: FastifyRequest): TurnOwner | undefined =>
    penalties.findOwner(isForVisitors(request) ? findVisit(request) : findSecret(request))
  app.addHook('onRequest', (request, _reply, next) => goOnFor(request, next))
  // Bodies arrive on the line's own account.
  app.addHook('preValidation', (request, _reply, next) => goOnFor(request, next))
  app.addHook('onRequest', async (request, reply) => {
    request.admit = createAdmission(penalties, request, reply)
    const owner = findOwner(request)
    if (owner) await request.admit(owner)
  })
  app.decorateRequest('countedAs', '')
  app.addHook('onRequest', async (request, reply) => {
    // The line may close while the limits are asked: listen first, or its place is never given back.
    let isOver = false
    let end = (): void => undefined
    onceOver(reply, () => {
      isOver = true
      end()
    })
    request.countedAs = await countAs(request, reply)
    // Until the request has shown who asks: somebody who is known does not stand in the line of an address.
    takeTurnOf(request, { customer: request.countedAs, person: request.countedAs })
    await limits.spend(request.routeOptions.config.limit ?? anyOtherCall, request.countedAs, undefined)
    // Live channels as well, which stay open: somebody who opens many has a bounded number of them.
    const endReading = readers.begin(request)
    end = endReading
    const endResponse = openResponses.begin(request.raw, request.countedAs)
    end = () => {
      endReading()
      endResponse()
    }
    if (isOver) end()
  })
  const turns = createRequestTurns()
  app.addHook('onRequest', async (request, reply) => {
    const owner = findOwner(request)
    const { countedAs } = request
    const turn = owner
      ? { customer: owner.organizationId, person: owner.userId }
      : { customer: countedAs, person: countedAs }
    await turns.wait(turn, reply)
  })
  app.addHook('onSend', async (_request, reply) => {
    const { socket } = reply.raw
    // Node closes a line on which nothing moves; after the response the time for idle lines is Node's own again.
    if (typeof socket?.setTimeout === 'function') socket.setTimeout(stallMs)
  })
}

/** There a token or a launch of the same browser opens nothing, and its owner pays for nothing. */
const isForVisitors = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config.access?.secret === 'share cookie'

/**
 * Refuses the request of somebody who has to wait, and charges what it cost otherwise. A secret that was seen says
 * whose it is before anything is done; of any other it is known once it was looked up (`recognize`).
 */
function createAdmission(penalties: Penalties, request: FastifyRequest, reply: FastifyReply) {
  let isJudged = false
  let isOver = false
  let end = (): void => undefined
  onceOver(reply, () => {
    isOver = true
    end()
  })
  return async (owner: TurnOwner): Promise<void> => {
    if (isJudged) return
    isJudged = true
    const isUpload = isUploading(request)
    try {
      await penalties.admit(owner, request.ip, isUpload)
    } catch (refusal) {
      // The body of what is refused is not read.
      void reply.header('connection', 'close')
      throw refusal
    }
    const endUpload = isUpload ? penalties.beginUpload(owner) : undefined
    end = () => {
      endUpload?.()
      const points = findPoints(request, reply)
      if (points > 0) penalties.charge(owner, request.ip, points)
    }
    if (isOver) end()
  }
}

function onceOver({ raw }: FastifyReply, act: () => void): void {
  const actOnce = (): void => {
    raw.off('close', actOnce).off('finish', actOnce)
    act()
  }
  raw.once('close', actOnce).once('finish', actOnce)
}

function findPoints(request: FastifyRequest, { raw: { statusCode, writableFinished } }: FastifyReply): number {
  const isBrokenOff = request.raw.readableAborted && !writableFinished && statusCode < 500
  if (isBrokenOff && isUploading(request)) return penaltyPoints.brokenOff
  // Nobody pays for a database that is away, or for a queue that others filled.
  return request.isOwnDoing ? penaltyPoints.refused : 0
}

/** Ends responses of which too little is taken, and says so in the log. */
function watchReaders(floor: { readonly bytes: number; readonly ms: number }) {
  const open = new Map<FastifyRequest, { takenBytes: number; since: number }>()
  const look = (): void => {
    for (const [request, seen] of open) {
      const { socket } = request.raw
      const takenBytes = socket.bytesWritten - socket.writableLength
      // Nothing waits for the reader, or enough was taken.
      if (socket.writableLength === 0 || takenBytes - seen.takenBytes >= floor.bytes)
        open.set(request, { takenBytes, since: performance.now() })
      else if (performance.now() - seen.since >= floor.ms) {
        request.log.warn({ route: request.routeOptions.url, ip: request.ip }, 'a response was cut: too little was read')
        socket.destroy()
      }
    }
  }
  const timer = setInterval(look, floor.ms / 10).unref()
  return {
    begin: (request: FastifyRequest): (() => void) => {
      open.set(request, { takenBytes: 0, since: performance.now() })
      return () => void open.delete(request)
    },
    close: () => clearInterval(timer),
  }
}
