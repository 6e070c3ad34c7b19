import { tag } from '@dmp/dicom'
import { number } from './attributes.ts'
import type { JsonDataset } from './jsonModel.ts'
import { readFragments, type Part10 } from './part10.ts'
import { DicomRefusal } from './refusal.ts'

/** The dimensions of pixel data. */
export interface ImageShape {
  readonly rows: number
  readonly columns: number
  readonly frames: number
  readonly samples: number
  readonly bitsAllocated: number
}

export function readImageShape(header: JsonDataset): ImageShape {
  return {
    rows: number(header, tag.Rows) ?? 0,
    columns: number(header, tag.Columns) ?? 0,
    frames: Math.max(1, number(header, tag.NumberOfFrames) ?? 1),
    samples: number(header, tag.SamplesPerPixel) ?? 1,
    bitsAllocated: number(header, tag.BitsAllocated) ?? 0,
  }
}

/** Bytes of one native frame; a fraction where frames are packed bits. */
export function nativeFrameSize(shape: ImageShape, photometric: string | undefined): number {
  const samples = photometric === 'YBR_FULL_422' || photometric === 'YBR_PARTIAL_422' ? 2 : shape.samples
  return (shape.rows * shape.columns * samples * shape.bitsAllocated) / 8
}

/** Pixel data must hold what the header promises: decoders trust these numbers. */
export async function checkImage(part10: Part10, header: JsonDataset): Promise<void> {
  const { pixelData } = part10
  if (!pixelData) {
    // Objects without an image are normal; an object that describes an image has lost it.
    if (header[tag.Rows] && header[tag.Columns] && header[tag.BitsAllocated])
      throw new DicomRefusal('PIXEL_DATA', 'The object describes an image, but its pixel data are missing.')
    return
  }
  const shape = readImageShape(header)
  const isWhole = (value: number): boolean => Number.isInteger(value) && value >= 0
  if (!isWhole(shape.rows) || !isWhole(shape.columns) || !isWhole(shape.frames))
    throw new DicomRefusal('PIXEL_DATA', 'The number of rows, columns or frames is not a whole number.')
  if (shape.rows === 0 || shape.columns === 0)
    throw new DicomRefusal('PIXEL_DATA', 'There are pixel data, but no rows or columns.')
  if (shape.samples < 1 || shape.samples > 4)
    throw new DicomRefusal('PIXEL_DATA', 'The number of samples per pixel is invalid.')
  if (![1, 8, 12, 16, 24, 32, 64].includes(shape.bitsAllocated))
    throw new DicomRefusal('PIXEL_DATA', 'The number of allocated bits is invalid.')
  if (pixelData.length === undefined) {
    const { fragments } = await readFragments(part10.source, pixelData)
    if (fragments.length === 0) throw new DicomRefusal('PIXEL_DATA', 'The pixel data have no fragments.')
    // Video streams keep all frames in one fragment.
    if (fragments.length < shape.frames && !part10.transferSyntax.mediaType.startsWith('video/'))
      throw new DicomRefusal('PIXEL_DATA', 'There are more frames than fragments of pixel data.')
    return
  }
  const photometric = header[tag.PhotometricInterpretation]?.Value?.[0]
  const expectedLength = Math.floor(
    nativeFrameSize(shape, typeof photometric === 'string' ? photometric : undefined) * shape.frames,
  )
  if (pixelData.length < expectedLength)
    throw new DicomRefusal('PIXEL_DATA', 'The pixel data are shorter than rows, columns and frames need.')
}
