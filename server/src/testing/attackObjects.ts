import { constants, deflateRawSync } from 'node:zlib'
import { tag } from '@dmp/dicom'
import { elementBytes, itemBytes, part10Start } from '@dmp/dimse/elementWriter'
import {
  CT,
  datasetBytes,
  dicomFile,
  encapsulated,
  explicitLittle,
  slice,
  text,
  u16,
  type Elements,
} from '../dicom/testing/dicomFile.ts'

/**
 * Objects that are cheap to send and dear to read, as an attacker made them. Each has UIDs of its own below `uid`, so
 * that several of them may be stored. All are coherent DICOM: only what they cost is wrong with them.
 */

const deflated = '1.2.840.10008.1.2.1.99'
const explicitVr = '1.2.840.10008.1.2.1'

const identity = (uid: string): Elements => ({
  [tag.SOPInstanceUID]: text('UI', `${uid}.3`),
  [tag.StudyInstanceUID]: text('UI', `${uid}.1`),
  [tag.SeriesInstanceUID]: text('UI', `${uid}.2`),
})

/** The addresses of an object made here, below /dicom-web. */
export const attackAddress = (uid: string): string => `/dicom-web/studies/${uid}.1/series/${uid}.2/instances/${uid}.3`

const withoutImage = (changes: Elements): Elements =>
  Object.fromEntries(Object.entries(slice(changes)).filter(([key]) => !/^(?:0028|7FE0)/.test(key)))

/** A file around a data set that is deflated with the greatest effort, unless it is to be plain. */
function fileAround(uid: string, dataset: Buffer, isDeflated: boolean): Buffer {
  const start = part10Start({
    sopClassUID: CT,
    sopInstanceUID: `${uid}.3`,
    transferSyntaxUID: isDeflated ? deflated : explicitVr,
  })
  return Buffer.concat([start, isDeflated ? deflateRawSync(dataset, { level: constants.Z_BEST_COMPRESSION }) : dataset])
}

/**
 * One sequence of very many items (A3): about 7 kB for 140,000 of them when deflated, 2.2 MB when plain. Walking,
 * parsing and converting it to JSON takes seconds.
 */
export function manyItems(uid: string, items = 140_000, isDeflated = true): Buffer {
  const item = itemBytes(elementBytes('00081150', text('UI', ''), explicitLittle), false)
  const sequence = elementBytes(
    '00081140',
    { vr: 'SQ', value: Buffer.alloc(items * item.length, item) },
    explicitLittle,
  )
  const [before, after] = splitAt(withoutImage(identity(uid)), '00081140')
  return fileAround(uid, Buffer.concat([datasetBytes(before), sequence, datasetBytes(after)]), isDeflated)
}

/**
 * Names of one letter each, as many as so many bytes hold: in the memory of a program each takes a hundred bytes. 23 MB
 * of them ended the whole process, with the thread that read them.
 */
export function manyNames(uid: string, bytes: number): Buffer {
  const names = { vr: 'PN', value: Buffer.alloc(4000, 'a\\') }
  const item = itemBytes(elementBytes('00081070', names, explicitLittle), false)
  const value = Buffer.alloc(Math.floor(bytes / item.length) * item.length, item)
  const [before, after] = splitAt(withoutImage(identity(uid)), '00081140')
  const sequence = elementBytes('00081140', { vr: 'SQ', value }, explicitLittle)
  return fileAround(uid, Buffer.concat([datasetBytes(before), sequence, datasetBytes(after)]), false)
}

function splitAt(elements: Elements, at: string): readonly [Elements, Elements] {
  const entries = Object.entries(elements)
  return [
    Object.fromEntries(entries.filter(([key]) => key < at)),
    Object.fromEntries(entries.filter(([key]) => key > at)),
  ]
}

/**
 * An image whose pixels are all zero (A5): deflated a thousandth of its size. The default is 118 kB that inflate to
 * 120 MB; `frames` and `bulkdata` of it were inflated for each reader.
 */
export function deflatedImage(uid: string, inflatedBytes = 120_000_000): Buffer {
  const columns = 8000
  const rows = Math.floor(inflatedBytes / (2 * columns))
  const elements = slice({
    ...identity(uid),
    [tag.Rows]: u16(rows),
    [tag.Columns]: u16(columns),
    [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(2 * rows * columns) },
  })
  return fileAround(uid, datasetBytes(elements), true)
}

/** An image of so many pixels of two bytes, plain, all of one value unless `fill` gives another. */
export function largeImage(uid: string, rows: number, columns: number, fill = 0, more: Elements = {}): Buffer {
  return dicomFile({
    elements: slice({
      ...identity(uid),
      [tag.Rows]: u16(rows),
      [tag.Columns]: u16(columns),
      [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(2 * rows * columns, fill) },
      ...more,
    }),
  })
}

/** An object whose one value, outside of the pixel data, is so long: `bulkdata/00420011` (an encapsulated document). */
export function largeValue(uid: string, bytes: number, isDeflated = false): Buffer {
  const elements = withoutImage({ ...identity(uid), '00420011': { vr: 'OB', value: Buffer.alloc(bytes, 0x20) } })
  return fileAround(uid, datasetBytes(elements), isDeflated)
}

/** Compressed pixel data in very many fragments, each of so few bytes. */
export function manyFragments(uid: string, fragments: number, bytesEach = 2): Buffer {
  const elements = slice({ ...identity(uid), [tag.NumberOfFrames]: text('IS', String(fragments)) })
  const dataset = datasetBytes(Object.fromEntries(Object.entries(elements).filter(([key]) => key !== tag.PixelData)))
  const pixels = encapsulated(Array<Buffer>(fragments).fill(Buffer.alloc(bytesEach)))
  return dicomFile({ transferSyntaxUID: '1.2.840.10008.1.2.4.50', dataset: Buffer.concat([dataset, pixels]), elements })
}

/**
 * Long texts of nothing but quotation marks: 31,000 of 998 characters are 156 kB when deflated, and 63 MB as JSON,
 * where each mark takes two.
 */
export function manyTexts(uid: string, texts: number): Buffer {
  const values = Array.from({ length: texts }, (_, index) => {
    const key = (0x00311000 + index).toString(16).toUpperCase().padStart(8, '0')
    return elementBytes(key, text('LT', '"'.repeat(998)), explicitLittle)
  })
  return fileAround(uid, Buffer.concat([datasetBytes(withoutImage(identity(uid))), ...values]), true)
}

/** A data set of very many elements of its own, each with the shortest value. */
export function manyElements(uid: string, elements: number, isDeflated = true): Buffer {
  // Group 0009 upwards: private elements, which every reader has to carry along.
  const values = Array.from({ length: elements }, (_, index) => {
    const group = 0x0031 + 2 * Math.floor(index / 0xf000)
    const element = 0x1000 + (index % 0xf000)
    const key = (group * 0x10000 + element).toString(16).toUpperCase().padStart(8, '0')
    return elementBytes(key, text('CS', 'A'), explicitLittle)
  })
  const dataset = Buffer.concat([datasetBytes(withoutImage(identity(uid))), ...values])
  return fileAround(uid, dataset, isDeflated)
}
