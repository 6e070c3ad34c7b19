import { firstValue, type JsonDataset } from '../dataset.ts'
import * as tag from '../tags.ts'

/** What a header says of its pixels; where it says nothing, what nearly all objects say. */
export interface PixelShape {
  readonly rows: number
  readonly columns: number
  readonly samples: number
  readonly bitsAllocated: number
  readonly bitsStored: number
  readonly highBit: number
  readonly isSigned: boolean
  readonly isPlanar: boolean
  readonly photometric: string
}

/** Numbers may come as text: decimal strings do, and some servers send all numbers so. */
function readNumber(header: JsonDataset, key: string): number | undefined {
  const value = firstValue(header, key)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export function readPixelShape(header: JsonDataset): PixelShape {
  const samples = readNumber(header, tag.SamplesPerPixel) ?? 1
  const bitsAllocated = readNumber(header, tag.BitsAllocated) ?? 0
  const stated = readNumber(header, tag.BitsStored) ?? 0
  const bitsStored = stated >= 1 && stated <= bitsAllocated ? stated : bitsAllocated
  const statedHighBit = readNumber(header, tag.HighBit) ?? 0
  const highBit = statedHighBit >= bitsStored - 1 && statedHighBit < bitsAllocated ? statedHighBit : bitsStored - 1
  const photometric = firstValue(header, tag.PhotometricInterpretation)
  return {
    rows: readNumber(header, tag.Rows) ?? 0,
    columns: readNumber(header, tag.Columns) ?? 0,
    samples,
    bitsAllocated,
    bitsStored,
    highBit,
    isSigned: readNumber(header, tag.PixelRepresentation) === 1,
    isPlanar: readNumber(header, tag.PlanarConfiguration) === 1,
    photometric:
      (typeof photometric === 'string' ? photometric.trim().toUpperCase() : '') ||
      (samples === 1 ? 'MONOCHROME2' : 'RGB'),
  }
}

const element = (vr: string, value: string | number) => ({ vr, Value: [value] })

/** The elements of a header that say a shape. */
export const writePixelShape = (shape: PixelShape): JsonDataset => ({
  [tag.SamplesPerPixel]: element('US', shape.samples),
  [tag.PhotometricInterpretation]: element('CS', shape.photometric),
  [tag.PlanarConfiguration]: element('US', shape.isPlanar ? 1 : 0),
  [tag.Rows]: element('US', shape.rows),
  [tag.Columns]: element('US', shape.columns),
  [tag.BitsAllocated]: element('US', shape.bitsAllocated),
  [tag.BitsStored]: element('US', shape.bitsStored),
  [tag.HighBit]: element('US', shape.highBit),
  [tag.PixelRepresentation]: element('US', shape.isSigned ? 1 : 0),
})
