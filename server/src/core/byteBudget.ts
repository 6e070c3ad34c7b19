import { Refusal } from './errors.ts'

/** Bytes that a piece of work has in memory. */
export interface Reservation {
  /** Counts what turned out to be needed beyond it; others are refused for it, this work goes on. */
  grow(bytes: number): void
  release(): void
}

/**
 * Bytes that responses have in memory, of the server and of each person. Beyond the budget the next one is refused at
 * once instead of being read for a memory that is not there (P18).
 */
export class ByteBudget {
  readonly #maxBytes: number
  readonly #maxBytesPerPerson: number
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0

  constructor(maxBytes: number, maxBytesPerPerson: number) {
    this.#maxBytes = maxBytes
    this.#maxBytesPerPerson = maxBytesPerPerson
  }

  /** What is reserved now. */
  get bytes(): number {
    return this.#bytes
  }

  /** Throws 503 with Retry-After when there is no room; somebody who has nothing under way always gets a turn. */
  reserve(person: string, bytes: number): Reservation {
    const ownBytes = this.#bytesOf.get(person) ?? 0
    if (ownBytes > 0 && ownBytes + bytes > this.#maxBytesPerPerson)
      throw tooMuch('You are already receiving as much as the server sends to one person at a time.')
    if (this.#bytes > 0 && this.#bytes + bytes > this.#maxBytes)
      throw tooMuch('The server is already sending as much as it can at a time.')
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
      },
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
