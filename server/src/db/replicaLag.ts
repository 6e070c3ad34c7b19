/** Looks that are remembered: one a second. */
const mostSamples = 120

/** Such as `16/B374D848`: how far the log of changes has come. A number is exact up to nine petabytes. */
export const parsePosition = (text: string): number => {
  const [high = '', low = ''] = text.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

/**
 * By how much a replica is behind, by one clock: when the server that takes writes had come as far as the replica has
 * by now. The time of the last change that a replica has says nothing while nobody writes.
 */
export class ReplicaLag {
  readonly #samples: { readonly position: number; readonly ms: number }[] = []

  add(position: number, ms: number): void {
    this.#samples.push({ position, ms })
    if (this.#samples.length > mostSamples) this.#samples.shift()
  }

  /** In milliseconds; Infinity where it is behind everything that is remembered. */
  of(position: number, nowMs: number): number {
    const newest = this.#samples.at(-1)
    if (newest !== undefined && newest.position <= position) return 0
    const passed = this.#samples.findLast((sample) => sample.position <= position)
    return passed ? nowMs - passed.ms : Infinity
  }
}
