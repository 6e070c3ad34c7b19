import { setTimeout as wait } from 'node:timers/promises'

/** Leaves the line to others in some hours of the day. */
export interface Slower {
  readonly kilobytesPerSecond: number
  /** Times of this machine's clock, `07:30`; from later than to goes over midnight. */
  readonly from: string
  readonly to: string
}

const pieceSeconds = 2
const leastPieceBytes = 64 * 1024

export const clockTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** How fast files may travel at this moment. */
export class Pace {
  #slower: Slower | undefined
  #freeAt = 0
  readonly #now: () => Date

  constructor(slower?: Slower, now: () => Date = () => new Date()) {
    this.#slower = slower
    this.#now = now
  }

  get slower(): Slower | undefined {
    return this.#slower
  }

  set(slower: Slower | undefined): void {
    this.#slower = slower
    this.#freeAt = 0
  }

  /** Undefined: as fast as the line. */
  get bytesPerSecond(): number | undefined {
    if (this.#slower === undefined) return undefined
    const { kilobytesPerSecond, from, to } = this.#slower
    const now = this.#now()
    const time = `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`
    const isNow = from <= to ? time >= from && time < to : time >= from || time < to
    return isNow ? kilobytesPerSecond * 1000 : undefined
  }

  /** How much may travel in one request: what the line is lent for two seconds. */
  get pieceBytes(): number {
    const limit = this.bytesPerSecond
    return limit === undefined ? Number.POSITIVE_INFINITY : Math.max(leastPieceBytes, limit * pieceSeconds)
  }

  /** Waits until these bytes may travel. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    const limit = this.bytesPerSecond
    if (limit === undefined) return
    const now = this.#now().getTime()
    const waitMs = Math.max(0, this.#freeAt - now)
    this.#freeAt = Math.max(now, this.#freeAt) + (bytes / limit) * 1000
    if (waitMs > 0) await wait(waitMs, undefined, { signal }).catch(() => undefined)
  }
}
