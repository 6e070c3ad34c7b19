import { tag } from '@dmp/dicom'
import { elementBytes, itemBytes } from '@dmp/dimse/elementWriter'
import { text } from './attributes.ts'
import { readRanges, type ByteSource, type Range } from './byteSource.ts'
import { createNativeMask } from './blackPixels.ts'
import { FragmentStream } from './fragmentStream.ts'
import { sampleBytes, swapBytes, type FrameTable } from './frames.ts'
import type { Instance } from './instance.ts'
import { readFragments } from './part10.ts'
import { nativeFrameSize, readImageShape } from './pixelCheck.ts'
import { maskBytes, type PixelMask, type Rectangle } from './pixelMask.ts'
import { findBehindRuns } from './runLengths.ts'
import { commentFinders, type Comment } from './streamComments.ts'
import type { PixelDataStart } from './structure.ts'
import { swapSamples } from './swapValue.ts'

/** The pixel data of a copy: a stretch of the original between bytes of our own, some of it overwritten. */
export interface CopiedPixels {
  readonly head: Uint8Array
  readonly range: Range
  readonly blanks: readonly Blank[]
  readonly tail: Uint8Array
  /** Of uncompressed pixels; `swapBytes` where they are not in little endian. */
  readonly mask?: { readonly pixels: PixelMask; readonly swapBytes: FrameTable['swapBytes'] }
}

interface Blank extends Range {
  readonly fill: number
}

/** New each time: what goes to another thread is handed over. */
const nothing = (): Buffer => Buffer.from(new ArrayBuffer(0))

/** The pixel data, byte for byte. */
export async function findWholePixels({ part10: { source, pixelData } }: Instance): Promise<CopiedPixels | undefined> {
  if (!pixelData) return undefined
  const { offset, valueOffset, length } = pixelData
  const end = length === undefined ? (await readFragments(source, pixelData)).end : valueOffset + length
  return { head: nothing(), range: { offset, length: end - offset }, blanks: [], tail: nothing() }
}

/**
 * The pixels as they are, without remarks between them and bytes behind them; `onRemoved` is told what was there.
 * Throws `UnreadableStream`.
 */
export async function findCleanPixels(
  instance: Instance,
  onRemoved: (what: string) => void,
): Promise<CopiedPixels | undefined> {
  const { pixelData } = instance.part10
  if (!pixelData) return undefined
  return pixelData.length === undefined
    ? cleanCompressed(instance, pixelData, onRemoved)
    : cleanNative(instance, pixelData, pixelData.length, onRemoved)
}

function countNativeBytes({ header }: Instance, length: number): number {
  const shape = readImageShape(header)
  const bytesAs = (photometric: string | undefined): number =>
    Math.ceil(nativeFrameSize(shape, photometric) * shape.frames)
  // Some writers say 4:2:2 and store every colour of every pixel.
  const whole = bytesAs(undefined)
  return length >= whole ? whole : bytesAs(text(header, tag.PhotometricInterpretation) ?? undefined)
}

function cleanNative(
  instance: Instance,
  { vr, tag: pixelTag, valueOffset }: PixelDataStart,
  length: number,
  onRemoved: (what: string) => void,
): CopiedPixels {
  const { transferSyntax } = instance.part10
  const kept = Math.min(length, countNativeBytes(instance, length))
  const tail = Buffer.alloc(kept % 2)
  if (length > kept + tail.length) onRemoved('bytes behind the last pixel')
  const head = elementBytes(pixelTag, { vr, value: nothing() }, transferSyntax)
  const lengthAt = head.length - 4
  if (transferSyntax.isBigEndian) head.writeUInt32BE(kept + tail.length, lengthAt)
  else head.writeUInt32LE(kept + tail.length, lengthAt)
  return { head, range: { offset: valueOffset, length: kept }, blanks: [], tail }
}

async function cleanCompressed(
  instance: Instance,
  pixelData: PixelDataStart,
  onRemoved: (what: string) => void,
): Promise<CopiedPixels> {
  const { source, transferSyntax } = instance.part10
  const { table, fragments, end } = await readFragments(source, pixelData)
  const stream = new FragmentStream(source, fragments)
  const comments: Comment[] = []
  const { rows, columns } = readImageShape(instance.header)
  if (transferSyntax.mediaType === 'image/dicom-rle') await findBehindRuns(stream, comments, rows * columns)
  else await commentFinders[transferSyntax.mediaType]?.(stream, comments)
  const blanks: Blank[] = []
  for (const { start, end: last, fill } of comments)
    if (!(await stream.isFilledWith(start, last, fill)))
      blanks.push(...stream.toRanges(start, last).map((range) => ({ ...range, fill })))
  if (blanks.length > 0) onRemoved('remarks between compressed pixels and bytes behind the last one')
  const from = pixelData.offset
  if (await isOffsetTable(source, table, fragments))
    return { head: nothing(), range: { offset: from, length: end - from }, blanks, tail: nothing() }
  onRemoved('a wrong offset table')
  const head = Buffer.concat([await source.read(from, table.offset - 8 - from), itemBytes(nothing(), false)])
  const start = table.offset + table.length
  return { head, range: { offset: start, length: end - start }, blanks, tail: nothing() }
}

/** The offset table may be empty; otherwise it names beginnings of fragments, and nothing else. */
async function isOffsetTable(source: ByteSource, table: Range, fragments: readonly Range[]): Promise<boolean> {
  if (table.length === 0) return true
  const first = fragments[0]?.offset ?? 0
  const starts = new Set(fragments.map(({ offset }) => offset - first))
  const bytes = await source.read(table.offset, table.length)
  if (bytes.length % 4 !== 0 || bytes.length / 4 > fragments.length) return false
  for (let at = 0; at < bytes.length; at += 4) if (!starts.has(bytes.readUInt32LE(at))) return false
  return true
}

/** The same pixels with rectangles blacked out. They are uncompressed. */
export function maskCopiedPixels(
  { part10, header }: Instance,
  pixels: CopiedPixels,
  rectangles: readonly Rectangle[],
): CopiedPixels {
  const { pixelData, transferSyntax } = part10
  const { bitsAllocated } = readImageShape(header)
  const isSwapped = transferSyntax.isBigEndian && pixelData?.vr !== 'OB'
  const swapBytes: FrameTable['swapBytes'] = isSwapped ? sampleBytes(pixelData?.vr ?? 'OW', bitsAllocated) : 0
  const whole = pixels.range.length + pixels.tail.length
  const mask = { pixels: createNativeMask(header, pixels.range.length, rectangles), swapBytes }
  // The last byte may be the first half of a number.
  if (swapBytes !== 0 && whole % swapBytes === 0)
    return { ...pixels, range: { ...pixels.range, length: whole }, tail: nothing(), mask }
  return { ...pixels, mask }
}

async function* readMasked(
  source: ByteSource,
  range: Range,
  { pixels, swapBytes: size }: NonNullable<CopiedPixels['mask']>,
): AsyncGenerator<Uint8Array> {
  const pieces = readRanges(source, [range])
  let at = 0
  for await (const piece of size === 0 ? pieces : swapBytes(pieces, size)) {
    // The source may keep the bytes that it gave.
    const bytes = Buffer.from(piece)
    maskBytes(pixels, bytes, at)
    at += bytes.length
    yield size === 0 ? bytes : swapSamples(bytes, size)
  }
}

/** The bytes of the pixel data, in constant memory. */
export async function* readCopiedPixels(source: ByteSource, pixels: CopiedPixels): AsyncGenerator<Uint8Array> {
  yield pixels.head
  if (pixels.mask) {
    yield* readMasked(source, pixels.range, pixels.mask)
    yield pixels.tail
    return
  }
  const blanks = pixels.blanks.toSorted((a, b) => a.offset - b.offset)
  let at = pixels.range.offset
  let next = 0
  for await (const chunk of readRanges(source, [pixels.range])) {
    const end = at + chunk.length
    let bytes = chunk
    for (let index = next; index < blanks.length && (blanks[index]?.offset ?? end) < end; index += 1) {
      const { offset, length, fill } = blanks[index] as Blank
      // The source may keep the bytes that it gave.
      if (bytes === chunk) bytes = Buffer.from(chunk)
      bytes.fill(fill, Math.max(0, offset - at), Math.min(chunk.length, offset + length - at))
      if (offset + length <= end) next = index + 1
    }
    yield bytes
    at = end
  }
  yield pixels.tail
}
