import { tag } from '@dmp/dicom'
import { number, text } from './attributes.ts'
import { findDecodedPhotometric, type SampleLayout } from './sampleLayout.ts'
import type { JsonDataset } from './jsonModel.ts'
import type { PixelMask, Rectangle } from './pixelMask.ts'
import { nativeFrameSize, readImageShape } from './pixelCheck.ts'

/** What is black in pixels of one kind: the darkest that they can show. */

const subsampled = new Set(['YBR_FULL_422', 'YBR_PARTIAL_422'])

interface Samples {
  readonly header: JsonDataset
  readonly photometric: string
  readonly samples: number
  readonly bitsAllocated: number
}

/** The lowest or highest value that samples may have, moved to where their bits lie. */
function findLimit({ header, bitsAllocated }: Samples, isHighest: boolean): number {
  const stored = number(header, tag.BitsStored) ?? bitsAllocated
  const shift = Math.max(0, (number(header, tag.HighBit) ?? stored - 1) + 1 - stored)
  const isSigned = number(header, tag.PixelRepresentation) === 1
  const value = isSigned ? (isHighest ? 2 ** (stored - 1) - 1 : -(2 ** (stored - 1))) : isHighest ? 2 ** stored - 1 : 0
  return value * 2 ** shift
}

/** Entries of a colour table; undefined where it is segmented or missing. */
function readTable(header: JsonDataset, key: string, entries: number): number[] | undefined {
  const inline = header[key]?.InlineBinary
  if (inline === undefined) return undefined
  const bytes = Buffer.from(inline, 'base64')
  if (bytes.length < entries) return undefined
  return Array.from({ length: entries }, (_, at) =>
    bytes.length >= entries * 2 ? bytes.readUInt16LE(at * 2) : (bytes[at] ?? 0),
  )
}

/** The index of the darkest colour; any index hides the text as well, so without a readable table it is the first. */
function findDarkestIndex(pixels: Samples): number {
  const { header } = pixels
  const descriptor = header[tag.RedPaletteColorLookupTableDescriptor]?.Value ?? []
  const entries = Number(descriptor[0] ?? 0) || 2 ** 16
  const first = Math.max(0, Number(descriptor[1] ?? 0))
  const tables = [
    tag.RedPaletteColorLookupTableData,
    tag.GreenPaletteColorLookupTableData,
    tag.BluePaletteColorLookupTableData,
  ].map((key) => readTable(header, key, entries))
  const highest = findLimit(pixels, true)
  let darkest = { index: first, light: Infinity }
  for (let at = 0; at < entries && first + at <= highest; at += 1) {
    const light = tables.reduce((sum, table) => sum + (table?.[at] ?? 0), 0)
    if (light < darkest.light) darkest = { index: first + at, light }
  }
  return darkest.index
}

/** The value of each sample of a black pixel. */
function findBlack(pixels: Samples): number[] {
  const { header, photometric, samples, bitsAllocated } = pixels
  if (photometric === 'PALETTE COLOR') return [findDarkestIndex(pixels)]
  if (samples === 1) return [findLimit(pixels, photometric === 'MONOCHROME1')]
  if (!photometric.startsWith('YBR_') || samples !== 3) return Array.from({ length: samples }, () => 0)
  const stored = number(header, tag.BitsStored) ?? bitsAllocated
  const noColour = 2 ** (stored - 1)
  return [photometric.startsWith('YBR_PARTIAL') ? 2 ** (stored - 4) : 0, noColour, noColour]
}

/** A sample in little endian; negative ones as the complement of two. */
const toBytes = (value: number, bits: number): number[] =>
  Array.from({ length: bits / 8 }, (_, at) => Math.floor(value / 2 ** (8 * at)) & 0xff)

function createMask(
  pixels: Samples,
  rectangles: readonly Rectangle[],
  isPlanar: boolean,
  isPaired: boolean,
): PixelMask {
  const { header, bitsAllocated } = pixels
  const { rows, columns, frames } = readImageShape(header)
  const samples = findBlack(pixels)
  const toUnit = (values: readonly number[]): number[] =>
    bitsAllocated % 8 === 0 ? values.flatMap((value) => toBytes(value, bitsAllocated)) : [values[0] === 0 ? 0 : 1]
  const shape = { rectangles, rows, frames }
  const [luma = 0, ...colours] = samples
  if (isPaired)
    return {
      ...shape,
      pixelsPerUnit: 2,
      unitsPerRow: Math.ceil(columns / 2),
      unitBits: 4 * bitsAllocated,
      black: [toUnit([luma, luma, ...colours])],
    }
  const planes = isPlanar ? samples.map((value) => [value]) : [samples]
  return {
    ...shape,
    pixelsPerUnit: 1,
    unitsPerRow: columns,
    unitBits: (samples.length / planes.length) * bitsAllocated,
    black: planes.map(toUnit),
  }
}

/** Of pixels as they are stored, uncompressed and in little endian, in `length` bytes. */
export function createNativeMask(header: JsonDataset, length: number, rectangles: readonly Rectangle[]): PixelMask {
  const shape = readImageShape(header)
  const photometric = text(header, tag.PhotometricInterpretation) ?? 'MONOCHROME2'
  // Some writers say 4:2:2 and store every colour of every pixel.
  const isPaired = subsampled.has(photometric) && length < Math.ceil(nativeFrameSize(shape, undefined) * shape.frames)
  const isPlanar = shape.samples > 1 && number(header, tag.PlanarConfiguration) === 1
  return createMask({ header, photometric, ...shape }, rectangles, isPlanar && !isPaired, isPaired)
}

/** Of one compressed frame, once it is decoded. */
export function createDecodedMask(
  header: JsonDataset,
  { photometric, samples, bitsAllocated }: SampleLayout,
  transferSyntaxUID: string,
  rectangles: readonly Rectangle[],
): PixelMask {
  const decoded = findDecodedPhotometric(transferSyntaxUID, photometric)
  const mask = createMask({ header, photometric: decoded, samples, bitsAllocated }, rectangles, false, false)
  return { ...mask, frames: 1 }
}
