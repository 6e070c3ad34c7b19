import { deflateRawSync } from 'node:zlib'
import { tag } from '@dmp/dicom'
import { findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import {
  elementBytes,
  itemBytes,
  part10Start,
  textValue,
  type Encoding,
  type RawElement,
} from '@dmp/dimse/elementWriter'

/** Makes small objects for tests, honest by default; every part can be replaced by a lie. */

export type Elements = Record<string, RawElement | Elements[]>

export const explicitLittle: Encoding = { isExplicit: true, isBigEndian: false }
export const text = textValue
export const u16 = (value: number, isBigEndian = false): RawElement => {
  const bytes = Buffer.alloc(2)
  if (isBigEndian) bytes.writeUInt16BE(value)
  else bytes.writeUInt16LE(value)
  return { vr: 'US', value: bytes }
}

export function datasetBytes(elements: Elements, encoding: Encoding = explicitLittle): Buffer {
  return Buffer.concat(
    Object.keys(elements)
      .sort()
      .map((tag) => {
        const value = elements[tag]
        if (!Array.isArray(value)) return value ? elementBytes(tag, value, encoding) : Buffer.alloc(0)
        const items = value.map((item) => itemBytes(datasetBytes(item, encoding), encoding.isBigEndian))
        return elementBytes(tag, { vr: 'SQ', value: Buffer.concat(items) }, encoding)
      }),
  )
}

export const CT = '1.2.840.10008.5.1.4.1.1.2'

/** A 4 × 4 CT slice. */
export function slice(changes: Elements = {}, isBigEndian = false): Elements {
  return {
    [tag.SOPClassUID]: text('UI', CT),
    [tag.SOPInstanceUID]: text('UI', '1.2.3.4.5'),
    [tag.StudyDate]: text('DA', '20240506'),
    [tag.Modality]: text('CS', 'CT'),
    [tag.PatientName]: text('PN', 'Tester^Tilda'),
    [tag.PatientID]: text('LO', 'T-1'),
    [tag.StudyInstanceUID]: text('UI', '1.2.3'),
    [tag.SeriesInstanceUID]: text('UI', '1.2.3.4'),
    [tag.SamplesPerPixel]: u16(1, isBigEndian),
    [tag.PhotometricInterpretation]: text('CS', 'MONOCHROME2'),
    [tag.Rows]: u16(4, isBigEndian),
    [tag.Columns]: u16(4, isBigEndian),
    [tag.BitsAllocated]: u16(16, isBigEndian),
    [tag.BitsStored]: u16(12, isBigEndian),
    [tag.HighBit]: u16(11, isBigEndian),
    [tag.PixelRepresentation]: u16(0, isBigEndian),
    [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(32) },
    ...changes,
  }
}

export interface FileParts {
  readonly elements?: Elements
  readonly dataset?: Buffer
  readonly start?: Buffer
  readonly transferSyntaxUID?: string
  readonly sopInstanceUID?: string
}

export function dicomFile({
  elements = slice(),
  dataset,
  start,
  transferSyntaxUID = '1.2.840.10008.1.2.1',
  sopInstanceUID,
}: FileParts = {}): Buffer {
  const syntax = findTransferSyntax(transferSyntaxUID)
  const uid = elements[tag.SOPInstanceUID]
  const namedInstanceUID = sopInstanceUID ?? (uid && !Array.isArray(uid) ? uid.value.toString('latin1') : '1.2.3.4.5')
  const bytes = dataset ?? datasetBytes(elements, syntax ?? explicitLittle)
  const body = syntax?.isDeflated ? deflateRawSync(bytes) : bytes
  return Buffer.concat([
    start ?? part10Start({ sopClassUID: CT, sopInstanceUID: namedInstanceUID, transferSyntaxUID }),
    body,
  ])
}

/** Encapsulated pixel data: offset table, fragments, delimiter. */
export function encapsulated(fragments: readonly Buffer[], table: readonly number[] = []): Buffer {
  const offsets = Buffer.alloc(table.length * 4)
  table.forEach((offset, index) => offsets.writeUInt32LE(offset, index * 4))
  const head = Buffer.from([0xe0, 0x7f, 0x10, 0x00, 0x4f, 0x42, 0, 0, 0xff, 0xff, 0xff, 0xff])
  const end = Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0])
  return Buffer.concat([
    head,
    itemBytes(offsets, false),
    ...fragments.map((fragment) => itemBytes(fragment, false)),
    end,
  ])
}
