import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'
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

  it('with a directory of exactly the bytes from which on a larger end is announced', async () => {
    const [last] = files(1, 100)
    // 861 records of 76 bytes, and one of 99.
    const name = Array.from({ length: 5 }, () => 'LONGNAME').join('/')
    const sent = await send([...files(861, 100), ...(last ? [{ ...last, name }] : [])])
    expect(sent.bytes).toBe(sent.size)
    const end = readEnd(sent)
    expect([end.entries, end.size, sent.bytes - end.offset - end.size]).toEqual([862, 0xffff, 98])
  })

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

/** The same zip by a library, which wrote those of earlier versions: who began one of them goes on with ours. */
async function byLibrary(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  const options = { compress: false, mtime: new Date(Date.UTC(2000, 0, 1)), mode: 0o100644 }
  for (const entry of entries)
    if ('bytes' in entry) zip.addBuffer(entry.bytes, entry.name, options)
    else zip.addReadStream(await entry.read(), entry.name, { ...options, size: entry.size })
  const names = entries.reduce((sum, { name }) => sum + 55 + name.length, 0)
  zip.end({ forceZip64Format: names >= 0xffff, comment: '' })
  return buffer(zip.outputStream)
}

describe('the bytes of a zip', () => {
  const readme = { name: 'README.TXT', bytes: Buffer.from('What is in this folder.') }

  it.each([
    ['a handful', 5],
    ['the most of a small directory', 861],
    ['the fewest of a larger one', 862],
  ])('are those of the library that wrote it before, with %s', async (_, count) => {
    const entries = [readme, { name: 'EMPTY', bytes: Buffer.alloc(0) }, ...files(count, 300)]
    const zip = await createZip(entries)
    const bytes = await byLibrary(entries)
    expect((await buffer(zip.open(0))).equals(bytes)).toBe(true)
    for (const start of [1, 52, 53, 400, bytes.length - 1])
      expect((await buffer(zip.open(start))).equals(bytes.subarray(start))).toBe(true)
  })

  it('of which an object is longer or shorter than its row says are not sent to the end', async () => {
    const [first, second] = files(2, 100) as [ZipEntry, ZipEntry]
    for (const size of [99, 101]) {
      const zip = await createZip([first, { ...second, read: async () => zeros(size) } as ZipEntry])
      await expect(buffer(zip.open(0))).rejects.toThrow('not as long as its row says')
    }
  })
})

describe('the objects of a zip', () => {
  /** Notes what was opened and what is closed again. */
  function watched(count: number, size: number) {
    const opened: number[] = []
    const closed: number[] = []
    const entries = files(count, size).map((entry, index) => ({
      ...entry,
      read: async () => {
        opened.push(index)
        return zeros(size).on('close', () => closed.push(index))
      },
    }))
    return { entries, opened, closed }
  }
  /** Takes a zip, and says what was opened when the first bytes of an object came. */
  async function openedFirst({ entries, opened }: ReturnType<typeof watched>): Promise<readonly number[]> {
    let first: readonly number[] | undefined
    for await (const piece of (await createZip(entries)).open(0))
      if ((piece as Buffer).length > 500) first ??= [...opened]
    return first ?? []
  }

  it('are opened once, the next three of small ones ahead, and all are closed', async () => {
    const zip = watched(9, 1000)
    expect(await openedFirst(zip)).toEqual([0, 1, 2, 3])
    expect(zip.opened).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(zip.closed.toSorted()).toEqual(zip.opened)
  })

  it('are opened one after the other where they are large', async () => {
    const zip = watched(3, 2 ** 18 + 1)
    expect(await openedFirst(zip)).toEqual([0])
    expect(zip.opened).toEqual([0, 1, 2])
  })

  it.each([
    ['while it is sent', 0],
    ['while what they have already is left out', 5_000_000],
  ])('are closed where the receiver leaves %s, and no further one is opened', async (_, start) => {
    const { entries, opened, closed } = watched(40, 200_000)
    const zip = (await createZip(entries)).open(start)
    zip.on('error', () => undefined).read(0)
    await new Promise((resolve) => setTimeout(resolve, 5))
    zip.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const { length } = opened
    expect(length).toBeLessThan(40)
    expect(closed.toSorted((a, b) => a - b)).toEqual(opened)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(opened).toHaveLength(length)
  })

  it('that cannot be read end it when their turn comes, and not before', async () => {
    const good = files(3, 100)
    const broken = { ...good[2], read: async () => Promise.reject(new Error('gone')) } as ZipEntry
    const zip = (await createZip([...good.slice(0, 2), broken])).open(0)
    const got: Buffer[] = []
    await expect(
      (async () => {
        for await (const piece of zip) got.push(piece as Buffer)
      })(),
    ).rejects.toThrow('gone')
    expect(Buffer.concat(got).length).toBeGreaterThan(2 * 100)
  })
})
