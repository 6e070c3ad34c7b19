import { Busy } from './errors.ts'
import { FairQueue, type FullQueue } from './fairQueue.ts'

/** Who a piece of work is for. */
export interface Turn {
  /** The organization: what its people have under way counts together. */
  readonly customer: string
  readonly person: string
}

/** Strangers with a link of the organization: a customer beside it, so that they keep none of its people waiting. */
export const visitorsOf = (organizationId: string): string => `visitors of ${organizationId}`

export interface TurnLimits {
  readonly atOnce: number
  readonly perCustomer: number
  readonly perPerson: number
  /** Of a person while others have work under way, or had within the last second; `perPerson` where left out. */
  readonly perPersonBesideOthers?: number
  readonly waitingPerPerson: number
  /** For work that holds much memory while it waits. */
  readonly waitingPerCustomer?: number
  readonly waitingInAll?: number
}

const sentences: Readonly<Record<FullQueue, string>> = {
  perPerson: 'Too many of your requests are waiting already.',
  perOrganization: 'Too many requests of your organization are waiting already.',
  inAll: 'Too many requests are waiting already.',
}

/** So much waits already that more would only take memory. */
export class TooManyWaiting extends Busy {
  constructor(full: FullQueue) {
    super(`${sentences[full]} Please try again in a few seconds.`, 5, full === 'perPerson')
  }
}

/** Does something that waits for other turns; others go on meanwhile, and the work waits for its own turn again. */
export type StepAside = <T>(work: () => Promise<T>) => Promise<T>

/** So long somebody counts as present whose work is done: the next step of a person follows the last one. */
const presentMs = 1000

interface Began {
  readonly person: string
  readonly at: number
}

interface Waiting {
  readonly turn: Turn
  readonly go: () => void
}

/**
 * Lets a few pieces of work run at once, of which one customer and one person have no more than their share, and takes
 * those that wait in fair turns (P18).
 */
export class FairTurns {
  readonly #limits: TurnLimits
  readonly #queue: FairQueue<Waiting>
  readonly #running = new Map<string, number>()
  /** The two people whose work began last. */
  #latest: Began = { person: '', at: -Infinity }
  #latestOther: Began = { person: '', at: -Infinity }
  #runningCount = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
    const { waitingPerPerson, waitingPerCustomer = Infinity, waitingInAll = Infinity } = limits
    this.#queue = new FairQueue({
      perPerson: waitingPerPerson,
      perOrganization: waitingPerCustomer,
      inAll: waitingInAll,
    })
  }

  async run<T>(turn: Turn, work: (stepAside: StepAside) => Promise<T>): Promise<T> {
    let end = await this.begin(turn)
    let isOver = false
    const stepAside: StepAside = async (other) => {
      end()
      end = () => {}
      try {
        return await other()
      } finally {
        const endAgain = await this.begin(turn)
        // The work may have failed elsewhere in the meantime.
        if (isOver) endAgain()
        else end = endAgain
      }
    }
    try {
      return await work(stepAside)
    } finally {
      isOver = true
      end()
    }
  }

  /** For work that begins and ends in different places: the function that is returned ends it. */
  async begin(turn: Turn): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const owner = { organizationId: turn.customer, userId: turn.person }
    const full = this.#queue.add(owner, { turn, go: resolve })
    if (full) throw new TooManyWaiting(full)
    this.#next()
    await promise
    return () => {
      this.#count(this.#running, customerKey(turn), -1)
      this.#count(this.#running, personKey(turn), -1)
      this.#runningCount -= 1
      this.#next()
    }
  }

  /** For those who watch the server. */
  get counts(): { readonly running: number; readonly waiting: number } {
    return { running: this.#runningCount, waiting: this.#queue.size }
  }

  #next(): void {
    while (this.#runningCount < this.#limits.atOnce) {
      const next = this.#queue.take(({ turn }) => this.#mayRun(turn))
      if (!next) return
      this.#count(this.#running, customerKey(next.turn), 1)
      this.#count(this.#running, personKey(next.turn), 1)
      this.#runningCount += 1
      this.#remember(personKey(next.turn))
      next.go()
    }
  }

  #mayRun(turn: Turn): boolean {
    const person = personKey(turn)
    const own = this.#running.get(person) ?? 0
    const { perCustomer, perPerson, perPersonBesideOthers = perPerson } = this.#limits
    if (own >= perPerson || (this.#running.get(customerKey(turn)) ?? 0) >= perCustomer) return false
    return own < perPersonBesideOthers || !this.#hasOthers(person, own)
  }

  #hasOthers(person: string, own: number): boolean {
    if (this.#runningCount > own) return true
    const { at } = this.#latest.person === person ? this.#latestOther : this.#latest
    return performance.now() - at < presentMs
  }

  #remember(person: string): void {
    if (this.#latest.person !== person) this.#latestOther = this.#latest
    this.#latest = { person, at: performance.now() }
  }

  #count(counts: Map<string, number>, key: string, by: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + by
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
}

const customerKey = ({ customer }: Turn): string => `customer ${customer}`
const personKey = ({ customer, person }: Turn): string => `person ${customer} ${person}`
