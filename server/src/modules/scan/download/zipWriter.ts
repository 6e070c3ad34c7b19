import { createRequire } from 'node:module'
import { Transform, type Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import yazl from 'yazl'
import { assertPortableNames } from './portableNames.ts'

/**
 * yazl counts the checksum of every byte in JavaScript, a fifth of what a download costs; Node has the same in machine
 * code.
 */
const requireOfYazl = createRequire(createRequire(import.meta.url).resolve('yazl'))
Object.assign(requireOfYazl('buffer-crc32') as object, {
  unsigned: (bytes: Uint8Array, before?: number) => crc32(bytes, before),
})

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

/** One modification time for all entries, so that the same entries make the same zip. */
const entryTime = new Date(Date.UTC(2000, 0, 1))
const entryOptions = { compress: false, mtime: entryTime, mode: 0o100644 }
/** An entry's record in the directory at the end of the zip: this, and its name. */
const recordBytes = 46 + 9
/** From this size of the directory on yazl announces a ZIP64 end record, though it writes one only for larger zips. */
const announcedZip64Bytes = 0xffff

/**
 * Prepares a zip whose size is known before any entry is read. Entries are stored as they are and read one after the
 * other, never held.
 */
export async function createZip(entries: readonly ZipEntry[]): Promise<Zip> {
  assertPortableNames(entries.map(({ name }) => name))
  // Nothing is read for the size.
  const { size } = assemble(entries, () => new Promise(() => undefined))
  return { size: await size, open: (start) => openZip(entries, start) }
}

function assemble(
  entries: readonly ZipEntry[],
  read: (opening: () => Promise<Readable>) => Promise<Readable>,
): { readonly zip: yazl.ZipFile; readonly size: Promise<number> } {
  const zip = new yazl.ZipFile()
  for (const entry of entries) {
    if ('bytes' in entry) zip.addBuffer(entry.bytes, entry.name, entryOptions)
    else
      zip.addReadStreamLazy(
        entry.name,
        { ...entryOptions, size: entry.size },
        (done) => void passStream(read(entry.read), done),
      )
  }
  const directoryBytes = entries.reduce((sum, { name }) => sum + recordBytes + Buffer.byteLength(name), 0)
  // What is announced is written, too: otherwise receivers wait for bytes that never come and call the download failed.
  const forceZip64Format = directoryBytes >= announcedZip64Bytes
  const size = new Promise<number>((resolve) =>
    zip.end({ forceZip64Format, comment: '' }, (...results: unknown[]) => resolve(Number(results[0]))),
  )
  return { zip, size }
}

function openZip(entries: readonly ZipEntry[], start: number): Readable {
  let current: Readable | undefined
  const sent = skipBytes(start)
  // An unreadable object ends the download instead of leaving it hanging; when the receiver leaves, the object is
  // closed.
  const fail = (cause: Error): void => void sent.destroy(cause)
  const { zip } = assemble(entries, async (opening) => {
    current = await opening()
    // The zip does not listen to it, and an error that nobody hears ends the process.
    return current.on('error', fail)
  })
  const output = zip.outputStream as Readable
  output.pipe(sent)
  zip.on('error', fail)
  output.on('error', fail)
  sent.on('close', () => current?.destroy())
  return sent
}

/** Skips the bytes that the receiver already has. */
function skipBytes(start: number): Transform {
  let bytesToSkip = start
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const skipped = Math.min(bytesToSkip, chunk.length)
      bytesToSkip -= skipped
      done(null, skipped === chunk.length ? undefined : chunk.subarray(skipped))
    },
  })
}

async function passStream(
  opening: Promise<Readable>,
  done: (error: unknown, stream: NodeJS.ReadableStream) => void,
): Promise<void> {
  try {
    done(null, await opening)
  } catch (cause) {
    done(cause, undefined as never)
  }
}
