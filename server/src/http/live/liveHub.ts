import type { ServerFrame } from '@dmp/contract/live'
import { closeCodes, closeReasons } from '@dmp/contract/live'
import type { WebSocket } from 'ws'
import type { Bus, News } from '../../db/bus.ts'

/** One live channel. */
export interface Channel {
  readonly id: string
  readonly socket: WebSocket
  /** The session id that the client made (4.14). */
  readonly sessionLabel: string
  readonly clientId: string
  /** Whom it is counted as (`http/countAs.ts`). */
  readonly countedAs: string
  readonly since: number
  /** Set once it is known whose it is. */
  sessionId?: string
  userId?: string
  organizationId?: string
  /** Of the provider's staff. */
  isInternal?: boolean
  /** An external app: gets tokens that read scans only, and ends nothing but itself. */
  isLimited?: boolean
  /** When the token that it showed ends, in milliseconds since the epoch. */
  expires?: number
  /** The end of the newest token that it showed or was told of: it is told of later ones only. */
  knownExpiry?: number
  isAlive: boolean
  /** Frames in the current window, for the flood limit. */
  frames: number
  windowStart: number
}

/** For each message of clause 8.04 that ends a channel. */
export const sessionInvalid = 'Your session is invalid. Please open the application from the product again.'
export const sessionIdInvalid = 'Your session id is invalid. Please open the application from the product again.'

/** A channel that does not say whose it is has this long (P11). */
const authenticationTimeoutMs = 5000
const tickMs = 1000
/** Every page waits equally long before it comes back (9.08), so they are told one after the other: 2,000 a second. */
const spreadMsPerChannel = 0.5
const longestSpreadMs = 5000
/** A line that is dead does not answer a close; the server would wait for it before it stops. */
const farewellMs = 2000
/**
 * Tabs of one browser learn of a renewal from their shared storage and show the new token by themselves; a channel
 * that has not done so after this time is told.
 */
const tellAfterMs = 1000

export const send = ({ socket }: Channel, frame: ServerFrame): void => {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame))
}

export function refuse(channel: Channel, message: string): void {
  send(channel, { type: 'error', code: 400, message })
  channel.socket.close(closeCodes.refused, closeReasons.error)
}

export function endCleanly(channel: Channel): void {
  send(channel, { type: 'logout' })
  channel.socket.close(closeCodes.clean, closeReasons.logout)
}

interface Bound {
  readonly sessionId: string
  readonly userId: string
  readonly organizationId: string
  readonly isInternal?: boolean
}

interface Duties {
  /** Whether the channel's session still counts. */
  isValid(channel: Channel): Promise<boolean>
  /** The session was renewed elsewhere: an external app gets a token of its own. */
  renewed(channel: Channel): Promise<void>
}

/**
 * All channels of this process. One clock serves them, a share at every tick, so that ten thousand are not asked at
 * once.
 */
export class LiveHub {
  readonly #all = new Map<string, Channel>()
  readonly #bySession = new Map<string, Set<Channel>>()
  readonly #counts = new Map<string, number>()
  readonly #nameless = new Set<Channel>()
  readonly #duties: Duties
  readonly #roundSeconds: number
  readonly #timer: NodeJS.Timeout
  #round: Channel[] = []

  constructor(bus: Bus, roundSeconds: number, duties: Duties) {
    this.#duties = duties
    this.#roundSeconds = Math.max(1, roundSeconds)
    this.#timer = setInterval(() => this.#tick(), tickMs)
    this.#timer.unref()
    bus.subscribe((news) => this.#hear(news))
  }

  get size(): number {
    return this.#all.size
  }

  countChannels(countedAs: string): number {
    return this.#counts.get(countedAs) ?? 0
  }

  add(channel: Channel): void {
    this.#all.set(channel.id, channel)
    this.#nameless.add(channel)
    this.#counts.set(channel.countedAs, this.countChannels(channel.countedAs) + 1)
  }

  remove(channel: Channel): void {
    if (!this.#all.delete(channel.id)) return
    this.#nameless.delete(channel)
    const remaining = this.countChannels(channel.countedAs) - 1
    if (remaining > 0) this.#counts.set(channel.countedAs, remaining)
    else this.#counts.delete(channel.countedAs)
    if (channel.sessionId === undefined) return
    const channels = this.#bySession.get(channel.sessionId)
    channels?.delete(channel)
    if (channels?.size === 0) this.#bySession.delete(channel.sessionId)
  }

  /** Files the channel under its session. */
  bind(channel: Channel, { sessionId, userId, organizationId, isInternal = false }: Bound): void {
    Object.assign(channel, { sessionId, userId, organizationId, isInternal })
    // It may have closed while it was asked whose it is.
    if (!this.#all.has(channel.id)) return
    this.#nameless.delete(channel)
    const existingChannels = this.#bySession.get(sessionId)
    if (existingChannels) existingChannels.add(channel)
    else this.#bySession.set(sessionId, new Set([channel]))
  }

  /** Tells every page to come back: it finds a server that takes new work. */
  close(): void {
    clearInterval(this.#timer)
    const spreadMs = Math.min(longestSpreadMs, this.size * spreadMsPerChannel)
    for (const { socket } of this.#all.values())
      setTimeout(() => socket.close(closeCodes.restart, 'restart'), Math.random() * spreadMs)
    setTimeout(() => {
      for (const { socket } of this.#all.values()) socket.terminate()
    }, spreadMs + farewellMs).unref()
  }

  #tick(): void {
    const late = performance.now() - authenticationTimeoutMs
    for (const channel of this.#nameless)
      if (channel.since < late) channel.socket.close(closeCodes.tooMuch, 'not authenticated in time')
    if (this.#round.length === 0) this.#round = [...this.#all.values()]
    for (const channel of this.#round.splice(0, Math.ceil(this.#all.size / this.#roundSeconds)))
      void this.#check(channel).catch(() => undefined)
  }

  async #check(channel: Channel): Promise<void> {
    if (!this.#all.has(channel.id)) return
    if (!channel.isAlive) return channel.socket.terminate()
    channel.isAlive = false
    channel.socket.ping()
    if (channel.sessionId !== undefined && !(await this.#duties.isValid(channel))) refuse(channel, sessionInvalid)
  }

  #hear(news: News): void {
    if (news.kind === 'sessionsEnded') {
      const end = news.reason === 'logout' ? endCleanly : (channel: Channel) => refuse(channel, sessionInvalid)
      for (const sessionId of news.sessionIds) [...(this.#bySession.get(sessionId) ?? [])].forEach(end)
    }
    if (news.kind === 'passedOn') {
      for (const channel of this.#bySession.get(news.sessionId) ?? [])
        if (channel.id !== news.from) this.#passOn(channel, news)
    }
    if (news.kind === 'inboxChanged') {
      for (const channel of this.#all.values()) if (hasInbox(news, channel)) send(channel, { type: 'inbox' })
    }
    if (news.kind === 'viewersChanged') {
      for (const channel of this.#all.values()) if (isAbout(news, channel)) send(channel, { type: 'profile' })
    }
  }

  #passOn(channel: Channel, news: News & { kind: 'passedOn' }): void {
    if (news.frame !== 'renewToken') return send(channel, { type: news.frame })
    const expires = news.expires ?? (channel.knownExpiry ?? 0) + 1
    if (channel.isLimited) return this.#tellOfRenewal(channel, expires)
    setTimeout(() => this.#tellOfRenewal(channel, expires), tellAfterMs).unref()
  }

  // Once per renewal: pages of earlier versions renew whenever they are told, and their token is passed on again.
  #tellOfRenewal(channel: Channel, expires: number): void {
    if (!this.#all.has(channel.id) || (channel.knownExpiry ?? 0) >= expires) return
    channel.knownExpiry = expires
    if (channel.isLimited) void this.#duties.renewed(channel).catch(() => undefined)
    else send(channel, { type: 'renewToken' })
  }
}

/** A channel of an external app is nobody's page. */
function hasInbox({ userId, organizationId }: News & { kind: 'inboxChanged' }, channel: Channel): boolean {
  if (channel.isLimited || channel.sessionId === undefined) return false
  if (userId !== null) return channel.userId === userId
  return organizationId === null ? channel.isInternal === true : channel.organizationId === organizationId
}

const isAbout = (news: News & { kind: 'viewersChanged' }, { userId, organizationId }: Channel): boolean =>
  (userId !== undefined && (news.userIds?.includes(userId) ?? false)) ||
  (organizationId !== undefined && (news.organizationIds?.includes(organizationId) ?? false))
