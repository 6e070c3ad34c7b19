import type { PixelShape } from './shape.ts'

const differences: readonly string[] = ['YBR_FULL', 'YBR_FULL_422', 'YBR_PARTIAL_422']

/**
 * Three samples a pixel in any of the standard's forms (PS3.3 section C.7.6.3.1.2), as RGB of a byte each, pixel by
 * pixel. Of uncompressed pixels, pairs may share their colour differences.
 */
export function toRgb(samples: Uint8Array, shape: PixelShape, isUncompressed: boolean): Uint8Array {
  const { photometric, isPlanar, bitsAllocated, bitsStored } = shape
  const pixels = shape.rows * shape.columns
  const isRgb = !differences.includes(photometric)
  if (isRgb && !isPlanar && bitsAllocated === 8 && bitsStored === 8) return samples
  const isPaired = isUncompressed && photometric.endsWith('_422')
  const [next, first] = isPlanar ? [pixels, 1] : [1, 3]
  // Luminance from 16 to 235, colour differences from 16 to 240 (ITU-R BT.601), or both from 0 to 255.
  const [darkest, stretch, wide] = photometric.startsWith('YBR_PARTIAL') ? [16, 255 / 219, 255 / 224] : [0, 1, 1]
  const read = createReader(samples, shape)
  // Clamped: rounding, and differences that no colour has, stay within a byte.
  const rgb = new Uint8ClampedArray(pixels * 3)
  for (let pixel = 0, to = 0; pixel < pixels; pixel += 1, to += 3) {
    const pair = (pixel >> 1) * 4
    const one = isPaired ? read(pair + (pixel & 1)) : read(pixel * first)
    const two = isPaired ? read(pair + 2) : read(pixel * first + next)
    const three = isPaired ? read(pair + 3) : read(pixel * first + 2 * next)
    const y = (one - darkest) * stretch
    const cb = (two - 128) * wide
    const cr = (three - 128) * wide
    rgb[to] = isRgb ? one : y + 1.402 * cr
    rgb[to + 1] = isRgb ? two : y - 0.344136 * cb - 0.714136 * cr
    rgb[to + 2] = isRgb ? three : y + 1.772 * cb
  }
  return new Uint8Array(rgb.buffer)
}

/** Reads the sample at an index as one byte: of larger ones the highest eight stored bits. */
function createReader(
  samples: Uint8Array,
  { bitsAllocated, bitsStored, highBit }: PixelShape,
): (index: number) => number {
  if (bitsAllocated === 8 && bitsStored === 8) return (index) => samples[index] ?? 0
  const sampleBytes = bitsAllocated / 8
  const view = new DataView(samples.buffer, samples.byteOffset, samples.byteLength)
  const count = Math.floor(samples.length / sampleBytes)
  const shade = bitsStored >= 8 ? 1 : 255 / (2 ** bitsStored - 1)
  return (index) =>
    index >= count
      ? 0
      : ((readWord(view, index, sampleBytes) << (31 - highBit)) >>> (32 - Math.min(bitsStored, 8))) * shade
}

/** An unsigned number of one, two or four bytes, the smallest first. */
export function readWord(view: DataView, index: number, bytes: number): number {
  if (bytes === 1) return view.getUint8(index)
  return bytes === 2 ? view.getUint16(index * 2, true) : view.getUint32(index * 4, true)
}
