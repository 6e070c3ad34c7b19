import { Refusal } from './errors.ts'

/** Bytes that a piece of work has in memory. */
export interface Reservation {
  /** Counts what turned out to be needed beyond it; others are refused for it, this work goes on. */
  grow(bytes: number): void
  release(): void
}

interface Waiter {
  readonly person: string
  readonly bytes: number
  readonly grant: (reservation: Reservation) => void
}

/** So long a reader waits for room: viewers ask for many small things at once, and each is soon done. */
const defaultWaitMs = 5000
const waitingPerPerson = 128

/**
 * Bytes that responses have in memory, of the server and of each person. Beyond the budget the next one waits a
 * moment, and is refused then, instead of being read for a memory that is not there (P18).
 */
export class ByteBudget {
  readonly #maxBytes: number
  readonly #maxBytesPerPerson: number
  readonly #waitMs: number
  readonly #bytesOf = new Map<string, number>()
  /** In the order of their arrival. At most `waitingPerPerson` are of one person. */
  readonly #waiting = new Set<Waiter>()
  #bytes = 0

  constructor(maxBytes: number, maxBytesPerPerson: number, waitMs: number = defaultWaitMs) {
    this.#maxBytes = maxBytes
    this.#maxBytesPerPerson = maxBytesPerPerson
    this.#waitMs = waitMs
  }

  /** What is reserved now. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Waits for room, and throws 503 with Retry-After when there is none in time. Somebody who has nothing under way
   * always gets a turn.
   */
  async reserve(person: string, bytes: number): Promise<Reservation> {
    const refusal = this.#findRefusal(person, bytes)
    if (!refusal) return this.#take(person, bytes)
    const ownWaiters = [...this.#waiting].filter((waiter) => waiter.person === person)
    if (ownWaiters.length >= waitingPerPerson) throw refusal
    return new Promise((grant, refuse) => {
      const waiter: Waiter = {
        person,
        bytes,
        grant: (reservation) => {
          clearTimeout(timer)
          grant(reservation)
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter)
        refuse(refusal)
      }, this.#waitMs)
      timer.unref()
      this.#waiting.add(waiter)
    })
  }

  #findRefusal(person: string, bytes: number): Refusal | undefined {
    const ownBytes = this.#bytesOf.get(person) ?? 0
    if (ownBytes > 0 && ownBytes + bytes > this.#maxBytesPerPerson)
      return tooMuch('You are already receiving as much as the server sends to one person at a time.')
    if (this.#bytes > 0 && this.#bytes + bytes > this.#maxBytes)
      return tooMuch('The server is already sending as much as it can at a time.')
    return undefined
  }

  #take(person: string, bytes: number): Reservation {
    let reservedBytes = 0
    const grow = (more: number): void => {
      reservedBytes += more
      this.#count(person, more)
    }
    grow(bytes)
    return {
      grow,
      release: () => {
        this.#count(person, -reservedBytes)
        reservedBytes = 0
        this.#admit()
      },
    }
  }

  #admit(): void {
    for (const waiter of this.#waiting) {
      if (this.#findRefusal(waiter.person, waiter.bytes)) continue
      this.#waiting.delete(waiter)
      waiter.grant(this.#take(waiter.person, waiter.bytes))
    }
  }

  #count(person: string, bytes: number): void {
    this.#bytes += bytes
    const ownBytes = (this.#bytesOf.get(person) ?? 0) + bytes
    if (ownBytes > 0) this.#bytesOf.set(person, ownBytes)
    else this.#bytesOf.delete(person)
  }
}

const tooMuch = (sentence: string): Refusal =>
  new Refusal(503, 'NOT_READY', `${sentence} Please try again in a moment.`, undefined, 2)
