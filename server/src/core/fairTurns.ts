import { BoundedMap } from './BoundedMap.ts'
import { Refusal } from './errors.ts'

/** Who a piece of work is for. */
export interface Turn {
  /** The organization: what its people have under way counts together. */
  readonly customer: string
  readonly person: string
}

export interface TurnLimits {
  readonly atOnce: number
  readonly perCustomer: number
  readonly perPerson: number
  readonly waitingPerPerson: number
}

/** This person already has so much waiting that more would only take memory. */
export class TooManyWaiting extends Refusal {
  constructor() {
    super(503, 'NOT_READY', 'Too many of your requests are waiting already. Please try again.', undefined, 5)
  }
}

interface Waiting {
  readonly turn: Turn
  readonly go: () => void
}

/**
 * Lets a few pieces of work run at once and the customer go first who was served longest ago, then the person, so that
 * nobody waits behind all that somebody else has asked for (P18).
 */
export class FairTurns {
  readonly #limits: TurnLimits
  readonly #running = new Map<string, number>()
  readonly #servedAt = new BoundedMap<string, number>(10_000)
  readonly #waiting: Waiting[] = []
  readonly #waitingOf = new Map<string, number>()
  #runningCount = 0
  #served = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await this.#begin(turn)
    try {
      return await work()
    } finally {
      this.#count(this.#running, customerKey(turn), -1)
      this.#count(this.#running, personKey(turn), -1)
      this.#runningCount -= 1
      this.#next()
    }
  }

  async #begin(turn: Turn): Promise<void> {
    const key = personKey(turn)
    if ((this.#waitingOf.get(key) ?? 0) >= this.#limits.waitingPerPerson) throw new TooManyWaiting()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ turn, go: resolve })
    this.#count(this.#waitingOf, key, 1)
    this.#next()
    await promise
  }

  #next(): void {
    for (let next = this.#findNext(); next !== undefined; next = this.#findNext()) {
      const { turn, go } = next
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#count(this.#waitingOf, personKey(turn), -1)
      this.#served += 1
      for (const key of [customerKey(turn), personKey(turn)]) {
        this.#servedAt.set(key, this.#served)
        this.#count(this.#running, key, 1)
      }
      this.#runningCount += 1
      go()
    }
  }

  #findNext(): Waiting | undefined {
    if (this.#runningCount >= this.#limits.atOnce) return undefined
    let best: Waiting | undefined
    for (const candidate of this.#waiting) {
      if (!this.#mayRun(candidate.turn)) continue
      if (best === undefined || this.#isBefore(candidate.turn, best.turn)) best = candidate
    }
    return best
  }

  #mayRun(turn: Turn): boolean {
    return (
      (this.#running.get(customerKey(turn)) ?? 0) < this.#limits.perCustomer &&
      (this.#running.get(personKey(turn)) ?? 0) < this.#limits.perPerson
    )
  }

  /** Of equals, the one that came first stays first. */
  #isBefore(a: Turn, b: Turn): boolean {
    const at = (key: string): number => this.#servedAt.get(key) ?? 0
    const byCustomer = at(customerKey(a)) - at(customerKey(b))
    return byCustomer === 0 ? at(personKey(a)) < at(personKey(b)) : byCustomer < 0
  }

  #count(counts: Map<string, number>, key: string, by: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + by
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
}

const customerKey = ({ customer }: Turn): string => `customer ${customer}`
const personKey = ({ customer, person }: Turn): string => `person ${customer} ${person}`
