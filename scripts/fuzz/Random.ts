import { createHash } from 'node:crypto'

/** Chance that a seed repeats: the same words give the same numbers on every machine. */
export class Random {
  #state: number

  constructor(...seed: readonly (string | number)[]) {
    this.#state = createHash('sha256').update(seed.join(':')).digest().readUInt32LE()
  }

  /** 0 ≤ n < 1; mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** 0 ≤ n < end. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0]
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)))
  }

  uuid(): string {
    const hex = this.bytes(16).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}
