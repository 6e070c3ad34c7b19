import type { Bus, News } from './bus.ts'

/** More wait at once only if somebody makes them; these are then answered at once, and ask again. */
const mostWaiting = 10_000

interface Waiting {
  readonly isAbout: (news: News) => boolean
  readonly end: () => void
}

/** Readers whose request stays open until there is news for them. */
export class NewsWaits {
  readonly #waiting = new Set<Waiting>()
  #isClosed = false

  constructor(bus: Pick<Bus, 'subscribe'>) {
    bus.subscribe((news) => {
      for (const { isAbout, end } of this.#waiting) if (news.kind === 'missed' || isAbout(news)) end()
    })
  }

  /**
   * Begins to listen before it returns: what is read afterwards is no older than the news. `ended` resolves at the
   * first news that it is about, after `ms`, or when the server closes; `stop` ends it for a reader who left.
   */
  begin(isAbout: (news: News) => boolean, ms: number): { readonly ended: Promise<void>; stop(): void } {
    if (this.#isClosed || this.#waiting.size >= mostWaiting) return { ended: Promise.resolve(), stop: () => undefined }
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const stop = (): void => {
      clearTimeout(timer)
      this.#waiting.delete(waiting)
      resolve()
    }
    const timer = setTimeout(stop, ms)
    const waiting: Waiting = { isAbout, end: stop }
    this.#waiting.add(waiting)
    return { ended, stop }
  }

  close(): void {
    this.#isClosed = true
    for (const { end } of this.#waiting) end()
  }
}
