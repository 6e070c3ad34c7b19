import { fromParserKey } from '@dmp/dicom'
import { elementBytes } from '@dmp/dimse/elementWriter'
import type { DataSet, Element } from 'dicom-parser'
import { findVr } from './dictionary.ts'
import { library } from './instance.ts'
import { storedDicomLimits } from './limits.ts'
import { DicomRefusal } from './refusal.ts'
import { StructureWalk } from './structure.ts'

/** What an unknown value is written in, whatever surrounds it (PS3.5 section 6.2.2). */
const implicitLittle = { isExplicit: false, isBigEndian: false }

/**
 * Opens sequences that an old program passed on as unknown values of stated length, so that their items are read and
 * rewritten like any other. One whose items are not coherent stays closed.
 */
export function openUnknownSequences({ elements, byteArray }: DataSet): void {
  for (const element of Object.values(elements)) {
    const elementTag = fromParserKey(element.tag)
    if (!element.items && element.vr === 'UN' && element.length > 0 && findVr(elementTag) === 'SQ')
      open(element, elementTag, Buffer.from(byteArray.buffer, byteArray.byteOffset, byteArray.length))
    for (const { dataSet } of element.items ?? []) if (dataSet) openUnknownSequences(dataSet)
  }
}

function open(element: Element, elementTag: string, bytes: Buffer): void {
  const value = bytes.subarray(element.dataOffset, element.dataOffset + element.length)
  const walked = elementBytes(elementTag, { vr: 'SQ', value }, implicitLittle)
  try {
    new StructureWalk(walked, 0, walked.length, implicitLittle, storedDicomLimits).toPixelData()
  } catch (cause) {
    if (cause instanceof DicomRefusal) return
    throw cause
  }
  const stream = new library.ByteStream(library.littleEndianByteArrayParser, bytes, element.dataOffset)
  library.readSequenceItemsImplicit(stream, element, (key) => findVr(fromParserKey(key)) ?? '')
}
