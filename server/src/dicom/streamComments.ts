import type { FragmentStream } from './fragmentStream.ts'

/** The compressed pixels do not follow their format, so nobody can say where a comment would stand. */
export class UnreadableStream extends Error {}

/** A stretch of the stream whose bytes say nothing of the pixels. */
export interface Comment {
  readonly start: number
  readonly end: number
  /** What takes its place: text in JPEG 2000, zeros elsewhere. */
  readonly fill: 0 | 0x20
}

type Finder = (stream: FragmentStream, comments: Comment[]) => Promise<void>

const marker = {
  startOfImage: 0xffd8,
  endOfImage: 0xffd9,
  startOfScan: 0xffda,
  comment: 0xfffe,
  startOfCodeStream: 0xff4f,
  codeStreamComment: 0xff64,
  startOfTilePart: 0xff90,
  startOfData: 0xff93,
} as const

const u16 = async (stream: FragmentStream, at: number): Promise<number> => {
  const bytes = await stream.read(at, 2)
  return bytes.length === 2 ? bytes.readUInt16BE() : -1
}
const u32 = async (stream: FragmentStream, at: number): Promise<number> => {
  const bytes = await stream.read(at, 4)
  return bytes.length === 4 ? bytes.readUInt32BE() : -1
}

/** What decoders read of application segments: the kind of pixels (JFIF), their colours (Adobe, HP). */
const neededHeads = [
  { code: 0xffe0, text: 'JFIF\0', bytes: 14 },
  { code: 0xffee, text: 'Adobe', bytes: 12 },
  { code: 0xffe8, text: 'mrfx', bytes: 5 },
] as const

/** Frame, tables, restart interval, JPEG-LS parameters; everything else in front of a scan is a remark. */
const isNeeded = (code: number): boolean =>
  (code >= 0xffc0 && code <= 0xffcf) || [0xffdb, 0xffdc, 0xffdd, 0xffde, 0xffdf, 0xfff7, 0xfff8].includes(code)
const hasNoLength = (code: number): boolean => code === 0xff01 || (code >= 0xffd0 && code <= 0xffd7)

/** One image of JPEG or JPEG-LS; returns where it ends. */
async function walkJpeg(stream: FragmentStream, start: number, isLs: boolean, comments: Comment[]): Promise<number> {
  for (let at = start + 2; ;) {
    while ((await u16(stream, at)) === 0xffff) at += 1
    const code = await u16(stream, at)
    if (code === -1) return stream.size
    if (code === marker.endOfImage) return at + 2
    if (hasNoLength(code)) {
      at += 2
      continue
    }
    const length = await u16(stream, at + 2)
    if (code < 0xffc0 || length < 2) throw new UnreadableStream()
    const end = Math.min(at + 2 + length, stream.size)
    if (code === marker.startOfScan) {
      at = await findScanEnd(stream, end, isLs)
      continue
    }
    if (!isNeeded(code)) {
      const head = neededHeads.find((needed) => needed.code === code)
      const text = head && (await stream.read(at + 4, head.text.length)).toString('latin1')
      comments.push({ start: Math.min(end, at + 4 + (head && text === head.text ? head.bytes : 0)), end, fill: 0 })
    }
    at = end
  }
}

/** The next marker behind coded pixels: a stuffed byte or a restart is none. */
async function findScanEnd(stream: FragmentStream, start: number, isLs: boolean): Promise<number> {
  for (let at = start; at < stream.size;) {
    const bytes = await stream.read(at, 2 ** 16)
    let found = bytes.indexOf(0xff)
    for (; found !== -1 && found + 1 < bytes.length; found = bytes.indexOf(0xff, found + 1)) {
      const next = bytes[found + 1] ?? 0
      const isData = isLs ? next < 0x80 : next === 0
      if (!isData && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at + found
    }
    // A last byte of FF is looked at again together with its follower.
    at += found === -1 || bytes.length === 1 ? bytes.length : found
  }
  return stream.size
}

/** One JPEG 2000 code stream; returns where it ends. */
async function walkCodeStream(
  stream: FragmentStream,
  start: number,
  last: number,
  comments: Comment[],
): Promise<number> {
  let tileParts = 0
  for (let at = start + 2; at < last;) {
    const code = await u16(stream, at)
    if (code === marker.endOfImage) return at + 2
    // Some writers forget the marker of the end.
    if (tileParts > 0 && code !== marker.startOfTilePart) return at
    if (code === marker.startOfTilePart) {
      tileParts += 1
      const length = await u32(stream, at + 6)
      const data = await walkSegments(stream, at + 12, last, comments)
      // A length of zero: the last tile-part, which reaches to the end of the image.
      at = length > 0 ? Math.max(at + length, data) : await findImageEnd(stream, data, last)
    } else at = await walkSegments(stream, at, last, comments)
  }
  return last
}

/** Segments up to the data of a tile-part, or to the next tile-part. */
async function walkSegments(stream: FragmentStream, start: number, last: number, comments: Comment[]): Promise<number> {
  for (let at = start; at < last;) {
    const code = await u16(stream, at)
    if (code === marker.startOfData) return at + 2
    if (code === marker.startOfTilePart || code === marker.endOfImage) return at
    const length = await u16(stream, at + 2)
    if (code < 0xff00 || length < 2) throw new UnreadableStream()
    const end = Math.min(at + 2 + length, last)
    if (code === marker.codeStreamComment) comments.push({ start: Math.min(end, at + 6), end, fill: 0x20 })
    at = end
  }
  return last
}

/** Coded pixels of JPEG 2000 never hold this marker. */
async function findImageEnd(stream: FragmentStream, start: number, last: number): Promise<number> {
  for (let at = start; at < last;) {
    const bytes = await stream.read(at, Math.min(2 ** 16, last - at))
    const found = bytes.indexOf('ffd9', 0, 'hex')
    if (found !== -1) return at + found
    at += Math.max(1, bytes.length - 1)
  }
  return last
}

const neededBoxes = new Set(['jP  ', 'JXL ', 'ftyp', 'jp2h', 'jxlc', 'jxlp', 'jxll', 'jxli'])

/** A file of boxes (JP2, JPEG XL) in one fragment: boxes that are not the image become empty ones. */
async function walkBoxes(stream: FragmentStream, start: number, comments: Comment[]): Promise<number> {
  const last = stream.findFragmentEnd(start)
  let at = start
  while (at + 8 <= last) {
    const stated = await u32(stream, at)
    const type = (await stream.read(at + 4, 4)).toString('latin1')
    const isLong = stated === 1
    const length = isLong ? (await u32(stream, at + 8)) * 2 ** 32 + (await u32(stream, at + 12)) : stated
    const end = stated === 0 ? last : at + length
    const content = at + (isLong ? 16 : 8)
    if (end < content || end > last) throw new UnreadableStream()
    if (type === 'jp2c') comments.push({ start: await walkCodeStream(stream, content, end, comments), end, fill: 0 })
    // The type goes, too: readers skip a box of a type that they do not know.
    else if (!neededBoxes.has(type))
      comments.push({ start: at + 4, end: at + 8, fill: 0x20 }, { start: content, end, fill: 0 })
    at = end
  }
  // Too short for a box, and long enough for a name.
  comments.push({ start: at, end: last, fill: 0 })
  return last
}

/** Images one behind the other; what lies between their ends and the next fragment is nobody's. */
const findInImages =
  (walkImage: (stream: FragmentStream, at: number, comments: Comment[]) => Promise<number | undefined>): Finder =>
  async (stream, comments) => {
    for (let at = 0; at < stream.size;) {
      const end = await walkImage(stream, at, comments)
      if (end !== undefined) {
        at = end
        continue
      }
      const next = stream.findFragmentEnd(at)
      if (stream.starts[stream.findFragment(at)] === at && !(await stream.isFilledWith(at, next, 0)))
        throw new UnreadableStream()
      comments.push({ start: at, end: next, fill: 0 })
      at = next
    }
  }

const isAt = async (stream: FragmentStream, at: number, code: number): Promise<boolean> =>
  (await u16(stream, at)) === code

const findInJpeg = (isLs: boolean): Finder =>
  findInImages(async (stream, at, comments) =>
    (await isAt(stream, at, marker.startOfImage)) ? walkJpeg(stream, at, isLs, comments) : undefined,
  )

const findInJpeg2000 = findInImages(async (stream, at, comments) => {
  if ((await stream.read(at + 4, 4)).toString('latin1') === 'jP  ') return walkBoxes(stream, at, comments)
  return (await isAt(stream, at, marker.startOfCodeStream))
    ? walkCodeStream(stream, at, stream.size, comments)
    : undefined
})

const findInJpegXl = findInImages(async (stream, at, comments) => {
  if ((await stream.read(at + 4, 4)).toString('latin1') === 'JXL ') return walkBoxes(stream, at, comments)
  // A bare code stream has no place for remarks, and does not say where it ends.
  return (await isAt(stream, at, 0xff0a)) ? stream.findFragmentEnd(at) : undefined
})

/** By the media type of a frame; video is not among them. */
export const commentFinders: Readonly<Record<string, Finder>> = {
  'image/jpeg': findInJpeg(false),
  'image/jls': findInJpeg(true),
  'image/jp2': findInJpeg2000,
  'image/jpx': findInJpeg2000,
  'image/jphc': findInJpeg2000,
  'image/jxl': findInJpegXl,
}
