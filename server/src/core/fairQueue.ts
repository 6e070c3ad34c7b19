/** For whom a piece of work is done, and so whose turn it takes. */
export interface TurnOwner {
  readonly organizationId: string
  readonly userId: string
}

/**
 * How many pieces of work may wait. Where the last two are reached, an organization and a person still get an equal
 * part: nobody is kept out by what others have waiting.
 */
export interface QueueLimits {
  readonly perPerson: number
  readonly perOrganization: number
  readonly inAll: number
}

/** The limit that one more piece of work would break. */
export type FullQueue = keyof QueueLimits

/**
 * Work that waits, taken in turns: each organization after the other, and within it each person after the other. One
 * person who wants a thousand things delays another customer by one of them, not by a thousand.
 */
export class FairQueue<T> {
  readonly #limits: QueueLimits
  /** Organizations and their people stand in the order of their turns: who was served goes to the end. */
  readonly #organizations = new Map<string, Map<string, T[]>>()
  #size = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  /** The limit that keeps the item out; undefined when it waits now. */
  add({ organizationId, userId }: TurnOwner, item: T): FullQueue | undefined {
    const people = this.#organizations.get(organizationId) ?? new Map<string, T[]>()
    const own = people.get(userId) ?? []
    if (own.length >= this.#limits.perPerson) return 'perPerson'
    const ofOrganization = sum([...people.values()])
    const { perOrganization, inAll } = this.#limits
    if (isFull(ofOrganization, perOrganization, own.length, countSharers(people, userId))) return 'perOrganization'
    if (isFull(this.#size, inAll, ofOrganization, countSharers(this.#organizations, organizationId))) return 'inAll'
    own.push(item)
    people.set(userId, own)
    this.#organizations.set(organizationId, people)
    this.#size += 1
    return undefined
  }

  /** The next item in turn that may be taken now. */
  take(mayTake: (item: T, organizationId: string) => boolean): T | undefined {
    for (const [organizationId, people] of this.#organizations) {
      for (const [userId, [item]] of people) {
        if (item === undefined || !mayTake(item, organizationId)) continue
        this.#remove(organizationId, userId, item)
        this.#toEnd(organizationId, userId)
        return item
      }
    }
    return undefined
  }

  /** Takes out what need not wait any more, whoever's turn it is. */
  takeAll(isMatch: (item: T) => boolean): T[] {
    const taken: T[] = []
    for (const [organizationId, people] of this.#organizations) {
      for (const [userId, own] of people) {
        for (const item of own.filter(isMatch)) {
          this.#remove(organizationId, userId, item)
          taken.push(item)
        }
      }
    }
    return taken
  }

  #remove(organizationId: string, userId: string, item: T): void {
    const people = this.#organizations.get(organizationId)
    const rest = people?.get(userId)?.filter((other) => other !== item) ?? []
    this.#size -= 1
    if (rest.length > 0) people?.set(userId, rest)
    else people?.delete(userId)
    if (people?.size === 0) this.#organizations.delete(organizationId)
  }

  #toEnd(organizationId: string, userId: string): void {
    const people = this.#organizations.get(organizationId)
    const own = people?.get(userId)
    if (!people) return
    this.#organizations.delete(organizationId)
    this.#organizations.set(organizationId, people)
    if (!own) return
    people.delete(userId)
    people.set(userId, own)
  }
}

/** Beyond this times its limit nobody gets a place any more. */
const overdraft = 2

/** Up to an equal part everybody has a place also in a line that others filled. */
const isFull = (all: number, most: number, own: number, sharers: number): boolean =>
  all >= most * overdraft || (all >= most && own >= most / sharers)

const countSharers = (present: ReadonlyMap<string, unknown>, arriving: string): number =>
  present.has(arriving) ? present.size : present.size + 1

const sum = (lists: readonly (readonly unknown[])[]): number => lists.reduce((total, list) => total + list.length, 0)
