import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { endRecords, localHeader, toDirectory, type ArchiveFile } from './archiveFormat.ts'

const fourGigabytes = 2 ** 32

/** An archive of zeros but for what stands at some places: nobody keeps twenty gigabytes for a test. */
class Sparse extends RandomAccessReader {
  readonly #pieces: readonly (readonly [start: number, bytes: Buffer])[]

  constructor(pieces: readonly (readonly [start: number, bytes: Buffer])[]) {
    super()
    this.#pieces = pieces
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const wanted = Buffer.alloc(end - start)
    for (const [at, bytes] of this.#pieces) {
      const from = Math.max(start, at)
      if (from < Math.min(end, at + bytes.length)) bytes.copy(wanted, from - start, from - at, end - at)
    }
    return Readable.from([wanted])
  }
}

/** The archive of files of these sizes, and what another program than ours reads in it. */
async function readBack(files: readonly ArchiveFile[]) {
  const pieces: [number, Buffer][] = []
  let at = 0
  for (const file of files) {
    pieces.push([at, localHeader(file)])
    at += localHeader(file).length + file.size
  }
  const { bytes, end } = toDirectory(files, 0)
  const last = endRecords({ files: files.length, start: end, bytes: bytes.length })
  pieces.push([end, bytes], [end + bytes.length, last])
  const size = end + bytes.length + last.length
  const options = { autoClose: false, validateEntrySizes: true }
  const zip = await fromRandomAccessReaderPromise(new Sparse(pieces), size, options)
  return { zip, start: end, lastBytes: last.length }
}
async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return entries
}
const facts = ({ fileName, uncompressedSize, crc32: crc }: Entry) => ({ name: fileName, size: uncompressedSize, crc })
const zeros = (name: string, size: number): ArchiveFile => ({
  name,
  size,
  crc: size < 1000 ? crc32(Buffer.alloc(size)) : 7,
})

describe('an archive', () => {
  it('has files of more than four gigabytes, and others behind them, where another program finds them [P70]', async () => {
    const sizes = [10, fourGigabytes - 2, fourGigabytes - 1, fourGigabytes, 3 * fourGigabytes + 5, 0, 20]
    const files = sizes.map((size, index) => zeros(`scans-0001/DICOM/I${index}`, size))
    const { zip } = await readBack(files)
    const entries = await listEntries(zip)
    expect(entries.map(facts)).toEqual(files)
    for (const at of [0, 5, 6]) {
      // It looks for the local header at the place that the directory names.
      const bytes = (await (await zip.openReadStreamPromise(entries[at]!)).toArray()) as Buffer[]
      expect(Buffer.concat(bytes)).toEqual(Buffer.alloc(sizes[at] ?? -1))
    }
    // What stands before a file says as well whether its length has 64 bits.
    expect(files.map((file) => localHeader(file).readUInt16LE(4))).toEqual([20, 20, 45, 45, 45, 20, 20])
    expect(entries.map((entry) => entry.versionNeededToExtract)).toEqual([20, 20, 45, 45, 45, 45, 45])
  })

  it.each([
    [65_534, 22],
    [65_535, 98],
    [65_536, 98],
  ])('of %d files says so where another program reads it [P70]', async (count, lastBytes) => {
    const files = Array.from({ length: count }, (_, index) => zeros(`I${index}`, 0))
    const { zip, lastBytes: written } = await readBack(files)
    expect([zip.entryCount, written]).toEqual([count, lastBytes])
  })

  it('whose directory begins behind four gigabytes is read as well [P70]', async () => {
    const { start, zip, lastBytes } = await readBack([zeros('I1', fourGigabytes - 100), zeros('I2', 100)])
    expect(start).toBeGreaterThan(fourGigabytes)
    const names = (await listEntries(zip)).map(({ fileName }) => fileName)
    expect([names, lastBytes]).toEqual([['I1', 'I2'], 98])
  })
})
