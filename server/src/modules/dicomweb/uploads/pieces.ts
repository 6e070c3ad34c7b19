/** At most so much lies on the disk of a server and is lost with it; the sender was not told that it had arrived. */
const pieceBytes = 8 * 2 ** 20
/** On a slow line so much time at most. */
const pieceMs = 5000

type Arrival = { readonly bytes: Uint8Array } | { readonly fault: unknown } | 'end'
const late = Symbol('late')

/** Cuts what arrives into pieces to be stored, and keeps what arrived before a line broke. */
export class Pieces {
  readonly #source: AsyncIterator<Uint8Array>
  #next: Promise<Arrival> | undefined
  #end: { readonly fault?: unknown } | undefined

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Waits for the next byte; false when there is none. */
  async hasMore(): Promise<boolean> {
    if (this.#end) return false
    const arrival = await this.#peek()
    return arrival !== 'end' && 'bytes' in arrival
  }

  /** What broke the line, once it has ended. */
  async assertWhole(): Promise<void> {
    const arrival = this.#end ?? (await this.#peek())
    if (arrival !== 'end' && 'fault' in arrival) throw arrival.fault
  }

  /** One piece: `before`, and what arrives. */
  async *take(before: Uint8Array): AsyncGenerator<Uint8Array> {
    if (before.length > 0) yield before
    let bytes = before.length
    const timeout = Promise.withResolvers<typeof late>()
    const timer = setTimeout(() => timeout.resolve(late), pieceMs)
    try {
      while (bytes < pieceBytes) {
        const arrival = await Promise.race([this.#peek(), timeout.promise])
        if (arrival === late) return
        if (arrival === 'end' || 'fault' in arrival) {
          this.#end = arrival === 'end' ? {} : arrival
          return
        }
        this.#next = undefined
        bytes += arrival.bytes.length
        yield arrival.bytes
      }
    } finally {
      clearTimeout(timer)
    }
  }

  #peek(): Promise<Arrival> {
    this.#next ??= this.#source.next().then(
      ({ done, value }): Arrival => (done === true ? 'end' : { bytes: value }),
      (fault: unknown): Arrival => ({ fault }),
    )
    return this.#next
  }
}
