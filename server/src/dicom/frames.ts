import { text } from './attributes.ts'
import type { ByteSource } from './byteSource.ts'
import type { JsonDataset } from './jsonModel.ts'
import { readFragments, type Fragment, type Part10 } from './part10.ts'
import { imageShape, nativeFrameBytes } from './pixelCheck.ts'

/** Where each frame of an object lies, so that one is read without the others. */
export interface FrameLayout {
  readonly frames: number
  /** Byte ranges of a frame (several fragments may make one); undefined when there is no such frame. Counted from 1. */
  rangesOf(frame: number): readonly Fragment[] | undefined
  /** Native frames are answered little-endian, whatever the object is written in. */
  readonly swapBytes: 0 | 2 | 4
  /** Frames of single bits need not begin at a byte. */
  readonly bitOffsetOf?: (frame: number) => { first: number; count: number }
}

const table32 = async (source: ByteSource, { offset, length }: Fragment): Promise<number[]> => {
  const bytes = await source.read(offset, length)
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4))
}

/** Start of an image in a fragment: JPEG and JPEG-LS (FFD8), JPEG 2000 code streams (FF4F). */
async function startsImage(source: ByteSource, fragment: Fragment): Promise<boolean> {
  const start = await source.read(fragment.offset, 2)
  return start[0] === 0xff && (start[1] === 0xd8 || start[1] === 0x4f)
}

/** PS3.5 A.4: one fragment a frame, or what the offset table says, or a new frame wherever an image starts. */
async function encapsulatedFrames(part10: Part10, frames: number): Promise<Fragment[][]> {
  if (!part10.pixelData) return []
  const { table, fragments } = await readFragments(part10.source, part10.pixelData)
  if (frames === 1) return [fragments]
  if (fragments.length === frames) return fragments.map((fragment) => [fragment])
  const offsets = table.length > 0 ? await table32(part10.source, table) : []
  const base = fragments[0]?.offset ?? 0
  const starts = new Set(offsets.map((offset) => base + offset))
  const grouped: Fragment[][] = []
  for (const fragment of fragments) {
    const isStart =
      grouped.length === 0 ||
      (starts.size > 0 ? starts.has(fragment.offset) : await startsImage(part10.source, fragment))
    if (isStart) grouped.push([fragment])
    else grouped.at(-1)?.push(fragment)
  }
  return grouped
}

export async function frameLayout(part10: Part10, header: JsonDataset): Promise<FrameLayout> {
  const { pixelData, transferSyntax } = part10
  const shape = imageShape(header)
  if (!pixelData) return { frames: 0, rangesOf: () => undefined, swapBytes: 0 }
  if (pixelData.length === undefined) {
    const grouped = await encapsulatedFrames(part10, shape.frames)
    return { frames: shape.frames, rangesOf: (frame) => grouped[frame - 1], swapBytes: 0 }
  }
  const size = nativeFrameBytes(shape, text(header, '00280004') ?? undefined)
  const swapBytes =
    transferSyntax.isBigEndian && pixelData.vr !== 'OB'
      ? pixelData.vr === 'OF' || shape.bitsAllocated === 32
        ? 4
        : 2
      : 0
  const exists = (frame: number): boolean => frame >= 1 && frame <= shape.frames
  if (Number.isInteger(size)) {
    return {
      frames: shape.frames,
      swapBytes,
      rangesOf: (frame) =>
        exists(frame) ? [{ offset: pixelData.valueOffset + (frame - 1) * size, length: size }] : undefined,
    }
  }
  const bits = size * 8
  const bitOffsetOf = (frame: number) => ({ first: ((frame - 1) * bits) % 8, count: bits })
  const rangesOf = (frame: number) => {
    if (!exists(frame)) return undefined
    const start = Math.floor(((frame - 1) * bits) / 8)
    return [{ offset: pixelData.valueOffset + start, length: Math.ceil((frame * bits) / 8) - start }]
  }
  return { frames: shape.frames, swapBytes, rangesOf, bitOffsetOf }
}

/** One frame as bytes; undefined when there is no such frame. */
export async function readFrame(source: ByteSource, layout: FrameLayout, frame: number): Promise<Buffer | undefined> {
  const ranges = layout.rangesOf(frame)
  if (!ranges) return undefined
  const fragments = await Promise.all(ranges.map((range) => source.read(range.offset, range.length)))
  const bytes = Buffer.concat(fragments)
  if (layout.swapBytes === 2) return bytes.length % 2 === 0 ? bytes.swap16() : bytes
  if (layout.swapBytes === 4) return bytes.length % 4 === 0 ? bytes.swap32() : bytes
  return layout.bitOffsetOf ? shifted(bytes, layout.bitOffsetOf(frame)) : bytes
}

function shifted(bytes: Buffer, { first, count }: { first: number; count: number }): Buffer {
  const out = Buffer.alloc(Math.ceil(count / 8))
  for (let bit = 0; bit < count; bit++) {
    const at = first + bit
    if (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) out[bit >> 3] = (out[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return out
}
