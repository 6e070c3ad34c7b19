import { tag, transferSyntax } from '@dmp/dicom'
import { elementBytes, itemBytes } from '@dmp/dimse/elementWriter'
import { createDecodedMask } from './blackPixels.ts'
import type { ByteSource } from './byteSource.ts'
import type { CopiedPixels } from './cleanPixels.ts'
import { canDecode, type SampleLayout } from './sampleLayout.ts'
import type { DecodingJob } from './drawing.thread.ts'
import { readSampleLayout } from './explicitForm.ts'
import { readFrameTable, type FrameTable } from './frames.ts'
import type { Instance } from './instance.ts'
import { pickTags, type JsonDataset } from './jsonModel.ts'
import { readCompressedFrame } from './pictureFrame.ts'
import { pictureTags } from './pictureTags.ts'
import type { PixelMask, Rectangle } from './pixelMask.ts'

/**
 * Compressed pixels with rectangles blacked out: each frame is decoded, masked and compressed again without loss, by
 * itself and in the threads that draw. Run lengths are the one lossless compression that keeps every kind of sample
 * and that every receiver reads (docs/decisions/0062-masked-pixels.md).
 */
export interface DecodedPixels {
  readonly table: FrameTable
  readonly layout: SampleLayout
  /** The attributes that a frame is checked by before it is decoded. */
  readonly attributes: JsonDataset
  readonly mask: PixelMask
}

/** One frame, counted from 1, masked and compressed again. */
export type MaskFrame = (pixels: DecodedPixels, frame: number) => Promise<Uint8Array>

export const maskedSyntaxUID = transferSyntax.rleLossless

export const isDecoded = (pixels: CopiedPixels | DecodedPixels): pixels is DecodedPixels => 'table' in pixels

/** Undefined where the server has no decoder for the pixels. */
export async function findDecodedPixels(
  { part10, header }: Instance,
  rectangles: readonly Rectangle[],
): Promise<DecodedPixels | undefined> {
  const { uid } = part10.transferSyntax
  if (!canDecode(uid)) return undefined
  const layout = readSampleLayout(header)
  return {
    table: await readFrameTable(part10, header),
    layout,
    attributes: pickTags(header, [...pictureTags]),
    mask: createDecodedMask(header, layout, uid, rectangles),
  }
}

/** What a drawing thread is told of a frame. Throws `NoPicture` when it cannot be decoded. */
export async function readMaskingJob(
  source: ByteSource,
  { table, layout, attributes, mask }: DecodedPixels,
  frame: number,
): Promise<DecodingJob> {
  const bytes = await readCompressedFrame(source, table, attributes, frame)
  const own = Uint8Array.from(bytes)
  return { layout, mask, frame: own.buffer, transferSyntaxUID: table.transferSyntaxUID }
}

const explicitLittle = { isExplicit: true, isBigEndian: false } as const

/** The pixel data: an empty offset table, and a fragment for each frame. */
export async function* writeMaskedFrames(pixels: DecodedPixels, maskFrame?: MaskFrame): AsyncGenerator<Uint8Array> {
  if (!maskFrame) throw new Error('Masked frames are made by the threads that draw.')
  const nothing = Buffer.alloc(0)
  const head = elementBytes(tag.PixelData, { vr: 'OB', value: nothing }, explicitLittle)
  head.writeUInt32LE(0xffffffff, head.length - 4)
  yield head
  yield itemBytes(nothing, false)
  for (let frame = 1; frame <= pixels.table.frames; frame += 1) {
    const bytes = await maskFrame(pixels, frame)
    yield itemBytes(Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]), false)
  }
  yield elementBytes(
    tag.SequenceDelimitationItem,
    { vr: 'UN', value: nothing },
    { ...explicitLittle, isExplicit: false },
  )
}
