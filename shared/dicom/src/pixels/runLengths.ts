import type { PixelShape } from './shape.ts'

const headerBytes = 64
const maxSegments = 15

/**
 * Samples of a frame of run lengths (PS3.5 annex G), pixel by pixel and the smallest byte first. Each segment holds one
 * byte of each pixel, the largest first, one sample after the other; single bits are packed in bytes.
 */
export function decodeRunLengths(frame: Uint8Array, { rows, columns, samples, bitsAllocated }: PixelShape): Uint8Array {
  const segments = readSegments(frame)
  const sampleBytes = Math.ceil(bitsAllocated / 8)
  if (segments.length !== samples * sampleBytes) throw new Error('The run lengths have another number of segments.')
  const pixels = bitsAllocated === 1 ? Math.ceil((rows * columns) / 8) : rows * columns
  const decoded = new Uint8Array(pixels * samples * sampleBytes)
  segments.forEach((segment, index) => {
    const sample = Math.floor(index / sampleBytes)
    const byte = sampleBytes - 1 - (index % sampleBytes)
    spread(segment, decoded, sample * sampleBytes + byte, samples * sampleBytes)
  })
  return decoded
}

function readSegments(frame: Uint8Array): Uint8Array[] {
  if (frame.length < headerBytes) throw new Error('The run lengths have no header.')
  const header = new DataView(frame.buffer, frame.byteOffset, headerBytes)
  const count = header.getUint32(0, true)
  if (count > maxSegments) throw new Error('The run lengths have too many segments.')
  const starts = Array.from({ length: count }, (_, index) => header.getUint32(4 + index * 4, true))
  return starts.map((start, index) => frame.subarray(start, starts[index + 1] ?? frame.length))
}

/** Writes the bytes of a segment to each `step`-th place; those that are missing stay zero, those too many are left. */
function spread(segment: Uint8Array, target: Uint8Array, first: number, step: number): void {
  let to = first
  for (let at = 0; at < segment.length && to < target.length;) {
    const control = segment[at++] ?? 0
    if (control < 128)
      for (let left = control + 1; left > 0 && at < segment.length && to < target.length; left -= 1, to += step)
        target[to] = segment[at++] ?? 0
    else if (control > 128) {
      const value = segment[at++] ?? 0
      for (let left = 257 - control; left > 0 && to < target.length; left -= 1, to += step) target[to] = value
    }
  }
}
