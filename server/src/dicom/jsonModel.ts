import { fromParserKey, fromTagNumber, tag, toParserKey, type Charset } from '@dmp/dicom'
import type { DataSet, Element } from 'dicom-parser'
import { declaredCharset } from './declaredCharset.ts'
import { findVr } from './dictionary.ts'
import type { Part10 } from './part10.ts'
import { ValueBudget } from './valueBudget.ts'

/** The DICOM JSON model (PS3.18 annex F), in which headers are stored and returned. */
export interface JsonElement {
  readonly vr: string
  readonly Value?: readonly JsonValue[]
  readonly InlineBinary?: string
  /** Relative to the instance (`bulkdata/7FE00010`); responses make it absolute. */
  readonly BulkDataURI?: string
}
export type JsonDataset = { readonly [tag: string]: JsonElement }
export interface JsonName {
  readonly Alphabetic?: string
  readonly Ideographic?: string
  readonly Phonetic?: string
}
export type JsonValue = string | number | null | JsonName | JsonDataset

/** Larger values stay in the object and are fetched by URL. */
const maxInlineBinaryBytes = 4096
const maxInlineTextBytes = 64 * 1024
/** Twice the longest that DICOM knows: 65,536 entries of two bytes. */
const maxPaletteBytes = 256 * 1024

/** Colour tables belong to the image: viewers need them with the header. */
const palettes = new Set([
  tag.RedPaletteColorLookupTableData,
  tag.GreenPaletteColorLookupTableData,
  tag.BluePaletteColorLookupTableData,
])

const binaryVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'UN'])
const singleTextVrs = new Set(['LT', 'ST', 'UT', 'UR'])
/** VRs whose text the specific character set governs (PS3.5 section 6.1.2.3). */
const charsetVrs = new Set(['LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UT'])
const numberSizes: Record<string, number> = { US: 2, SS: 2, UL: 4, SL: 4, FL: 4, FD: 8, SV: 8, UV: 8, AT: 4 }

interface HeaderBytes {
  readonly bytes: Buffer
  readonly isBigEndian: boolean
  /**
   * False where the object states no VR: the library then takes it from the dictionary, which does not know whether
   * pixels are signed.
   */
  readonly isExplicit: boolean
  readonly charset: Charset
  readonly isSigned: boolean
  readonly budget: ValueBudget
}

/** The real VR of an element: files in implicit VR do not state it, and some writers state UN for known elements. */
export function toEffectiveVr(tag: string, statedVr: string | undefined, isSigned: boolean): string {
  if (statedVr !== undefined && statedVr !== 'UN') return statedVr
  const dictionaryVr = findVr(tag, isSigned)
  return dictionaryVr === undefined || (dictionaryVr === 'SQ' && statedVr === 'UN') ? 'UN' : dictionaryVr
}

function parseNumbers(reading: HeaderBytes, element: Element, vr: string): JsonValue[] {
  const view = new DataView(reading.bytes.buffer, reading.bytes.byteOffset + element.dataOffset, element.length)
  const little = !reading.isBigEndian
  const size = numberSizes[vr] ?? 1
  reading.budget.spendOnNumbers(vr, element.length / size)
  const read: Record<string, (at: number) => JsonValue> = {
    US: (at) => view.getUint16(at, little),
    SS: (at) => view.getInt16(at, little),
    UL: (at) => view.getUint32(at, little),
    SL: (at) => view.getInt32(at, little),
    FL: (at) => toFiniteNumber(view.getFloat32(at, little)),
    FD: (at) => toFiniteNumber(view.getFloat64(at, little)),
    SV: (at) => String(view.getBigInt64(at, little)),
    UV: (at) => String(view.getBigUint64(at, little)),
    AT: (at) => fromTagNumber(view.getUint16(at, little) * 0x10000 + view.getUint16(at + 2, little)),
  }
  const readNumber = read[vr]
  return readNumber
    ? Array.from({ length: Math.floor(element.length / size) }, (_, index) => readNumber(index * size))
    : []
}

const toFiniteNumber = (value: number): number | null => (Number.isFinite(value) ? value : null)

function parsePersonName(text: string): JsonName | null {
  const [alphabetic = '', ideographic = '', phonetic = ''] = text.split('=').map((group) => group.trim())
  if (!alphabetic && !ideographic && !phonetic) return null
  return {
    ...(alphabetic && { Alphabetic: alphabetic }),
    ...(ideographic && { Ideographic: ideographic }),
    ...(phonetic && { Phonetic: phonetic }),
  }
}

function parseTexts(reading: HeaderBytes, element: Element, vr: string): JsonValue[] {
  const bytes = reading.bytes.subarray(element.dataOffset, element.dataOffset + element.length)
  reading.budget.spendOnTexts(vr, bytes)
  const text = charsetVrs.has(vr)
    ? reading.charset.decode(bytes)
    : bytes.toString('latin1').replace(/[\0-\x08\x0b\x0e-\x1f\x7f]/g, '')
  if (singleTextVrs.has(vr)) {
    const value = text.trimEnd()
    return value ? [value] : []
  }
  const values = text.split('\\').map((value) => value.trim())
  if (values.every((value) => value === '')) return []
  return values.map((value) => {
    if (value === '') return null
    if (vr === 'PN') return parsePersonName(value)
    if (vr !== 'IS' && vr !== 'DS') return value
    const number = Number(value)
    // Broken numbers stay readable as text instead of vanishing.
    return Number.isFinite(number) ? number : value
  })
}

function toJsonElement(reading: HeaderBytes, element: Element, path: string): JsonElement {
  const tag = fromParserKey(element.tag)
  const vr = element.items ? 'SQ' : toEffectiveVr(tag, reading.isExplicit ? element.vr : undefined, reading.isSigned)
  if (element.items) {
    const items = element.items.map((item, index) =>
      item.dataSet ? toJsonItems(reading, item.dataSet, `${path}${tag}-${index}-`) : {},
    )
    return items.length > 0 ? { vr, Value: items } : { vr }
  }
  if (element.length === 0 || vr === 'SQ') return { vr }
  if (binaryVrs.has(vr) || element.fragments) {
    if (element.fragments || element.length > (palettes.has(tag) ? maxPaletteBytes : maxInlineBinaryBytes))
      return { vr, BulkDataURI: `bulkdata/${path}${tag}` }
    reading.budget.spendOnBinary(element.length)
    return {
      vr,
      InlineBinary: reading.bytes.toString('base64', element.dataOffset, element.dataOffset + element.length),
    }
  }
  if (element.length > maxInlineTextBytes) return { vr, BulkDataURI: `bulkdata/${path}${tag}` }
  const Value = vr in numberSizes ? parseNumbers(reading, element, vr) : parseTexts(reading, element, vr)
  return Value.length > 0 ? { vr, Value } : { vr }
}

function toJsonItems(reading: HeaderBytes, dataSet: DataSet, path: string): JsonDataset {
  const itemReading = dataSet.elements[toParserKey(tag.SpecificCharacterSet)]
    ? { ...reading, charset: readCharset(dataSet) }
    : reading
  const json: Record<string, JsonElement> = {}
  for (const key of Object.keys(dataSet.elements).sort()) {
    const element = dataSet.elements[key]
    const tag = fromParserKey(key)
    // The model needs no group lengths; delimiters are not elements.
    if (!element || tag.endsWith('0000') || tag.startsWith('FFFE')) continue
    reading.budget.spendOnElement()
    json[tag] = toJsonElement(itemReading, element, path)
  }
  return json
}

const readCharset = (dataSet: DataSet): Charset =>
  declaredCharset(
    dataSet.string(toParserKey(tag.SpecificCharacterSet)) === undefined
      ? ''
      : readRawText(dataSet, toParserKey(tag.SpecificCharacterSet)),
  )

function readRawText(dataSet: DataSet, key: string): string {
  const element = dataSet.elements[key]
  return element
    ? Buffer.from(dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length)).toString(
        'latin1',
      )
    : ''
}

/** The whole header as DICOM JSON, private elements included. Throws `DicomRefusal` where it takes too much memory. */
export function toJson(
  dataSet: DataSet,
  { header: bytes, transferSyntax: { isBigEndian, isExplicit } }: Pick<Part10, 'header' | 'transferSyntax'>,
  maxValueBytes: number,
): { json: JsonDataset; charset: Charset } {
  const charset = readCharset(dataSet)
  const isSigned = (dataSet.uint16(toParserKey(tag.PixelRepresentation)) ?? 0) === 1
  const budget = new ValueBudget(maxValueBytes)
  return { json: toJsonItems({ bytes, isBigEndian, isExplicit, charset, isSigned, budget }, dataSet, ''), charset }
}

/** The elements of a header that have one of the tags. */
export const pickTags = (header: JsonDataset, tags: readonly string[]): JsonDataset =>
  Object.fromEntries(tags.flatMap((tag) => (header[tag] ? [[tag, header[tag]]] : [])))
