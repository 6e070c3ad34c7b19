import { Busy } from './errors.ts'
import type { Turn } from './fairTurns.ts'

/** Bytes that a piece of work has in memory. */
export interface Reservation {
  /**
   * Holds so many bytes from now on. For more it first gives back what it holds, so that those who wait for each other
   * never stand still, and then waits as `reserve` does, with the same refusal.
   */
  resize(bytes: number): Promise<void>
  release(): void
}

interface Waiter {
  readonly turn: Turn
  readonly bytes: number
  readonly grant: () => void
}

/** So long a reader waits for room: viewers ask for many small things at once, and each is soon done. */
const defaultWaitMs = 5000
const waitingPerPerson = 128
/** Of the budget of the server. */
const customerShare = 1 / 2
/** Beyond a full budget there is so much more for those who have nothing under way. */
const overdraft = { customer: 1.25, person: 1.125 }

/**
 * Bytes that responses have in memory, of the server, of each organization and of each person. Beyond the budget the
 * next one waits a moment, and is refused then, instead of being read for a memory that is not there (P18).
 */
export class ByteBudget {
  readonly #maxBytes: number
  readonly #maxBytesPerPerson: number
  readonly #waitMs: number
  readonly #bytesOfCustomer = new Map<string, number>()
  readonly #bytesOfPerson = new Map<string, number>()
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
   * Waits for room, and throws 503 with Retry-After when there is none in time. Somebody who has nothing under way gets
   * a turn also when others have taken the whole budget, and so does the first of an organization.
   */
  async reserve(turn: Turn, bytes: number): Promise<Reservation> {
    await this.#take(turn, bytes)
    let heldBytes = bytes
    let isReleased = false
    const giveBack = (givenBytes: number): void => {
      heldBytes -= givenBytes
      this.#count(turn, -givenBytes)
      this.#admit()
    }
    return {
      resize: async (newBytes) => {
        if (newBytes <= heldBytes) return giveBack(heldBytes - newBytes)
        giveBack(heldBytes)
        await this.#take(turn, newBytes)
        heldBytes = newBytes
        // The receiver left meanwhile.
        if (isReleased) giveBack(heldBytes)
      },
      release: () => {
        isReleased = true
        giveBack(heldBytes)
      },
    }
  }

  async #take(turn: Turn, bytes: number): Promise<void> {
    const refusal = this.#findRefusal(turn, bytes)
    if (!refusal) return this.#count(turn, bytes)
    const ownWaiters = [...this.#waiting].filter((waiter) => waiter.turn.person === turn.person)
    if (ownWaiters.length >= waitingPerPerson) throw refusal
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.#waiting.delete(waiter)
      reject(refusal)
    }, this.#waitMs)
    timer.unref()
    const waiter: Waiter = {
      turn,
      bytes,
      grant: () => {
        clearTimeout(timer)
        this.#waiting.delete(waiter)
        this.#count(turn, bytes)
        resolve()
      },
    }
    this.#waiting.add(waiter)
    return promise
  }

  #findRefusal(turn: Turn, bytes: number): Busy | undefined {
    const customerBytes = this.#bytesOfCustomer.get(turn.customer) ?? 0
    const personBytes = this.#bytesOfPerson.get(turn.person) ?? 0
    const factor = customerBytes === 0 ? overdraft.customer : personBytes === 0 ? overdraft.person : 1
    if (personBytes > 0 && personBytes + bytes > this.#maxBytesPerPerson)
      return tooMuch('You are already receiving as much as the server sends to one person at a time.', true)
    if (customerBytes > 0 && customerBytes + bytes > this.#maxBytes * customerShare * factor)
      return tooMuch('Your organization is already receiving as much as the server sends to one at a time.')
    if (this.#bytes > 0 && this.#bytes + bytes > this.#maxBytes * factor)
      return tooMuch('The server is already sending as much as it can at a time.')
    return undefined
  }

  /** Those who have the least under way come first: organizations, then people, then the order of arrival. */
  #admit(): void {
    for (;;) {
      let next: Waiter | undefined
      for (const waiter of this.#waiting)
        if (!this.#findRefusal(waiter.turn, waiter.bytes) && (!next || this.#hasLess(waiter.turn, next.turn)))
          next = waiter
      if (!next) return
      next.grant()
    }
  }

  #hasLess(one: Turn, other: Turn): boolean {
    const ofCustomers =
      (this.#bytesOfCustomer.get(one.customer) ?? 0) - (this.#bytesOfCustomer.get(other.customer) ?? 0)
    const ofPeople = (this.#bytesOfPerson.get(one.person) ?? 0) - (this.#bytesOfPerson.get(other.person) ?? 0)
    return ofCustomers < 0 || (ofCustomers === 0 && ofPeople < 0)
  }

  #count({ customer, person }: Turn, bytes: number): void {
    this.#bytes += bytes
    addTo(this.#bytesOfCustomer, customer, bytes)
    addTo(this.#bytesOfPerson, person, bytes)
  }
}

function addTo(counts: Map<string, number>, key: string, bytes: number): void {
  const sum = (counts.get(key) ?? 0) + bytes
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}

const tooMuch = (sentence: string, isOwnDoing = false): Busy =>
  new Busy(`${sentence} Please try again in a moment.`, 2, isOwnDoing)
