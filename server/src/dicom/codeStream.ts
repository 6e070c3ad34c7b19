import { readJpegXlShape } from './jpegXlStream.ts'

/** What a compressed frame says of itself: decoders believe this, not the header of the object. */
export interface StreamShape {
  readonly rows: number
  readonly columns: number
  /** Not stated where the format leaves colours to a profile; there are at most three then. */
  readonly samples?: number
  readonly bits: number
}

/** Real frames have a handful; each is skipped by its length, so that nothing is scanned byte by byte. */
const maxSegments = 256
const maxBoxes = 64
/** A decoder keeps some kilobytes for each tile, however small; a mammogram in tiles of 128 × 128 has 1,500. */
const maxTiles = 4096

const marker = { startOfImage: 0xffd8, startOfCodeStream: 0xff4f, size: 0xff51, frameOfJpegLs: 0xfff7 } as const
/** DHT, JPG and DAC lie among the numbers of the frame headers. */
const isFrameHeader = (code: number): boolean =>
  code >= 0xffc0 && code <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(code)
/** Markers without a length, and those that begin or end the pixels: no frame header may come after them. */
const endsHeaders = (code: number): boolean => code < 0xffc0 || (code >= 0xffd0 && code <= 0xffda)

/** Where the first frame header of JPEG or JPEG-LS begins; decoders refuse a second one. */
function findFrameHeader(bytes: Buffer, isWanted: (code: number) => boolean): number | undefined {
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== marker.startOfImage) return undefined
  for (let at = 2, segments = 0; segments < maxSegments; segments += 1) {
    // Any number of FF bytes may fill the space before a marker.
    for (const last = at + maxSegments; bytes[at] === 0xff && bytes[at + 1] === 0xff && at < last;) at += 1
    if (at + 10 > bytes.length) return undefined
    const code = bytes.readUInt16BE(at)
    if (isWanted(code)) return at
    const length = bytes.readUInt16BE(at + 2)
    if (endsHeaders(code) || isFrameHeader(code) || code === marker.frameOfJpegLs || length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

function readJpegShape(bytes: Buffer, isWanted: (code: number) => boolean): StreamShape | undefined {
  const at = findFrameHeader(bytes, isWanted)
  if (at === undefined) return undefined
  return {
    bits: bytes.readUInt8(at + 4),
    rows: bytes.readUInt16BE(at + 5),
    columns: bytes.readUInt16BE(at + 7),
    samples: bytes.readUInt8(at + 9),
  }
}

/** Whether a JPEG keeps its colours at a lower resolution than its luminance. */
export function hasCoarseColours(jpeg: Uint8Array): boolean {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.length)
  const at = findFrameHeader(bytes, isFrameHeader)
  // The sampling factors of the first component stand behind its number.
  return at !== undefined && bytes[at + 9] === 3 && bytes[at + 11] !== 0x11
}

/** The size segment, which is the first of a JPEG 2000 code stream (ISO 15444-1 A.5.1). */
function readCodeStreamShape(bytes: Buffer): StreamShape | undefined {
  if (bytes.length < 43 || bytes.readUInt16BE(0) !== marker.startOfCodeStream) return undefined
  if (bytes.readUInt16BE(2) !== marker.size) return undefined
  const [right = 0, bottom = 0, left = 0, top = 0, tileWidth = 0, tileHeight = 0, tileLeft = 0, tileTop = 0] =
    Array.from({ length: 8 }, (_, index) => bytes.readUInt32BE(8 + index * 4))
  const samples = bytes.readUInt16BE(40)
  if (bytes.length < 42 + samples * 3 || samples > 4) return undefined
  const tiles = Math.ceil((right - tileLeft) / tileWidth) * Math.ceil((bottom - tileTop) / tileHeight)
  if (!(tiles <= maxTiles)) return undefined
  const depths = Array.from({ length: samples }, (_, index) => (bytes.readUInt8(42 + index * 3) & 0x7f) + 1)
  return { rows: bottom - top, columns: right - left, samples, bits: Math.max(...depths) }
}

/** The content of a box of one of these types, wherever it stands in a file of boxes (ISO 15444-1 I.4). */
function* readBoxes(bytes: Buffer): Generator<{ readonly type: string; readonly content: Buffer }> {
  for (let at = 0, boxes = 0; at + 8 <= bytes.length && boxes < maxBoxes; boxes += 1) {
    const length = bytes.readUInt32BE(at) || bytes.length - at
    // A length of 1 announces a longer one, which no frame needs.
    if (length < 8) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, at + length) }
    at += length
  }
}

/** Some write frames as whole JP2 files, though the standard wants the code stream alone (PS3.5 A.4.4). */
function readJpeg2000Shape(bytes: Buffer): StreamShape | undefined {
  if (bytes.toString('latin1', 4, 8) !== 'jP  ') return readCodeStreamShape(bytes)
  for (const { type, content } of readBoxes(bytes)) {
    // A palette makes more samples than the code stream states.
    if (type === 'jp2h' && content.includes('pclr')) return undefined
    if (type === 'jp2c') return readCodeStreamShape(content)
  }
  return undefined
}

function readJpegXlFileShape(bytes: Buffer): StreamShape | undefined {
  if (bytes.toString('latin1', 4, 8) !== 'JXL ') return readJpegXlShape(bytes)
  for (const { type, content } of readBoxes(bytes)) {
    if (type === 'jxlc') return readJpegXlShape(content)
    // The first part begins with its number.
    if (type === 'jxlp') return readJpegXlShape(content.subarray(4))
  }
  return undefined
}

const readers: Readonly<Record<string, (bytes: Buffer) => StreamShape | undefined>> = {
  'image/jpeg': (bytes) => readJpegShape(bytes, isFrameHeader),
  'image/jls': (bytes) => readJpegShape(bytes, (code) => code === marker.frameOfJpegLs),
  'image/jp2': readJpeg2000Shape,
  'image/jphc': readCodeStreamShape,
  'image/jxl': readJpegXlFileShape,
}

/** The size that a compressed frame itself states; `undefined` when it states none that can be found. */
export const readStreamShape = (bytes: Buffer, mediaType: string): StreamShape | undefined =>
  readers[mediaType]?.(bytes)
