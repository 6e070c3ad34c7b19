import type { JsonDataset } from '../dataset.ts'
import { transferSyntax } from '../uids.ts'
import { readWord, toRgb } from './colours.ts'
import { withStatedColours } from './jpegColours.ts'
import { decodeRunLengths } from './runLengths.ts'
import { readPixelShape, writePixelShape, type PixelShape } from './shape.ts'

/** A frame without the peculiarities that decoders read differently or not at all. */
export interface PlainFrame {
  readonly bytes: Uint8Array
  readonly transferSyntaxUID: string
}

const nativeSyntaxes: readonly string[] = [
  transferSyntax.implicitLittleEndian,
  transferSyntax.explicitLittleEndian,
  transferSyntax.deflatedExplicitLittleEndian,
  transferSyntax.explicitBigEndian,
  transferSyntax.rleLossless,
]
const isNative = (transferSyntaxUID: string): boolean => nativeSyntaxes.includes(transferSyntaxUID)
const jpegSyntaxes: readonly string[] = [transferSyntax.jpegBaseline, transferSyntax.jpegExtended]

/** Signed bytes become words: decoders take bytes for unsigned. */
const isNarrow = ({ bitsAllocated, isSigned }: PixelShape): boolean => bitsAllocated === 8 && isSigned

/**
 * Frames that have to be decoded before they are made plain, whatever their compression: of signed bytes decoders make
 * unsigned ones, or words of two.
 */
export const isDecodedFirst = (shape: PixelShape): boolean => isNarrow(shape) && shape.samples === 1

/** The shape of the pixels that `toPlainFrame` returns. */
function toPlainShape(shape: PixelShape, transferSyntaxUID: string): PixelShape {
  if (!isNative(transferSyntaxUID) && !isDecodedFirst(shape)) return shape
  const bytes = { ...shape, isPlanar: false, bitsAllocated: 8, bitsStored: 8, highBit: 7, isSigned: false }
  if (shape.samples === 3) return { ...bytes, photometric: 'RGB' }
  if (shape.bitsAllocated === 1) return bytes
  const bitsAllocated = isNarrow(shape) ? 16 : shape.bitsAllocated
  return { ...shape, isPlanar: false, bitsAllocated, highBit: shape.bitsStored - 1 }
}

/** The header that fits the frames of `toPlainFrame`; what an object leaves out is said, too. */
export function toPlainHeader(header: JsonDataset, transferSyntaxUID: string): JsonDataset {
  const shape = readPixelShape(header)
  // Nothing of the rest can be told without this.
  if (shape.bitsAllocated === 0) return header
  return { ...header, ...writePixelShape(toPlainShape(shape, transferSyntaxUID)) }
}

/**
 * A frame as server and viewer give it to their decoders: run lengths and single bits become bytes, colours RGB with a
 * byte each, values lose the bits that are not theirs. Native frames come little-endian, as the server sends them.
 * Throws when run lengths do not hold what their header says.
 */
export function toPlainFrame(frame: Uint8Array, shape: PixelShape, transferSyntaxUID: string): PlainFrame {
  if (jpegSyntaxes.includes(transferSyntaxUID))
    return { bytes: withStatedColours(frame, shape.photometric), transferSyntaxUID }
  if (!isNative(transferSyntaxUID)) return { bytes: frame, transferSyntaxUID }
  const isCompressed = transferSyntaxUID === transferSyntax.rleLossless
  const bytes = isCompressed
    ? toPlainSamples(decodeRunLengths(frame, shape), { ...shape, isPlanar: false }, false)
    : toPlainSamples(frame, shape, true)
  return { bytes, transferSyntaxUID: transferSyntax.explicitLittleEndian }
}

function toPlainSamples(samples: Uint8Array, shape: PixelShape, isUncompressed: boolean): Uint8Array {
  if (![1, 8, 16, 32].includes(shape.bitsAllocated)) return samples
  if (shape.samples === 3) return toRgb(samples, shape, isUncompressed)
  if (shape.bitsAllocated === 1) return unpackBits(samples, shape.rows * shape.columns)
  return shape.bitsStored < shape.bitsAllocated || isNarrow(shape) ? withoutOtherBits(samples, shape) : samples
}

/** Black and white; the first pixel is the lowest bit (PS3.5 section 8.1.1). */
function unpackBits(packed: Uint8Array, pixels: number): Uint8Array {
  const bytes = new Uint8Array(pixels)
  for (let at = 0; at < pixels; at += 1) bytes[at] = (((packed[at >> 3] ?? 0) >> (at & 7)) & 1) * 255
  return bytes
}

/** Bits beside the stored ones may hold overlays of old; stored ones move down to the lowest bit. */
function withoutOtherBits(samples: Uint8Array, shape: PixelShape): Uint8Array {
  const { bitsAllocated, bitsStored, highBit, isSigned } = shape
  const sampleBytes = bitsAllocated / 8
  const plainBytes = isNarrow(shape) ? 2 : sampleBytes
  const count = Math.floor(samples.length / sampleBytes)
  const source = new DataView(samples.buffer, samples.byteOffset, samples.byteLength)
  const plain = new DataView(new ArrayBuffer(count * plainBytes))
  for (let index = 0; index < count; index += 1) {
    const top = readWord(source, index, sampleBytes) << (31 - highBit)
    const value = isSigned ? top >> (32 - bitsStored) : top >>> (32 - bitsStored)
    if (plainBytes === 1) plain.setInt8(index, value)
    else if (plainBytes === 2) plain.setInt16(index * 2, value, true)
    else plain.setInt32(index * 4, value, true)
  }
  return new Uint8Array(plain.buffer)
}
