import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { assertPortableNames } from './portableNames.ts'
import { directoryRecord, endRecords, fileEnd, fileHead, type Directory, type Place } from './zipRecords.ts'

/** A file of a zip: its bytes, or a stream of `size` bytes that is opened when its turn comes. */
export type ZipEntry =
  | { readonly name: string; readonly bytes: Buffer }
  | { readonly name: string; readonly size: number; readonly read: () => Promise<Readable> }

/** A zip that can be sent from any offset: the same entries make the same bytes. */
export interface Zip {
  readonly size: number
  /** Bytes from `start` to the end. */
  open(start: number): Readable
}

/** What is so small is read while what stands before it is sent: a disk is asked and waited for otherwise. */
const aheadBytes = 2 ** 18
const filesAhead = 3

/**
 * Prepares a zip whose size is known before any entry is read. Entries are stored as they are and read one after the
 * other, never held but for a few small ones.
 */
export async function createZip(entries: readonly ZipEntry[]): Promise<Zip> {
  assertPortableNames(entries.map(({ name }) => name))
  const directory = layOut(entries)
  return {
    size: directory.offset + directory.size + endRecords(directory).length,
    open(start) {
      const reading = new Reading(entries)
      const pieces = skipBytes(writeZip(reading, directory), start)
      // Objects are closed at the end, and where the receiver leaves or one of them cannot be read.
      return Readable.from(pieces, { objectMode: false }).on('close', () => reading.close())
    },
  }
}

function layOut(entries: readonly ZipEntry[]): Directory {
  const places: Place[] = []
  let offset = 0
  for (const entry of entries) {
    const [size, checksum] = 'bytes' in entry ? [entry.bytes.length, crc32(entry.bytes)] : [entry.size, undefined]
    const place = { name: entry.name, size, checksum, offset }
    places.push(place)
    offset += fileHead(place).length + size + fileEnd(place, 0).length
  }
  // Records are as long as they will be, whatever the checksums are.
  return { places, offset, size: places.reduce((sum, place) => sum + directoryRecord(place, 0).length, 0) }
}

async function* writeZip(reading: Reading, directory: Directory): AsyncGenerator<Buffer> {
  const { places } = directory
  const checksums: number[] = []
  /** Goes out together with what follows: pieces of a few bytes cost as much as whole objects. */
  let before: Buffer = Buffer.alloc(0)
  for (const [index, place] of places.entries()) {
    yield Buffer.concat([before, fileHead(place)])
    let checksum = 0
    let left = place.size
    for await (const bytes of await reading.take(index)) {
      left -= bytes.length
      if (left < 0) break
      checksum = crc32(bytes, checksum)
      yield bytes
    }
    if (left !== 0) throw new RangeError('An object is not as long as its row says.')
    checksums.push(checksum)
    before = fileEnd(place, checksum)
  }
  const records = places.map((place, index) => directoryRecord(place, checksums[index] ?? 0))
  yield Buffer.concat([before, ...records, endRecords(directory)])
}

/** The streams of entries, in their order: one that is sent, and of small ones the next few. */
class Reading {
  readonly #entries: readonly ZipEntry[]
  readonly #opened = new Map<number, Promise<Readable>>()
  #isClosed = false

  constructor(entries: readonly ZipEntry[]) {
    this.#entries = entries
  }

  async take(index: number): Promise<AsyncIterable<Buffer> | Iterable<Buffer>> {
    const entry = this.#entries[index]
    if (this.#isClosed || !entry) return []
    if ('bytes' in entry) return [entry.bytes]
    this.#opened.delete(index - 1)
    const stream = this.#open(index, entry.read)
    for (const [at, after] of this.#entries.slice(index + 1, index + 1 + filesAhead).entries())
      if ('size' in after && after.size <= aheadBytes) void this.#open(index + 1 + at, after.read)
    return stream
  }

  #open(index: number, read: () => Promise<Readable>): Promise<Readable> {
    const opened = this.#opened.get(index)
    if (opened) return opened
    const opening = read().then((stream) => {
      // It begins to read. What goes wrong is thrown when its turn comes; an error that nobody hears ends the process.
      stream.on('error', () => undefined).read(0)
      return stream
    })
    opening.catch(() => undefined)
    this.#opened.set(index, opening)
    return opening
  }

  close(): void {
    this.#isClosed = true
    for (const opening of this.#opened.values())
      opening.then(
        (stream) => stream.destroy(),
        () => undefined,
      )
  }
}

/** Leaves out the bytes that the receiver already has. */
async function* skipBytes(pieces: AsyncIterable<Buffer>, start: number): AsyncGenerator<Buffer> {
  let left = start
  for await (const piece of pieces) {
    if (piece.length > left) yield left === 0 ? piece : piece.subarray(left)
    left = Math.max(0, left - piece.length)
  }
}
