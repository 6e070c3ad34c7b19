import { Readable } from 'node:stream'
import { createZip, type ZipEntry } from './zipWriter.ts'

const chunk = Buffer.alloc(2 ** 20)
const zeros = (size: number): Readable =>
  Readable.from(
    (function* () {
      for (let rest = size; rest > 0; rest -= chunk.length) yield chunk.subarray(0, Math.min(rest, chunk.length))
    })(),
    { objectMode: false },
  )
const files = (count: number, size: number, folder = 'D00000'): ZipEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `DICOM/${folder}/I${String(index).padStart(7, '0')}`,
    size,
    read: async () => zeros(size),
  }))

interface Sent {
  readonly size: number
  readonly bytes: number
  /** The last bytes, which hold the end records. */
  readonly end: Buffer
}

async function send(entries: readonly ZipEntry[], start = 0): Promise<Sent> {
  const zip = await createZip(entries)
  let bytes = 0
  let end = Buffer.alloc(0)
  for await (const piece of zip.open(start)) {
    bytes += (piece as Buffer).length
    end = Buffer.concat([end, piece as Buffer]).subarray(-98)
  }
  return { size: zip.size, bytes, end }
}

/** What the end records say: entries, size and start of the directory, each in the record that readers believe. */
function readEnd({ end, bytes }: Sent) {
  const last = end.subarray(-22)
  expect(last.readUInt32LE(0)).toBe(0x06054b50)
  const plain = { entries: last.readUInt16LE(10), size: last.readUInt32LE(12), offset: last.readUInt32LE(16) }
  if (plain.offset !== 0xffffffff) return plain
  const [record, locator] = [end.subarray(0, 56), end.subarray(56, 76)]
  expect([record.readUInt32LE(0), locator.readUInt32LE(0)]).toEqual([0x06064b50, 0x07064b50])
  expect(Number(locator.readBigUInt64LE(8))).toBe(bytes - 98)
  return {
    entries: Number(record.readBigUInt64LE(32)),
    size: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  }
}

describe('the size that a zip announces is the size that is sent [7.38]', () => {
  it.each([
    ['a handful', 5, 100],
    ['the most of a small directory', 862, 100],
    ['the fewest of a larger one', 863, 100],
    ['a common CT', 3000, 100],
    ['more than the old end record can count', 66_000, 1],
  ])(
    'with %s: %i files',
    async (_, count, size) => {
      const sent = await send(files(count, size))
      expect(sent.bytes).toBe(sent.size)
      const end = readEnd(sent)
      expect(end.entries).toBe(count)
      // The directory lies where the end records say, and ends where they begin.
      expect([sent.bytes - end.offset - end.size]).toEqual([count > 862 ? 98 : 22])
    },
    300_000,
  )

  it('with more than 4 GB', async () => {
    // Each of the last files begins beyond what the old records can say.
    const sent = await send([...files(8, 2 ** 29), ...files(2, 10, 'D00001')])
    expect(sent.bytes).toBe(sent.size)
    expect(sent.bytes).toBeGreaterThan(2 ** 32)
    expect(readEnd(sent).entries).toBe(10)
  }, 300_000)

  it('also of the rest that a broken download asks for', async () => {
    const { size, bytes } = await send(files(1000, 10), 40_000)
    expect(bytes).toBe(size - 40_000)
  })
})
