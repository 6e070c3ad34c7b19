import type { Bus, News } from './bus.ts'

/** More wait at once only if somebody makes them; these are then answered at once, and ask again. */
const mostWaiting = 10_000

/** Readers who wait for the same thing or from the same place, and how many of them may. */
export interface WaitingGroup {
  readonly key: string
  readonly most: number
}

interface Waiting {
  readonly isAbout: (news: News) => boolean
  readonly end: () => void
}

/** Readers whose request stays open until there is news for them. */
export class NewsWaits {
  readonly #waiting = new Set<Waiting>()
  /** In the order of their arrival. */
  readonly #groups = new Map<string, Set<Waiting>>()
  #isClosed = false

  constructor(bus: Pick<Bus, 'subscribe'>) {
    bus.subscribe((news) => {
      for (const { isAbout, end } of this.#waiting) if (news.kind === 'missed' || isAbout(news)) end()
    })
  }

  /**
   * Begins to listen before it returns: what is read afterwards is no older than the news. `ended` resolves at the
   * first news that it is about, after `ms`, or when the server closes; `stop` ends it for a reader who left. In a full
   * group the one that has waited longest is answered, so that nobody takes the place of other groups.
   */
  begin(
    isAbout: (news: News) => boolean,
    ms: number,
    groups: readonly WaitingGroup[] = [],
  ): { readonly ended: Promise<void>; stop(): void } {
    for (const { key, most } of groups) {
      const group = this.#groups.get(key)
      if (group && group.size >= most) group.values().next().value?.end()
    }
    if (this.#isClosed || this.#waiting.size >= mostWaiting) return { ended: Promise.resolve(), stop: () => undefined }
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const stop = (): void => {
      clearTimeout(timer)
      this.#waiting.delete(waiting)
      for (const { key } of groups) this.#leave(key, waiting)
      resolve()
    }
    const timer = setTimeout(stop, ms)
    const waiting: Waiting = { isAbout, end: stop }
    this.#waiting.add(waiting)
    for (const { key } of groups) this.#groups.set(key, (this.#groups.get(key) ?? new Set()).add(waiting))
    return { ended, stop }
  }

  /** Whether one more would take the place of another. */
  isFull({ key, most }: WaitingGroup): boolean {
    return (this.#groups.get(key)?.size ?? 0) >= most
  }

  close(): void {
    this.#isClosed = true
    for (const { end } of this.#waiting) end()
  }

  #leave(key: string, waiting: Waiting): void {
    const group = this.#groups.get(key)
    group?.delete(waiting)
    if (group?.size === 0) this.#groups.delete(key)
  }
}
