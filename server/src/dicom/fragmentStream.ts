import type { ByteSource, Range } from './byteSource.ts'

const windowBytes = 2 ** 18

/** Compressed pixel data as one stream, without the heads of the fragments that it is cut into. */
export class FragmentStream {
  readonly size: number
  readonly #source: ByteSource
  readonly #fragments: readonly Range[]
  /** Where each fragment begins in the stream. */
  readonly starts: readonly number[]
  #window: Buffer = Buffer.alloc(0)
  #windowAt = 0

  constructor(source: ByteSource, fragments: readonly Range[]) {
    this.#source = source
    this.#fragments = fragments
    let size = 0
    this.starts = fragments.map(({ length }) => (size += length) - length)
    this.size = size
  }

  /** Returns fewer bytes only at the end. */
  async read(at: number, length: number): Promise<Buffer> {
    const end = Math.min(at + length, this.size)
    if (at >= end) return Buffer.alloc(0)
    if (at < this.#windowAt || end > this.#windowAt + this.#window.length) {
      this.#window = await this.#readPieces(at, Math.max(length, windowBytes))
      this.#windowAt = at
    }
    return this.#window.subarray(at - this.#windowAt, end - this.#windowAt)
  }

  async #readPieces(at: number, length: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for (const { offset, length: piece } of this.toRanges(at, Math.min(at + length, this.size)))
      pieces.push(await this.#source.read(offset, piece))
    return Buffer.concat(pieces)
  }

  async isFilledWith(start: number, end: number, fill: number): Promise<boolean> {
    for (let at = start; at < end; at += windowBytes)
      if ((await this.read(at, Math.min(windowBytes, end - at))).some((byte) => byte !== fill)) return false
    return true
  }

  /** Where in the object a stretch of the stream lies. */
  toRanges(start: number, end: number): Range[] {
    const ranges: Range[] = []
    for (let index = this.findFragment(start); index < this.#fragments.length; index += 1) {
      const [fragment, first = 0] = [this.#fragments[index], this.starts[index]]
      if (!fragment || first >= end) break
      const from = Math.max(start, first)
      const length = Math.min(end, first + fragment.length) - from
      if (length > 0) ranges.push({ offset: fragment.offset + from - first, length })
    }
    return ranges
  }

  /** Index of the last fragment that begins at or before a place. */
  findFragment(at: number): number {
    let [low, high] = [0, this.starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Where the fragment around a place ends. */
  findFragmentEnd(at: number): number {
    return this.starts[this.findFragment(at) + 1] ?? this.size
  }
}
