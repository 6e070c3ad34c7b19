import { tag } from '@dmp/dicom'
import { isDecodedFirst, readPixelShape, toPlainHeader } from '@dmp/dicom/pixels'
import { canDecode } from './sampleLayout.ts'
import type { PictureJob } from './drawing.thread.ts'
import type { JsonDataset } from './jsonModel.ts'
import { toPictureElements } from './pictureElements.ts'
import type { PictureFrame, PictureSize } from './pictureFrame.ts'

/** What a drawing thread is told of a frame; its rows and columns count where they are fewer than the header's. */
export function toPictureJob(
  header: JsonDataset,
  { rows, columns, bytes }: PictureFrame,
  transferSyntaxUID: string,
  size: PictureSize,
): PictureJob {
  const ofFrame = {
    ...header,
    [tag.Rows]: { vr: 'US', Value: [rows] },
    [tag.Columns]: { vr: 'US', Value: [columns] },
  }
  const shape = readPixelShape(ofFrame)
  return {
    elements: toPictureElements(toPlainHeader(ofFrame, transferSyntaxUID) as JsonDataset),
    shape,
    isDecodedFirst: isDecodedFirst(shape) && canDecode(transferSyntaxUID),
    frame: toArrayBuffer(bytes),
    transferSyntaxUID,
    ...size,
  }
}

/** The bytes alone, copied only where others lie in the same memory. */
const toArrayBuffer = (bytes: Buffer): ArrayBuffer =>
  bytes.length === bytes.buffer.byteLength
    ? (bytes.buffer as ArrayBuffer)
    : (bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer)
