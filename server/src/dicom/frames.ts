import { tag } from '@dmp/dicom'
import { text } from './attributes.ts'
import { readRanges, type ByteSource, type Range } from './byteSource.ts'
import type { JsonDataset } from './jsonModel.ts'
import { readFragments, type Part10 } from './part10.ts'
import { swapSamples } from './swapValue.ts'
import { readImageShape, nativeFrameSize } from './pixelCheck.ts'

/** Where each frame of an object lies, so that single frames can be read; small enough to be kept and handed on. */
export interface FrameTable {
  readonly frames: number
  readonly transferSyntaxUID: string
  /** Native frames are returned little-endian, whatever the encoding of the object. */
  readonly swapBytes: 0 | 2 | 4 | 8
  /** Native frames lie side by side; those of single bits need not begin at a byte. */
  readonly native?: { readonly offset: number; readonly bits: number }
  /** Compressed frames are fragments, of which `starts` has the first one of each frame. */
  readonly fragments?: {
    readonly offsets: Float64Array
    readonly lengths: Float64Array
    readonly starts: Uint32Array
  }
}

const readOffsets = async (source: ByteSource, { offset, length }: Range): Promise<number[]> => {
  const bytes = await source.read(offset, length)
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4))
}

/** Start of an image in a fragment: JPEG and JPEG-LS (FFD8), JPEG 2000 code streams (FF4F). */
async function startsImage(source: ByteSource, fragment: Range): Promise<boolean> {
  const start = await source.read(fragment.offset, 2)
  return start[0] === 0xff && (start[1] === 0xd8 || start[1] === 0x4f)
}

/** PS3.5 A.4: one fragment per frame, or as the offset table says, or a new frame wherever an image starts. */
async function findStarts(
  source: ByteSource,
  table: Range,
  fragments: readonly Range[],
  frames: number,
): Promise<number[]> {
  if (frames === 1) return [0]
  if (fragments.length === frames) return fragments.map((_, index) => index)
  const offsets = table.length > 0 ? await readOffsets(source, table) : []
  const base = fragments[0]?.offset ?? 0
  const statedStarts = new Set(offsets.map((offset) => base + offset))
  const starts: number[] = []
  for (const [index, fragment] of fragments.entries()) {
    const isStart =
      index === 0 || (statedStarts.size > 0 ? statedStarts.has(fragment.offset) : await startsImage(source, fragment))
    if (isStart) starts.push(index)
  }
  return starts
}

/** Bytes that change places where samples are big-endian. */
export const sampleBytes = (vr: string, bitsAllocated: number): 2 | 4 | 8 =>
  vr === 'OD' || bitsAllocated === 64 ? 8 : vr === 'OF' || bitsAllocated === 32 ? 4 : 2

export async function readFrameTable(part10: Part10, header: JsonDataset): Promise<FrameTable> {
  const { pixelData, transferSyntax, source } = part10
  const { uid: transferSyntaxUID } = transferSyntax
  const shape = readImageShape(header)
  if (!pixelData) return { frames: 0, transferSyntaxUID, swapBytes: 0 }
  if (pixelData.length === undefined) {
    const { table, fragments } = await readFragments(source, pixelData)
    return {
      frames: shape.frames,
      transferSyntaxUID,
      swapBytes: 0,
      fragments: {
        offsets: Float64Array.from(fragments, ({ offset }) => offset),
        lengths: Float64Array.from(fragments, ({ length }) => length),
        starts: Uint32Array.from(await findStarts(source, table, fragments, shape.frames)),
      },
    }
  }
  const size = nativeFrameSize(shape, text(header, tag.PhotometricInterpretation) ?? undefined)
  const isSwapped = transferSyntax.isBigEndian && pixelData.vr !== 'OB'
  return {
    frames: shape.frames,
    transferSyntaxUID,
    swapBytes: isSwapped ? sampleBytes(pixelData.vr, shape.bitsAllocated) : 0,
    native: { offset: pixelData.valueOffset, bits: size * 8 },
  }
}

/** Byte ranges of a frame, counted from 1 (several fragments may make one); undefined when there is no such frame. */
export function findRanges({ frames, native, fragments }: FrameTable, frame: number): Range[] | undefined {
  if (native) {
    if (frame < 1 || frame > frames) return undefined
    const start = Math.floor(((frame - 1) * native.bits) / 8)
    return [{ offset: native.offset + start, length: Math.ceil((frame * native.bits) / 8) - start }]
  }
  const first = fragments?.starts[frame - 1]
  if (!fragments || first === undefined) return undefined
  const { offsets, lengths, starts } = fragments
  const ranges: Range[] = []
  for (let index = first; index < (starts[frame] ?? offsets.length); index += 1)
    ranges.push({ offset: offsets[index] ?? 0, length: lengths[index] ?? 0 })
  return ranges
}

/** Bytes of a frame as it is given out. */
export function findFrameBytes(table: FrameTable, frame: number): number {
  if (table.native && table.native.bits % 8 !== 0) return Math.ceil(table.native.bits / 8)
  return (findRanges(table, frame) ?? []).reduce((sum, range) => sum + range.length, 0)
}

/** One frame, a piece at a time; nothing when there is no such frame. */
export function readFrame(source: ByteSource, table: FrameTable, frame: number): AsyncIterable<Buffer> {
  const pieces = readRanges(source, findRanges(table, frame) ?? [])
  if (table.native && table.native.bits % 8 !== 0)
    return alignBits(pieces, ((frame - 1) * table.native.bits) % 8, table.native.bits)
  // A frame that is no whole number of samples stays as it is.
  return table.swapBytes !== 0 && findFrameBytes(table, frame) % table.swapBytes === 0
    ? swapBytes(pieces, table.swapBytes)
    : pieces
}

/** Samples of other byte order; what is left of one at the end is dropped. */
export async function* swapBytes(pieces: AsyncIterable<Buffer>, size: 2 | 4 | 8): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    // A copy: the bytes of the source may be read again.
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % size)
    rest = bytes.subarray(whole)
    const samples = bytes.subarray(0, whole)
    if (whole > 0) yield swapSamples(samples, size)
  }
}

/** Bits from `first` of the first byte on, moved to begin at a byte; the bits after the last are zero. */
async function* alignBits(pieces: AsyncIterable<Buffer>, first: number, bits: number): AsyncGenerator<Buffer> {
  let bytesLeft = Math.ceil(bits / 8)
  let previous: number | undefined
  const lastMask = bits % 8 === 0 ? 0xff : (1 << (bits % 8)) - 1
  const finish = (bytes: Buffer): Buffer => {
    const aligned = bytes.subarray(0, bytesLeft)
    bytesLeft -= aligned.length
    if (bytesLeft === 0 && aligned.length > 0)
      aligned[aligned.length - 1] = (aligned[aligned.length - 1] ?? 0) & lastMask
    return aligned
  }
  for await (const piece of pieces) {
    const aligned = Buffer.alloc(piece.length)
    let length = 0
    for (const byte of piece) {
      if (previous !== undefined) aligned[length++] = (previous >> first) | (byte << (8 - first))
      previous = byte
    }
    if (length > 0) yield finish(aligned.subarray(0, length))
  }
  if (previous !== undefined && bytesLeft > 0) yield finish(Buffer.from([previous >> first]))
}

/** A whole frame in memory; undefined when there is none, or when it is longer than `maxBytes`. */
export async function readWholeFrame(
  source: ByteSource,
  table: FrameTable,
  frame: number,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const bytes = findFrameBytes(table, frame)
  if (bytes === 0 || bytes > maxBytes) return undefined
  const pieces: Buffer[] = []
  for await (const piece of readFrame(source, table, frame)) pieces.push(piece)
  return Buffer.concat(pieces)
}
