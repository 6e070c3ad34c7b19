/** A map with an upper size: when it is full, a new key displaces the oldest. */
export class BoundedMap<K, V> {
  readonly #maxSize: number
  readonly #entries = new Map<K, V>()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  /** Sets the value and makes the key the newest. */
  set(key: K, value: V): void {
    this.#entries.delete(key)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#maxSize) break
      this.#entries.delete(oldest)
    }
    this.#entries.set(key, value)
  }
}
