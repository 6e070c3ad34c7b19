import { tag } from '@dmp/dicom'
import { findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import { number } from './attributes.ts'
import type { ByteSource } from './byteSource.ts'
import { findRanges, readWholeFrame, type FrameTable } from './frames.ts'
import { readStreamShape } from './codeStream.ts'
import type { JsonDataset } from './jsonModel.ts'
import { readingLimits } from './limits.ts'
import { NoPicture, PictureTooLarge } from './noPicture.ts'
import { readImageShape, type ImageShape } from './pixelCheck.ts'
import { swapSamples } from './swapValue.ts'

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** The numbers that bound a picture's pixels. */
const limits = {
  /** Native frames above this are thinned while they are read, as far as the picture's size allows. */
  wholePixels: 4 * 2 ** 20,
  /** Compressed frames are decoded whole, so this is their limit; a mammogram of 24 million pixels is below it. */
  decodedPixels: 32 * 2 ** 20,
  /** Frames above this are not even read. */
  readPixels: 256 * 2 ** 20,
  bandBytes: 2 ** 20,
} as const

const tooLarge = (most: number): PictureTooLarge =>
  new PictureTooLarge(
    `This image has more than ${most / 2 ** 20} megapixels, the most that the server draws. ` +
      'Open it in the image viewer, or download the scan.',
  )

/** How many rows and columns of a native frame make one of the picture's. */
function findStep({ rows, columns }: ImageShape, size: PictureSize): number {
  const enough = Math.ceil(Math.sqrt((rows * columns) / limits.wholePixels))
  const most = Math.floor(Math.max(columns / size.width, rows / size.height))
  return Math.max(1, Math.min(enough, most))
}

/** Memory that drawing takes: the samples, and the pixels that the renderer makes of them. */
export function estimateDrawingBytes(header: JsonDataset, size: PictureSize, isCompressed: boolean): number {
  const shape = readImageShape(header)
  const step = isCompressed ? 1 : findStep(shape, size)
  const pixels = Math.ceil(shape.rows / step) * Math.ceil(shape.columns / step)
  return pixels * ((shape.samples * shape.bitsAllocated) / 8 + 16)
}

export interface PictureFrame {
  readonly rows: number
  readonly columns: number
  readonly bytes: Buffer
}

/** The frame of a picture, the middle one by default. Throws `NoPicture` when there is none. */
export async function readPictureFrame(
  source: ByteSource,
  table: FrameTable,
  header: JsonDataset,
  size: PictureSize,
  frame = Math.ceil(table.frames / 2),
): Promise<PictureFrame> {
  if (table.frames === 0) throw new NoPicture('This object holds no image. Download the scan to open it elsewhere.')
  const shape = readImageShape(header)
  const pixels = shape.rows * shape.columns
  if (pixels > limits.readPixels) throw tooLarge(limits.readPixels)
  const thinned = await readThinned(source, table, header, frame, findStep(shape, size))
  if (thinned) return thinned
  if (pixels > limits.decodedPixels) throw tooLarge(limits.decodedPixels)
  const bytes = await readWholeFrame(source, table, frame, readingLimits.frameBytes)
  if (!bytes) throw new NoPicture('This frame does not exist, or is too large to be drawn.')
  if (table.fragments) checkStream(bytes, shape, table.transferSyntaxUID)
  return { rows: shape.rows, columns: shape.columns, bytes }
}

/**
 * The limits count the pixels of the header, and decoders make those that the compressed frame states: both must be the
 * same, as the standard wants (PS3.5 8.2), or a small header would let a huge image in.
 */
function checkStream(bytes: Buffer, shape: ImageShape, transferSyntaxUID: string): void {
  const mediaType = findTransferSyntax(transferSyntaxUID)?.mediaType ?? ''
  if (mediaType.startsWith('video/'))
    throw new NoPicture('Videos cannot be shown yet. Download the scan to play it elsewhere.')
  if (mediaType === 'image/dicom-rle') return checkRunLengths(bytes, shape)
  const stream = readStreamShape(bytes, mediaType)
  if (!stream) throw new NoPicture('The compressed frame does not state its size.')
  const { rows, columns, samples = shape.samples, bits } = stream
  const isStated = rows === shape.rows && columns === shape.columns && samples === shape.samples
  if (!isStated || bits > shape.bitsAllocated)
    throw new NoPicture('The compressed frame has another size than the header of its object states.')
}

/** A compressed frame, whole, to be decoded. Throws `NoPicture` when there is none, or when it is too large. */
export async function readCompressedFrame(
  source: ByteSource,
  table: FrameTable,
  header: JsonDataset,
  frame: number,
): Promise<Buffer> {
  const shape = readImageShape(header)
  if (shape.rows * shape.columns > limits.decodedPixels) throw tooLarge(limits.decodedPixels)
  const bytes = await readWholeFrame(source, table, frame, readingLimits.frameBytes)
  if (!bytes) throw new NoPicture('This frame does not exist, or is too large to be decoded.')
  checkStream(bytes, shape, table.transferSyntaxUID)
  return bytes
}

/** So many samples a run of two bytes stands for at most. */
const longestRun = 128
const rleHeaderBytes = 64

/**
 * Run lengths state no size: they are decoded into the rows and columns of the header. There is a segment for each byte
 * of a pixel (PS3.5 G.4), each within the frame and long enough for all pixels.
 */
function checkRunLengths(bytes: Buffer, { rows, columns, samples, bitsAllocated }: ImageShape): void {
  // Single bits lie packed in one segment.
  const wanted = Math.ceil((samples * bitsAllocated) / 8)
  const least = rows * columns * Math.min(1, bitsAllocated / 8)
  const count = bytes.length < rleHeaderBytes ? 0 : bytes.readUInt32LE(0)
  const starts = Array.from({ length: Math.min(count, 15) }, (_, segment) => bytes.readUInt32LE(4 + 4 * segment))
  const isWhole = starts.every((start, segment) => {
    const end = starts[segment + 1] ?? bytes.length
    return start >= rleHeaderBytes && end <= bytes.length && (end - start) * (longestRun / 2) >= least
  })
  if (count !== wanted || !isWhole)
    throw new NoPicture('The compressed frame has another size than the header of its object states.')
}

/** Each `step`-th row and column, in bands, so that a large frame is never in memory whole. */
async function readThinned(
  source: ByteSource,
  table: FrameTable,
  header: JsonDataset,
  frame: number,
  step: number,
): Promise<PictureFrame | undefined> {
  const { rows, columns, samples, bitsAllocated } = readImageShape(header)
  const planes = samples > 1 && number(header, tag.PlanarConfiguration) === 1 ? samples : 1
  const pixelBytes = ((samples / planes) * bitsAllocated) / 8
  const rowBytes = columns * pixelBytes
  const range = table.native && findRanges(table, frame)?.[0]
  const isPlain =
    bitsAllocated % 8 === 0 &&
    range?.length === rowBytes * rows * planes &&
    (table.swapBytes === 0 || rowBytes % table.swapBytes === 0)
  if (step === 1 || !isPlain) return undefined
  const [thinRows, thinColumns] = [Math.ceil(rows / step), Math.ceil(columns / step)]
  const bytes = Buffer.alloc(thinRows * thinColumns * pixelBytes * planes)
  const rowsPerBand = Math.max(1, Math.floor(limits.bandBytes / rowBytes / step)) * step
  const bandMemory = Buffer.allocUnsafe(Math.min(rowsPerBand * rowBytes, limits.bandBytes))
  let at = 0
  for (let plane = 0; plane < planes; plane += 1) {
    for (let row = 0; row < rows; row += rowsPerBand) {
      // Of the last of the band's groups of rows only the first row is needed.
      const count = Math.min(rowsPerBand - step + 1, rows - row)
      const offset = range.offset + (plane * rows + row) * rowBytes
      const band = await source.read(offset, count * rowBytes, bandMemory)
      const samplesOfBand = swap(band, table.swapBytes)
      for (let line = 0; line < count; line += step, at += thinColumns * pixelBytes)
        thinRow(samplesOfBand.subarray(line * rowBytes, (line + 1) * rowBytes), bytes.subarray(at), pixelBytes, step)
    }
  }
  return { rows: thinRows, columns: thinColumns, bytes }
}

/** Byte by byte: a call for each pixel of a large image would hold everybody else up. */
function thinRow(row: Uint8Array, thinned: Uint8Array, pixelBytes: number, step: number): void {
  const skip = step * pixelBytes
  for (let from = 0, to = 0; from < row.length; from += skip)
    for (let byte = 0; byte < pixelBytes; byte += 1, to += 1) thinned[to] = row[from + byte] ?? 0
}

/** The source may keep the bytes that it gave, so they are swapped in a copy. */
function swap(bytes: Buffer, swapBytes: FrameTable['swapBytes']): Buffer {
  if (swapBytes === 0 || bytes.length % swapBytes !== 0) return bytes
  return swapSamples(Buffer.from(bytes), swapBytes)
}
