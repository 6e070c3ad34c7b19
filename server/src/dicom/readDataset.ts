import { part10Start } from '@dmp/dimse/elementWriter'
import { createBufferSource } from './byteSource.ts'
import { parseDataSet } from './instance.ts'
import { toJson, type JsonDataset } from './jsonModel.ts'
import { dicomLimits, type DicomLimits } from './limits.ts'
import { readPart10 } from './part10.ts'

/** What partners send beside objects: what is to be committed to. */
const datasetLimits: DicomLimits = {
  ...dicomLimits,
  headerBytes: 5 * 2 ** 20,
  elements: 50_000,
  items: 12_000,
  depth: 8,
  valueBytes: 16 * 2 ** 20,
}

/**
 * Keys of a search or of a retrieval, which the answering thread reads: worklists and archives ask for some dozens, and
 * each is written into every answer.
 */
export const keyLimits: DicomLimits = { ...datasetLimits, elements: 1000, items: 100, valueBytes: 2 ** 20 }

/** A data set without file meta information, as the DICOM JSON model. Throws `DicomRefusal`. */
export async function readDataset(
  bytes: Uint8Array,
  transferSyntaxUID: string,
  limits: DicomLimits = datasetLimits,
): Promise<JsonDataset> {
  if (bytes.length === 0) return {}
  const head = part10Start({ sopClassUID: '1.2', sopInstanceUID: '1.2', transferSyntaxUID })
  const part10 = await readPart10(createBufferSource(Buffer.concat([head, bytes])), { limits })
  return toJson(parseDataSet(part10), part10, limits.valueBytes).json
}
