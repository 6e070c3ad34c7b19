import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { isZip } from './droppedFiles.ts'
import { zipEntries } from './zipEntries.ts'

interface Inside {
  readonly name: string
  readonly text: string
  readonly isPacked?: boolean
  readonly flags?: number
}

// jsdom's own Blob cannot be read; the platform's comes out of a response.
const blobOf = (...parts: readonly Uint8Array[]): Promise<Blob> =>
  new Response(new Uint8Array(parts.flatMap((part) => [...part]))).blob()
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function packed(text: string): Promise<Uint8Array> {
  const plain = await blobOf(bytesOf(text))
  return new Uint8Array(
    await new Response(plain.stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  )
}

/** Little-endian fields at their places; `width` 2 or 4 bytes. */
function record(length: number, fields: readonly (readonly [at: number, width: 2 | 4, value: number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(length))
  for (const [at, width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
  }
  return new Uint8Array(view.buffer)
}

/**
 * A zip made by the book (APPNOTE 4.3), with a comment at its end; its end says that the directory is so much longer
 * than it is.
 */
async function aZip(files: readonly Inside[], { comment = 'hello', more = 0 } = {}): Promise<Blob> {
  const locals: Uint8Array[] = []
  const centrals: Uint8Array[] = []
  let offset = 0
  for (const { name, text, isPacked = false, flags = 0 } of files) {
    const content = isPacked ? await packed(text) : bytesOf(text)
    const method = isPacked ? 8 : 0
    locals.push(
      record(30, [
        [0, 4, 0x04034b50],
        [8, 2, method],
        [26, 2, name.length],
      ]),
      bytesOf(name),
      content,
    )
    centrals.push(
      record(46, [
        [0, 4, 0x02014b50],
        [8, 2, flags],
        [10, 2, method],
        [20, 4, content.length],
        [24, 4, text.length],
        [28, 2, name.length],
        [42, 4, offset],
      ]),
      bytesOf(name),
    )
    offset += 30 + name.length + content.length
  }
  const directoryBytes = centrals.reduce((sum, part) => sum + part.length, 0)
  const end = record(22, [
    [0, 4, 0x06054b50],
    [10, 2, files.length],
    [12, 4, directoryBytes + more],
    [16, 4, offset],
    [20, 2, comment.length],
  ])
  return blobOf(...locals, ...centrals, end, bytesOf(comment))
}

it('knows a zip by its first bytes', async () => {
  expect(await isZip(await aZip([{ name: 'a', text: 'x' }]))).toBe(true)
  expect(await isZip(await blobOf(bytesOf('DICM'.repeat(20))))).toBe(false)
  expect(await isZip(await blobOf())).toBe(false)
})

it('lists the files, not the folders, and unpacks each when asked', async () => {
  const entries = await zipEntries(
    await aZip([
      { name: 'series/', text: '' },
      { name: 'series/1.dcm', text: 'one'.repeat(50), isPacked: true },
      { name: 'series/2.dcm', text: 'two' },
    ]),
  )
  expect(entries.map(({ path, size }) => [path, size])).toEqual([
    ['series/1.dcm', 150],
    ['series/2.dcm', 3],
  ])
  const texts = await Promise.all(entries.map(async ({ open }) => (await open()).text()))
  expect(texts).toEqual(['one'.repeat(50), 'two'])
})

it('is read however long its comment is', async () => {
  const zip = await aZip([{ name: 'a', text: 'x' }], { comment: 'c'.repeat(0xffff) })
  expect((await zipEntries(zip)).map(({ path }) => path)).toEqual(['a'])
  expect(await zipEntries(await aZip([], { comment: 'c'.repeat(0xffff) }))).toEqual([])
})

it('reads a zip64 archive: one that gives its number of files, its sizes and its offsets in 64 bits', async () => {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { zip64: true, useWebWorkers: false })
  await writer.add('series/1.dcm', new Uint8ArrayReader(bytesOf('one'.repeat(50))))
  await writer.add('series/2.dcm', new Uint8ArrayReader(bytesOf('two')), { level: 0 })
  const bytes = await writer.close()
  const zip = await blobOf(bytes)
  const end = new DataView(bytes.buffer, bytes.length - 22)
  // The classic end record says that it cannot say (APPNOTE 4.4.1.4).
  expect([end.getUint16(10, true), end.getUint32(16, true)]).toEqual([0xffff, 0xffffffff])
  expect(await isZip(zip)).toBe(true)
  const entries = await zipEntries(zip)
  expect(entries.map(({ path, size }) => [path, size])).toEqual([
    ['series/1.dcm', 150],
    ['series/2.dcm', 3],
  ])
  const texts = await Promise.all(entries.map(async ({ open }) => (await open()).text()))
  expect(texts).toEqual(['one'.repeat(50), 'two'])
})

it('refuses a file inside whose place is something else', async () => {
  const bytes = new Uint8Array(await (await aZip([{ name: 'a', text: 'x' }])).arrayBuffer())
  bytes[0] = 0
  const [entry] = await zipEntries(await blobOf(bytes))
  await expect(entry?.open()).rejects.toThrow('This zip is damaged')
})

it.each([
  ['one whose directory would not fit into it', () => aZip([{ name: 'a', text: 'x' }], { more: 100 })],
  ['an encrypted one', () => aZip([{ name: 'a', text: 'x', flags: 1 }])],
  ['one that was cut off', async () => (await aZip([{ name: 'a', text: 'x'.repeat(100) }])).slice(0, 80)],
  ['one whose directory lies', async () => (await aZip([{ name: 'a', text: 'x' }])).slice(10)],
])('refuses %s with a sentence', async (_, make) => {
  await expect(make().then(zipEntries)).rejects.toThrow('This zip is damaged or in an unsupported format.')
})
