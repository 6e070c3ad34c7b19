import { fromParserKey, hasLongLength, tag, toParserKey } from '@dmp/dicom'
import { explicitLittleEndianUID } from '@dmp/dicom/transferSyntaxes'
import { elementBytes, itemBytes, part10Start, textValue, type RawElement } from '@dmp/dimse/elementWriter'
import type { DataSet, Element } from 'dicom-parser'
import { number, text } from './attributes.ts'
import type { Range } from './byteSource.ts'
import { canDecode, findDecodedPhotometric, type SampleLayout } from './sampleLayout.ts'
import { readFrameTable, type FrameTable } from './frames.ts'
import type { Instance } from './instance.ts'
import { toEffectiveVr, type JsonDataset } from './jsonModel.ts'
import { readImageShape } from './pixelCheck.ts'
import { swapValue } from './swapValue.ts'

/** An object in explicit little endian, which every receiver reads: all but its pixels, and where those come from. */
export interface ExplicitForm {
  /** Preamble, file meta information and data set, up to the value of the pixel data. */
  readonly start: Uint8Array
  readonly pixels: ExplicitPixels | undefined
}

export type ExplicitPixels =
  | { readonly kind: 'native'; readonly range: Range; readonly swapBytes: FrameTable['swapBytes'] }
  | { readonly kind: 'compressed'; readonly table: FrameTable; readonly layout: SampleLayout }

/** The object cannot be written in explicit little endian. */
export class CannotTranscode extends Error {}

const explicitLittle = { isExplicit: true, isBigEndian: false } as const
const longestShortValue = 0xffff
const longestValue = 0xfffffffe

interface Writing {
  readonly bytes: Buffer
  readonly isExplicit: boolean
  readonly isBigEndian: boolean
  readonly isSigned: boolean
}

function writeElement(writing: Writing, key: string, element: Element): Buffer {
  if (element.items) {
    const items = element.items.map((item) => itemBytes(item.dataSet ? writeItem(writing, item.dataSet) : empty, false))
    return elementBytes(key, { vr: 'SQ', value: Buffer.concat(items) }, explicitLittle)
  }
  // Compressed pixels of an icon: in this transfer syntax nothing may be compressed.
  if (element.fragments) throw new CannotTranscode('A sequence of the object holds compressed pixels.')
  const stated = writing.isExplicit && element.vr === 'UN' ? 'UN' : undefined
  const vr = stated ?? toEffectiveVr(key, writing.isExplicit ? element.vr : undefined, writing.isSigned)
  const raw = writing.bytes.subarray(element.dataOffset, element.dataOffset + element.length)
  const value = writing.isBigEndian ? swapValue(vr, raw) : raw
  // PS3.5 section 6.2.2: a value too long for the length field of its VR is written as UN.
  const isTooLong = !hasLongLength(vr) && value.length > longestShortValue - 1
  return elementBytes(key, { vr: isTooLong ? 'UN' : vr, value }, explicitLittle)
}

const empty = Buffer.alloc(0)
/** Optional wherever it stands; of compressed objects it may be compressed itself. */
const iconImageSequence = '00880200'

function writeItem(writing: Writing, { elements }: DataSet, replacements?: ReadonlyMap<string, RawElement>): Buffer {
  const written = new Map<string, Buffer>()
  for (const element of Object.values(elements)) {
    const key = fromParserKey(element.tag)
    // Group lengths would be wrong afterwards; delimiters and padding are no elements.
    if (key.endsWith('0000') || /^(?:FFFE|000[0-7])/.test(key) || replacements?.has(key)) continue
    if (key === iconImageSequence && hasFragments(element)) continue
    written.set(key, writeElement(writing, key, element))
  }
  for (const [key, raw] of replacements ?? []) written.set(key, elementBytes(key, raw, explicitLittle))
  return Buffer.concat([...written.keys()].sort().map((key) => written.get(key) ?? empty))
}

const hasFragments = ({ items = [] }: Element): boolean =>
  items.some(({ dataSet }) => dataSet?.elements[toParserKey(tag.PixelData)]?.fragments !== undefined)

/** The attributes that say how a frame is decoded. */
export function readSampleLayout(header: JsonDataset): SampleLayout {
  const { rows, columns, samples, bitsAllocated } = readImageShape(header)
  return {
    rows,
    columns,
    samples,
    bitsAllocated,
    bitsStored: number(header, tag.BitsStored) ?? bitsAllocated,
    isSigned: number(header, tag.PixelRepresentation) === 1,
    photometric: text(header, tag.PhotometricInterpretation) ?? 'MONOCHROME2',
  }
}

export const decodedFrameBytes = ({ rows, columns, samples, bitsAllocated }: SampleLayout): number =>
  (rows * columns * samples * bitsAllocated) / 8

/** Writes an object in explicit little endian; compressed frames are decoded later, one after the other. */
export async function toExplicitForm({ part10, dataSet, header, ...identity }: Instance): Promise<ExplicitForm> {
  const { pixelData, transferSyntax } = part10
  const { isExplicit, isBigEndian, uid } = transferSyntax
  const layout = readSampleLayout(header)
  const writing = { bytes: part10.header, isExplicit, isBigEndian, isSigned: layout.isSigned }
  const head = part10Start({ ...identity, transferSyntaxUID: explicitLittleEndianUID })
  if (!pixelData) return { start: Buffer.concat([head, writeItem(writing, dataSet)]), pixels: undefined }
  const table = await readFrameTable(part10, header)
  if (pixelData.length !== undefined) {
    const { swapBytes } = table
    const { vr, valueOffset: offset, length } = pixelData
    const dataset = writeItem(writing, dataSet)
    const pixelHead = pixelElementHead(pixelData.tag, vr, length)
    return {
      start: Buffer.concat([head, dataset, pixelHead]),
      pixels: { kind: 'native', range: { offset, length }, swapBytes: length % (swapBytes || 1) === 0 ? swapBytes : 0 },
    }
  }
  if (!canDecode(uid)) throw new CannotTranscode('The pixels are in a form that the server does not decode.')
  const length = decodedFrameBytes(layout) * table.frames
  if (length > longestValue) throw new CannotTranscode('The decoded pixels are longer than an object may hold.')
  const dataset = writeItem(writing, dataSet, pixelAttributes(uid, layout))
  const pixelHead = pixelElementHead(pixelData.tag, layout.bitsAllocated > 8 ? 'OW' : 'OB', length + (length % 2))
  return { start: Buffer.concat([head, dataset, pixelHead]), pixels: { kind: 'compressed', table, layout } }
}

/** What is different of decoded pixels. */
function pixelAttributes(uid: string, { photometric, samples }: SampleLayout): ReadonlyMap<string, RawElement> {
  return new Map([
    [tag.PhotometricInterpretation, textValue('CS', findDecodedPhotometric(uid, photometric))],
    ...(samples > 1 ? [[tag.PlanarConfiguration, { vr: 'US', value: Buffer.alloc(2) }] as const] : []),
  ])
}

function pixelElementHead(key: string, vr: string, length: number): Buffer {
  const head = elementBytes(key, { vr, value: empty }, explicitLittle)
  head.writeUInt32LE(length, head.length - 4)
  return head
}
