import { fromParserKey, isUid, sopClass, tag, toParserKey } from '@dmp/dicom'
import * as dicomParser from 'dicom-parser'
import type { DataSet } from 'dicom-parser'
import { text } from './attributes.ts'
import { createBufferSource, type ByteSource } from './byteSource.ts'
import { findVr } from './dictionary.ts'
import { toJson, type JsonDataset } from './jsonModel.ts'
import { dicomLimits } from './limits.ts'
import { readPart10, type Part10, type ReadingOptions } from './part10.ts'
import { checkImage } from './pixelCheck.ts'
import { DicomRefusal } from './refusal.ts'

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

// dicom-parser is CommonJS; under Jest its named exports come through `default`.
export const library = ('default' in dicomParser ? dicomParser.default : dicomParser) as typeof dicomParser

function readUid(header: JsonDataset, tag: string, what: string): string {
  const value = text(header, tag)
  if (!value) throw new DicomRefusal('UID', `The object has no ${what}.`)
  if (!isUid(value) || (header[tag]?.Value?.length ?? 0) > 1)
    throw new DicomRefusal('UID', `The ${what} is not a valid UID.`)
  return value
}

/**
 * Parses a walked header with the library. Value representations that it does not know are shown to it as OB, whose
 * length is written alike, and restored afterwards.
 */
export function parseDataSet(part10: Part10): DataSet {
  const { datasetOffset, transferSyntax, unknownVrOffsets } = part10
  const header = unknownVrOffsets.length === 0 ? part10.header : Buffer.from(part10.header)
  for (const at of unknownVrOffsets) header.write('OB', at, 'latin1')
  const parser = transferSyntax.isBigEndian ? library.bigEndianByteArrayParser : library.littleEndianByteArrayParser
  const stream = new library.ByteStream(parser, header, datasetOffset)
  const dataSet = new library.DataSet(parser, header, {})
  // Padding after the last element reads as elements of group 0, which are never looked up.
  const parse = transferSyntax.isExplicit ? library.parseDicomDataSetExplicit : library.parseDicomDataSetImplicit
  try {
    parse(dataSet, stream, header.length, { vrCallback: (key) => findVr(fromParserKey(key)) })
  } catch {
    throw new DicomRefusal('UNREADABLE', 'The elements of the object cannot be read.')
  }
  if (unknownVrOffsets.length > 0)
    restoreVrs(dataSet, new Map(unknownVrOffsets.map((at) => [at + 8, part10.header.toString('latin1', at, at + 2)])))
  return dataSet
}

/** Finds elements by the offset of their value; goes no deeper than the walk allowed. */
function restoreVrs({ elements }: DataSet, vrs: ReadonlyMap<number, string>): void {
  for (const element of Object.values(elements)) {
    const vr = vrs.get(element.dataOffset)
    if (vr !== undefined) element.vr = vr
    for (const { dataSet } of element.items ?? []) if (dataSet) restoreVrs(dataSet, vrs)
  }
}

function checkIdentity(part10: Part10, header: JsonDataset): Omit<Instance, 'part10' | 'dataSet' | 'header'> {
  if (part10.meta.get(tag.MediaStorageSOPClassUID) === sopClass.mediaStorageDirectory)
    throw new DicomRefusal('DICOMDIR', 'This is a DICOMDIR index, not an image.')
  const identity = {
    sopClassUID: readUid(header, tag.SOPClassUID, 'SOP class UID'),
    sopInstanceUID: readUid(header, tag.SOPInstanceUID, 'SOP instance UID'),
    studyUID: readUid(header, tag.StudyInstanceUID, 'study instance UID'),
    seriesUID: readUid(header, tag.SeriesInstanceUID, 'series instance UID'),
  }
  // Anonymizing tools often forget the file meta information: this product always goes by the data set.
  const statedInstanceUID = part10.meta.get(tag.MediaStorageSOPInstanceUID)
  if (statedInstanceUID && !isUid(statedInstanceUID))
    throw new DicomRefusal('UID', 'The SOP instance UID of the file meta information is not valid.')
  const statedClassUID = part10.meta.get(tag.MediaStorageSOPClassUID)
  if (statedClassUID && statedClassUID !== identity.sopClassUID)
    throw new DicomRefusal('UID', 'The file meta information names another SOP class than the data.')
  return identity
}

const namingAttributes = [
  toParserKey(tag.PatientName),
  toParserKey(tag.PatientID),
  toParserKey(tag.ReferringPhysicianName),
  toParserKey(tag.SeriesDescription),
  toParserKey(tag.StudyDescription),
]

/** Reads one object, or throws `DicomRefusal` with the reason when it is not what it claims to be (P12). */
export async function readInstance(source: ByteSource, options: ReadingOptions = {}): Promise<Instance> {
  const part10 = await readPart10(source, options)
  const dataSet = parseDataSet(part10)
  const { json, charset } = toJson(dataSet, part10, (options.limits ?? dicomLimits).valueBytes)
  const identity = checkIdentity(part10, json)
  for (const key of namingAttributes) {
    const element = dataSet.elements[key]
    if (element && !charset.accepts(part10.header.subarray(element.dataOffset, element.dataOffset + element.length))) {
      throw new DicomRefusal('CHARACTER_SET', 'The text does not fit the character set that the object names.')
    }
  }
  await checkImage(part10, json)
  return { part10, dataSet, header: json, ...identity }
}

export const readInstanceBytes = (bytes: Buffer, options: ReadingOptions = {}): Promise<Instance> =>
  readInstance(createBufferSource(bytes), options)
