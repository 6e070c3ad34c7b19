import type { DataSet, Element } from 'dicom-parser'
import { Charset } from './charset.ts'
import { vrOf } from './dictionary.ts'
import type { Encoding } from './structure.ts'

/** The DICOM JSON model (PS3.18 annex F), which is how headers are kept and answered. */
export interface JsonElement {
  readonly vr: string
  readonly Value?: readonly JsonValue[]
  readonly InlineBinary?: string
  /** Relative to the instance (`bulkdata/7FE00010`); made absolute when answered. */
  readonly BulkDataURI?: string
}
export type JsonDataset = { readonly [tag: string]: JsonElement }
export interface JsonName {
  readonly Alphabetic?: string
  readonly Ideographic?: string
  readonly Phonetic?: string
}
export type JsonValue = string | number | null | JsonName | JsonDataset

/** Values above these sizes are fetched by address instead of being kept in the index. */
const INLINE_BINARY_BYTES = 4096
const INLINE_TEXT_BYTES = 64 * 1024

/** Colour tables belong to the picture: viewers want them with the header. */
const palettes = new Set(['00281201', '00281202', '00281203'])

const binaryVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'UN'])
const singleTextVrs = new Set(['LT', 'ST', 'UT', 'UR'])
/** VRs whose text the specific character set governs (PS3.5 section 6.1.2.3). */
const charsetVrs = new Set(['LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UT'])
const numberSizes: Record<string, number> = { US: 2, SS: 2, UL: 4, SL: 4, FL: 4, FD: 8, SV: 8, UV: 8, AT: 4 }

interface Reading {
  readonly bytes: Buffer
  readonly isBigEndian: boolean
  /**
   * False: the object says no VR, and what the library says comes from the dictionary, which does not know the sign of
   * the pixels.
   */
  readonly isExplicit: boolean
  readonly charset: Charset
  readonly isSigned: boolean
}

const plain = (tag: string): string => tag.slice(1).toUpperCase()

/**
 * The VR that an element really has: files in implicit VR do not say it, and some writers say UN of what everybody
 * knows.
 */
export function effectiveVr(tag: string, stated: string | undefined, isSigned: boolean): string {
  if (stated !== undefined && stated !== 'UN') return stated
  const known = vrOf(tag, isSigned)
  return known === undefined || (known === 'SQ' && stated === 'UN') ? 'UN' : known
}

function numbers(reading: Reading, element: Element, vr: string): JsonValue[] {
  const view = new DataView(reading.bytes.buffer, reading.bytes.byteOffset + element.dataOffset, element.length)
  const little = !reading.isBigEndian
  const size = numberSizes[vr] ?? 1
  const read: Record<string, (at: number) => JsonValue> = {
    US: (at) => view.getUint16(at, little),
    SS: (at) => view.getInt16(at, little),
    UL: (at) => view.getUint32(at, little),
    SL: (at) => view.getInt32(at, little),
    FL: (at) => finite(view.getFloat32(at, little)),
    FD: (at) => finite(view.getFloat64(at, little)),
    SV: (at) => String(view.getBigInt64(at, little)),
    UV: (at) => String(view.getBigUint64(at, little)),
    AT: (at) => hex(view.getUint16(at, little)) + hex(view.getUint16(at + 2, little)),
  }
  const one = read[vr]
  return one ? Array.from({ length: Math.floor(element.length / size) }, (_, index) => one(index * size)) : []
}

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0')
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

function personName(text: string): JsonName | null {
  const [alphabetic = '', ideographic = '', phonetic = ''] = text.split('=').map((group) => group.trim())
  if (!alphabetic && !ideographic && !phonetic) return null
  return {
    ...(alphabetic && { Alphabetic: alphabetic }),
    ...(ideographic && { Ideographic: ideographic }),
    ...(phonetic && { Phonetic: phonetic }),
  }
}

function texts(reading: Reading, element: Element, vr: string): JsonValue[] {
  const bytes = reading.bytes.subarray(element.dataOffset, element.dataOffset + element.length)
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
    if (vr === 'PN') return personName(value)
    if (vr !== 'IS' && vr !== 'DS') return value
    const number = Number(value)
    // Broken numbers stay readable as text rather than vanish.
    return Number.isFinite(number) ? number : value
  })
}

function jsonElement(reading: Reading, element: Element, path: string): JsonElement {
  const tag = plain(element.tag)
  const vr = element.items ? 'SQ' : effectiveVr(tag, reading.isExplicit ? element.vr : undefined, reading.isSigned)
  if (element.items) {
    const items = element.items.map((item, index) =>
      item.dataSet ? jsonItems(reading, item.dataSet, `${path}${tag}-${index}-`) : {},
    )
    return items.length > 0 ? { vr, Value: items } : { vr }
  }
  if (element.length === 0 || vr === 'SQ') return { vr }
  if (binaryVrs.has(vr) || element.fragments) {
    if (element.fragments || (element.length > INLINE_BINARY_BYTES && !palettes.has(tag)))
      return { vr, BulkDataURI: `bulkdata/${path}${tag}` }
    return {
      vr,
      InlineBinary: reading.bytes.toString('base64', element.dataOffset, element.dataOffset + element.length),
    }
  }
  if (element.length > INLINE_TEXT_BYTES) return { vr, BulkDataURI: `bulkdata/${path}${tag}` }
  const Value = vr in numberSizes ? numbers(reading, element, vr) : texts(reading, element, vr)
  return Value.length > 0 ? { vr, Value } : { vr }
}

function jsonItems(reading: Reading, dataSet: DataSet, path: string): JsonDataset {
  const own = dataSet.elements['x00080005'] ? { ...reading, charset: charsetOf(dataSet) } : reading
  const json: Record<string, JsonElement> = {}
  for (const key of Object.keys(dataSet.elements).sort()) {
    const element = dataSet.elements[key]
    const tag = plain(key)
    // Group lengths say nothing that the model needs; delimiters are not elements.
    if (!element || tag.endsWith('0000') || tag.startsWith('FFFE')) continue
    json[tag] = jsonElement(own, element, path)
  }
  return json
}

const charsetOf = (dataSet: DataSet): Charset =>
  new Charset(dataSet.string('x00080005') === undefined ? '' : rawText(dataSet, 'x00080005'))

function rawText(dataSet: DataSet, key: string): string {
  const element = dataSet.elements[key]
  return element
    ? Buffer.from(dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length)).toString(
        'latin1',
      )
    : ''
}

/** The whole header as DICOM JSON, private elements included. */
export function toJson(
  dataSet: DataSet,
  bytes: Buffer,
  { isBigEndian, isExplicit }: Encoding,
): { json: JsonDataset; charset: Charset } {
  const charset = charsetOf(dataSet)
  const isSigned = (dataSet.uint16('x00280103') ?? 0) === 1
  return { json: jsonItems({ bytes, isBigEndian, isExplicit, charset, isSigned }, dataSet, ''), charset }
}

/** Those elements of a header that have one of the tags. */
export const picked = (header: JsonDataset, tags: readonly string[]): JsonDataset =>
  Object.fromEntries(tags.flatMap((tag) => (header[tag] ? [[tag, header[tag]]] : [])))
