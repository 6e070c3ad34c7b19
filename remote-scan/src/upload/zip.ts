/** One file inside of a zip; it is unpacked when its turn comes. */
export interface ZipEntry {
  readonly path: string
  /** Bytes when unpacked, as the zip says. */
  readonly size: number
  readonly open: () => Promise<Blob>
}

const localHeader = 0x04034b50
const centralHeader = 0x02014b50
const endOfDirectory = 0x06054b50
const endBytes = 22
const longestComment = 0xffff
const stored = 0
const deflated = 8
const isEncrypted = 1

const damaged = (): Error =>
  new Error('This zip is damaged or of a kind that cannot be read here. Unpack it first, then choose the folder.')

const viewOf = async (zip: Blob, from: number, to: number): Promise<DataView> =>
  new DataView(await zip.slice(Math.max(0, from), to).arrayBuffer())

/** Whether the file starts as a zip does, whatever its name says. */
export async function isZip(file: Blob): Promise<boolean> {
  return file.size > endBytes && (await viewOf(file, 0, 4)).getUint32(0, true) === localHeader
}

/** What is inside, from the directory at the end of the zip: nothing is unpacked yet. */
export async function zipEntries(zip: Blob): Promise<ZipEntry[]> {
  const tail = await viewOf(zip, zip.size - endBytes - longestComment, zip.size)
  let at = tail.byteLength - endBytes
  while (at >= 0 && tail.getUint32(at, true) !== endOfDirectory) at -= 1
  if (at < 0) throw damaged()
  const count = tail.getUint16(at + 10, true)
  const bytes = tail.getUint32(at + 12, true)
  const start = tail.getUint32(at + 16, true)
  // Zip64 writes these where the numbers do not fit.
  if (count === 0xffff || start === 0xffffffff || start + bytes > zip.size) throw damaged()
  return directory(zip, await viewOf(zip, start, start + bytes), count)
}

function directory(zip: Blob, view: DataView, count: number): ZipEntry[] {
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== centralHeader) throw damaged()
    const flags = view.getUint16(at + 8, true)
    const method = view.getUint16(at + 10, true)
    const packed = view.getUint32(at + 20, true)
    const size = view.getUint32(at + 24, true)
    const nameBytes = view.getUint16(at + 28, true)
    const header = view.getUint32(at + 42, true)
    const path = new TextDecoder().decode(
      new Uint8Array(view.buffer, view.byteOffset + at + 46, Math.min(nameBytes, view.byteLength - at - 46)),
    )
    if (flags & isEncrypted || (method !== stored && method !== deflated)) throw damaged()
    if (!path.endsWith('/')) entries.push({ path, size, open: () => unpack(zip, header, packed, method) })
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

async function unpack(zip: Blob, header: number, packed: number, method: number): Promise<Blob> {
  const local = await viewOf(zip, header, header + 30)
  if (local.byteLength < 30 || local.getUint32(0, true) !== localHeader) throw damaged()
  const start = header + 30 + local.getUint16(26, true) + local.getUint16(28, true)
  const content = zip.slice(start, start + packed)
  return method === stored
    ? content
    : new Response(content.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob()
}
