import type { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'

export type OpenStretch = (start: number, end: number) => Readable

/** A directory has a million small records one behind the other: they are read in blocks. */
const blockBytes = 65_536

/** The bytes of an archive as the reader of zips asks for them, wherever a file says that they lie. */
export class ArchiveBytes extends RandomAccessReader {
  readonly #open: OpenStretch
  readonly #size: number
  #block = { start: 0, bytes: Buffer.alloc(0) }

  constructor(open: OpenStretch, size: number) {
    super()
    this.#open = open
    this.#size = size
  }

  override _readStreamForRange(start: number, end: number): Readable {
    this.#assertWithin(start, end)
    return this.#open(start, end)
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    void this.#answer(this.#copy(buffer, offset, length, position), callback)
  }

  async #answer(copying: Promise<void>, callback: (error: Error | null) => void): Promise<void> {
    let fault: Error | null = null
    try {
      await copying
    } catch (cause) {
      fault = cause as Error
    }
    // Out of the promise: what the reader throws in its callback is an exception like any other.
    setImmediate(callback, fault)
  }

  async #copy(buffer: Buffer, offset: number, length: number, position: number): Promise<void> {
    this.#assertWithin(position, position + length)
    let block = this.#block
    if (position < block.start || position + length > block.start + block.bytes.length) {
      const end = Math.min(this.#size, position + Math.max(blockBytes, length))
      block = { start: position, bytes: Buffer.concat(await this.#open(position, end).toArray()) }
      this.#block = block
    }
    const at = position - block.start
    if (block.bytes.copy(buffer, offset, at, at + length) !== length)
      throw new Error('The file is shorter than it was.')
  }

  #assertWithin(start: number, end: number): void {
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start || end > this.#size)
      throw new RangeError('It leads behind the end of the file.')
  }
}
