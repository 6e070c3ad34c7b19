import type { Bus } from './bus.ts'

/**
 * How often scans of an organization were deleted, as far as this process has heard. Whoever hands out one object after
 * the other has read ahead what is next: it reads anew when the number is another one. The bytes of what was deleted
 * lie in the bin for weeks, so that nothing else would stop it.
 */
export class Deletions {
  readonly #counts = new Map<string, number>()
  #missed = 0

  constructor(bus: Pick<Bus, 'subscribe'>) {
    bus.subscribe((news) => {
      if (news.kind === 'missed') this.#missed += 1
      if (news.kind !== 'scansChanged') return
      this.#counts.set(news.organizationId, (this.#counts.get(news.organizationId) ?? 0) + 1)
    })
  }

  countOf(organizationId: string): number {
    return this.#missed + (this.#counts.get(organizationId) ?? 0)
  }
}
