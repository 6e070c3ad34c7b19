import * as dicomParser from 'dicom-parser'
import type { DataSet } from 'dicom-parser'
import { text } from './attributes.ts'
import { bufferSource, type ByteSource } from './byteSource.ts'
import { vrOf } from './dictionary.ts'
import { toJson, type JsonDataset } from './jsonModel.ts'
import { readPart10, type Part10 } from './part10.ts'
import { checkImage } from './pixelCheck.ts'
import { DicomRefusal, dicomLimits } from './refusal.ts'

/** An object that may be taken in: coherent, identified, its header as DICOM JSON. */
export interface Instance {
  readonly part10: Part10
  readonly dataSet: DataSet
  readonly header: JsonDataset
  readonly sopClassUID: string
  readonly sopInstanceUID: string
  readonly studyUID: string
  readonly seriesUID: string
}

const DICOMDIR_CLASS = '1.2.840.10008.1.3.10'

// dicom-parser is CommonJS; under Jest its named exports come through `default`.
const library = ('default' in dicomParser ? dicomParser.default : dicomParser) as typeof dicomParser

export const isUid = (value: string): boolean => value.length <= dicomLimits.uidChars && /^\d+(\.\d+)+$/.test(value)

function uid(header: JsonDataset, tag: string, what: string): string {
  const value = text(header, tag)
  if (!value) throw new DicomRefusal('UID', `The object has no ${what}.`)
  if (!isUid(value) || (header[tag]?.Value?.length ?? 0) > 1) throw new DicomRefusal('UID', `The ${what} is not a UID.`)
  return value
}

/**
 * The library's reading of a walked header. VRs that it does not know are shown to it as OB, whose length is written
 * alike, and get their names back.
 */
export function parseDataSet(part10: Part10): DataSet {
  const { datasetOffset, transferSyntax, strangers } = part10
  const header = strangers.length === 0 ? part10.header : Buffer.from(part10.header)
  for (const at of strangers) header.write('OB', at, 'latin1')
  const parser = transferSyntax.isBigEndian ? library.bigEndianByteArrayParser : library.littleEndianByteArrayParser
  const stream = new library.ByteStream(parser, header, datasetOffset)
  const dataSet = new library.DataSet(parser, header, {})
  // Padding behind the last element reads as elements of group 0, which nobody looks at.
  const parse = transferSyntax.isExplicit ? library.parseDicomDataSetExplicit : library.parseDicomDataSetImplicit
  try {
    parse(dataSet, stream, header.length, { vrCallback: (tag) => vrOf(tag.slice(1).toUpperCase()) })
  } catch {
    throw new DicomRefusal('UNREADABLE', 'The elements of the object cannot be read.')
  }
  if (strangers.length > 0)
    nameAgain(dataSet, new Map(strangers.map((at) => [at + 8, part10.header.toString('latin1', at, at + 2)])))
  return dataSet
}

/** By where the value of an element begins; no deeper than the walk allowed. */
function nameAgain({ elements }: DataSet, vrs: ReadonlyMap<number, string>): void {
  for (const element of Object.values(elements)) {
    const vr = vrs.get(element.dataOffset)
    if (vr !== undefined) element.vr = vr
    for (const { dataSet } of element.items ?? []) if (dataSet) nameAgain(dataSet, vrs)
  }
}

function checkIdentity(part10: Part10, header: JsonDataset): Omit<Instance, 'part10' | 'dataSet' | 'header'> {
  if (part10.meta.get('00020002') === DICOMDIR_CLASS)
    throw new DicomRefusal('DICOMDIR', 'A DICOMDIR lists objects; it is none.')
  const identity = {
    sopClassUID: uid(header, '00080016', 'SOP class UID'),
    sopInstanceUID: uid(header, '00080018', 'SOP instance UID'),
    studyUID: uid(header, '0020000D', 'study instance UID'),
    seriesUID: uid(header, '0020000E', 'series instance UID'),
  }
  // Tools that anonymize often forget the file meta information: the data set counts, as everywhere in this product.
  const stated = part10.meta.get('00020003')
  if (stated && !isUid(stated))
    throw new DicomRefusal('UID', 'The SOP instance UID of the file meta information is not a UID.')
  const statedClass = part10.meta.get('00020002')
  if (statedClass && statedClass !== identity.sopClassUID)
    throw new DicomRefusal('UID', 'The file meta information names another SOP class than the data set.')
  return identity
}

const namesOfPeople = ['x00100010', 'x00100020', 'x00080090', 'x0008103e', 'x00081030']

/** Reads one object and refuses it with a reason when it is not what it says (P12). */
export async function readInstance(source: ByteSource): Promise<Instance> {
  const part10 = await readPart10(source)
  const dataSet = parseDataSet(part10)
  const { json, charset } = toJson(dataSet, part10.header, part10.transferSyntax)
  const identity = checkIdentity(part10, json)
  for (const key of namesOfPeople) {
    const element = dataSet.elements[key]
    if (element && !charset.accepts(part10.header.subarray(element.dataOffset, element.dataOffset + element.length))) {
      throw new DicomRefusal(
        'CHARACTER_SET',
        'The text of the object is not written in the character set that it names.',
      )
    }
  }
  await checkImage(part10, json)
  return { part10, dataSet, header: json, ...identity }
}

export const readInstanceBytes = (bytes: Buffer): Promise<Instance> => readInstance(bufferSource(bytes))
