import { AsyncLocalStorage } from 'node:async_hooks'

interface Waiting<Item, Result> {
  readonly item: Item
  readonly inItsContext: ReturnType<typeof AsyncLocalStorage.snapshot>
  resolve(result: Result): void
  reject(cause: unknown): void
}

type Settled<Result> = readonly PromiseSettledResult<Result>[]

/**
 * What arrives while work under the same key runs waits for it, and is done together afterwards, in the order in which
 * it came. Nobody waits for others to arrive: who comes alone is served at once.
 */
export class JoinedWork<Item, Result> {
  readonly #most: number
  readonly #sizeOf: (item: Item) => number
  readonly #work: (items: readonly Item[]) => Promise<Settled<Result>>
  readonly #queues = new Map<string, Waiting<Item, Result>[]>()

  /** `work` settles each item by itself; where it throws, all of them fail. At most `most` by size go together. */
  constructor(
    most: number,
    sizeOf: (item: Item) => number,
    work: (items: readonly Item[]) => Promise<Settled<Result>>,
  ) {
    this.#most = most
    this.#sizeOf = sizeOf
    this.#work = work
  }

  add(key: string, item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const waiting = { item, inItsContext: AsyncLocalStorage.snapshot(), resolve, reject }
    const queue = this.#queues.get(key)
    if (queue) queue.push(waiting)
    else {
      this.#queues.set(key, [waiting])
      void this.#run(key)
    }
    return promise
  }

  async #run(key: string): Promise<void> {
    for (let queue = this.#queues.get(key); queue && queue.length > 0; queue = this.#queues.get(key)) {
      const together = this.#takeNext(queue)
      // At the turn of the first of them, not of whoever began long ago.
      await together[0]?.inItsContext(() => this.#settle(together))
    }
    this.#queues.delete(key)
  }

  #takeNext(queue: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    let size = 0
    const end = queue.findIndex(({ item }, index) => (size += this.#sizeOf(item)) > this.#most && index > 0)
    return queue.splice(0, end < 0 ? queue.length : end)
  }

  async #settle(together: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(together.map(({ item }) => item))
      together.forEach(({ resolve, reject }, index) => {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason)
      })
    } catch (cause) {
      for (const { reject } of together) reject(cause)
    }
  }
}
