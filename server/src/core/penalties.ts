import { toAddressKey } from './addressKey.ts'
import { BoundedMap } from './BoundedMap.ts'
import { tooManyRequests } from './errors.ts'
import type { TurnOwner } from './fairQueue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Judges the request once, as soon as it is known whose it is. Throws 429. */
    admit?: (owner: TurnOwner) => Promise<void>
    /** The answer is a refusal that the caller alone brought about. */
    isOwnDoing?: boolean
  }
}

/** What the server lost by a request. */
export const penaltyPoints = {
  /** Refused because the caller already has, or asks for, too much. */
  refused: 1,
  /** An upload that broke off: its bytes were received, hashed and written for nothing. */
  brokenOff: 5,
  /** An object that was refused only after it had been walked in a thread, or a long one; a picture drawn in vain. */
  uselessReading: 5,
} as const

/** A bad line breaks a dozen uploads in a row before anybody waits, and one in some seconds for ever. */
const limits = {
  person: { points: 60, perSecond: 2 },
  /** Of all people of an organization or behind an address together. */
  shared: { points: 240, perSecond: 8 },
} as const
/** Colleagues of a person who floods the server wait only when they do so as well. */
const ownShare = 1 / 4
const defaultPauseMs = 1000
/** Refusals that are held back at a time; beyond, they go out at once. */
const maxHeld = 1024
/** People, organizations and addresses with points, and secrets whose owners are known. */
const maxEntries = 20_000

interface Points {
  readonly points: number
  readonly since: number
}

/**
 * Whoever goes on with requests that break off or are refused waits (P18). Judged by what the request carries, before
 * anything is looked up, parsed or read for it, so that a refusal costs nearly nothing; and the refusal is held back a
 * moment, so that a caller who waits for it comes back more slowly. Kept in memory: each server guards itself.
 */
export class Penalties {
  readonly #factor: number
  readonly #pauseMs: number
  readonly #owners = new BoundedMap<string, TurnOwner>(maxEntries)
  readonly #points = new BoundedMap<string, Points>(maxEntries)
  /** Uploads under way, by person. */
  readonly #uploads = new Map<string, number>()
  #held = 0

  /** `factor`: of all rate limits. */
  constructor(factor: number, pauseMs: number = defaultPauseMs) {
    this.#factor = factor
    this.#pauseMs = pauseMs
  }

  /** The token or cookie was judged and belongs to this person. */
  remember(secret: string, owner: TurnOwner): void {
    this.#owners.set(secret, owner)
  }

  /** Whose secret it was when it was judged last. No proof of anything: only good enough to refuse. */
  findOwner(secret: string | undefined): TurnOwner | undefined {
    return secret === undefined ? undefined : this.#owners.get(secret)
  }

  /** An upload begins; the function that is returned ends it. */
  beginUpload({ userId }: TurnOwner): () => void {
    this.#uploads.set(userId, (this.#uploads.get(userId) ?? 0) + 1)
    return () => {
      const others = (this.#uploads.get(userId) ?? 1) - 1
      if (others > 0) this.#uploads.set(userId, others)
      else this.#uploads.delete(userId)
    }
  }

  charge({ userId, organizationId }: TurnOwner, address: string, points: number): void {
    this.#add(`person ${userId}`, points, limits.person.perSecond)
    for (const key of sharedKeys(organizationId, address)) this.#add(key, points, limits.shared.perSecond)
  }

  /** Throws 429 with Retry-After, after a moment, to somebody with too many points. */
  async admit(owner: TurnOwner, address: string, isUpload: boolean): Promise<void> {
    const waitSeconds = this.#findWait(owner, address, isUpload)
    if (waitSeconds === 0) return
    if (this.#held < maxHeld) {
      this.#held += 1
      await new Promise((over) => setTimeout(over, this.#pauseMs))
      this.#held -= 1
    }
    throw tooManyRequests(waitSeconds, 'Too many of your requests were refused or broke off.')
  }

  #findWait({ userId, organizationId }: TurnOwner, address: string, isUpload: boolean): number {
    const { person, shared } = limits
    const most = person.points * this.#factor
    const own = this.#find(`person ${userId}`, person.perSecond)
    if (own <= most * ownShare) return 0
    // Somebody whose uploads break off has no more under way than may break off as well.
    const pending = isUpload ? (this.#uploads.get(userId) ?? 0) * penaltyPoints.brokenOff : 0
    const waits = [(own + pending - most) / person.perSecond]
    for (const key of sharedKeys(organizationId, address))
      waits.push((this.#find(key, shared.perSecond) - shared.points * this.#factor) / shared.perSecond)
    return Math.max(0, ...waits)
  }

  #find(key: string, perSecond: number): number {
    const known = this.#points.get(key)
    return known ? Math.max(0, known.points - ((performance.now() - known.since) / 1000) * perSecond) : 0
  }

  #add(key: string, points: number, perSecond: number): void {
    this.#points.set(key, { points: this.#find(key, perSecond) + points, since: performance.now() })
  }
}

const sharedKeys = (organizationId: string, address: string): readonly string[] => [
  `organization ${organizationId}`,
  `address ${toAddressKey(address)}`,
]
