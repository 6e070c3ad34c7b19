/**
 * A map of bounded size: when it is full, the entry that was set longest ago goes. Setting a key again makes it the
 * newest entry; reading it does not.
 *
 * @example
 * const viewers = new BoundedMap<string, Viewer>(10_000)
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#maxEntries) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  /** From the oldest to the newest; entries may be deleted on the way. */
  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#entries[Symbol.iterator]()
  }
}
