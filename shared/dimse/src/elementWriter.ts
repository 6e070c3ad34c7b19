import { hasLongLength, tag } from '@dmp/dicom'

/** How elements are written (PS3.5 section 7.1). */
export interface Encoding {
  readonly isExplicit: boolean
  readonly isBigEndian: boolean
}

/** Raw bytes of one element's value, to be written under a tag. */
export interface RawElement {
  readonly vr: string
  readonly value: Buffer
}

const paddingBytes: Record<string, number> = { UI: 0, OB: 0, UN: 0 }

function tagBytes(tag: string, isBigEndian: boolean): Buffer {
  const bytes = Buffer.alloc(4)
  const group = parseInt(tag.slice(0, 4), 16)
  const element = parseInt(tag.slice(4), 16)
  if (isBigEndian) {
    bytes.writeUInt16BE(group, 0)
    bytes.writeUInt16BE(element, 2)
  } else {
    bytes.writeUInt16LE(group, 0)
    bytes.writeUInt16LE(element, 2)
  }
  return bytes
}

function numberBytes(value: number, size: 2 | 4, isBigEndian: boolean): Buffer {
  const bytes = Buffer.alloc(size)
  if (isBigEndian) bytes.writeUIntBE(value, 0, size)
  else bytes.writeUIntLE(value, 0, size)
  return bytes
}

/** One element with its header; odd values are padded (PS3.5 section 6.2). */
export function elementBytes(tag: string, { vr, value }: RawElement, { isExplicit, isBigEndian }: Encoding): Buffer {
  const evenValue = value.length % 2 === 0 ? value : Buffer.concat([value, Buffer.from([paddingBytes[vr] ?? 0x20])])
  const header = tagBytes(tag, isBigEndian)
  if (!isExplicit) return Buffer.concat([header, numberBytes(evenValue.length, 4, isBigEndian), evenValue])
  if (hasLongLength(vr))
    return Buffer.concat([
      header,
      Buffer.from(`${vr}\0\0`, 'latin1'),
      numberBytes(evenValue.length, 4, isBigEndian),
      evenValue,
    ])
  if (evenValue.length > 0xffff) throw new RangeError(`A value of ${vr} cannot be that long.`)
  return Buffer.concat([header, Buffer.from(vr, 'latin1'), numberBytes(evenValue.length, 2, isBigEndian), evenValue])
}

export function itemBytes(content: Buffer, isBigEndian: boolean): Buffer {
  return Buffer.concat([tagBytes(tag.Item, isBigEndian), numberBytes(content.length, 4, isBigEndian), content])
}

/** Text as the value of an element. ASCII and UTF-8 only: declare ISO_IR 192 for anything beyond ASCII. */
export const textValue = (vr: string, text: string): RawElement => ({ vr, value: Buffer.from(text, 'utf8') })

const explicitLittle: Encoding = { isExplicit: true, isBigEndian: false }
const implementationClassUID = '2.25.131391204113917318305913160118297541'

/** Preamble (zeros), prefix and file meta information of an object that this product wrote. */
export function part10Start(identity: {
  sopClassUID: string
  sopInstanceUID: string
  transferSyntaxUID: string
}): Buffer {
  const elements = Buffer.concat([
    elementBytes(tag.FileMetaInformationVersion, { vr: 'OB', value: Buffer.from([0, 1]) }, explicitLittle),
    elementBytes(tag.MediaStorageSOPClassUID, textValue('UI', identity.sopClassUID), explicitLittle),
    elementBytes(tag.MediaStorageSOPInstanceUID, textValue('UI', identity.sopInstanceUID), explicitLittle),
    elementBytes(tag.TransferSyntaxUID, textValue('UI', identity.transferSyntaxUID), explicitLittle),
    elementBytes(tag.ImplementationClassUID, textValue('UI', implementationClassUID), explicitLittle),
    elementBytes(tag.ImplementationVersionName, textValue('SH', 'DMP_1_1'), explicitLittle),
  ])
  const length = elementBytes(
    tag.FileMetaInformationGroupLength,
    { vr: 'UL', value: numberBytes(elements.length, 4, false) },
    explicitLittle,
  )
  return Buffer.concat([Buffer.alloc(128), Buffer.from('DICM', 'latin1'), length, elements])
}
