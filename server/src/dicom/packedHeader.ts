import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { stringifyDataset } from '@dmp/dicom'
import { pickTags, type JsonDataset, type JsonElement } from './jsonModel.ts'
import { DicomRefusal } from './refusal.ts'

/**
 * Headers as the database keeps them: DICOM JSON, deflated. Their size is up to whoever sent the object, so that they
 * are unpacked by the threads that read objects and nowhere else (P18).
 */

export function packHeader(header: JsonDataset, maxBytes = Infinity): Uint8Array {
  const json = Buffer.from(stringifyDataset(header))
  if (json.length > maxBytes) throw new DicomRefusal('TOO_LARGE', 'The header is too large.')
  return deflateRawSync(json, { level: 4 })
}

export const unpackHeaderText = (bytes: Uint8Array): string => inflateRawSync(bytes).toString('utf8')
export const unpackHeader = (bytes: Uint8Array): JsonDataset => JSON.parse(unpackHeaderText(bytes)) as JsonDataset

/** What the answering thread takes of one element; values of rows and screens are far shorter. */
const maxElementChars = 64 * 1024
/** Colour tables in base64. */
const maxPictureElementChars = 400 * 1024

/** Elements of the tags; one that is too long to be handed on is left out. */
export const pickShortElements = (
  header: JsonDataset,
  tags: readonly string[],
  maxChars = maxElementChars,
): JsonDataset => {
  const picked = Object.entries(pickTags(header, tags))
  return Object.fromEntries(picked.filter(([, element]) => JSON.stringify(element).length <= maxChars))
}

/** The same, with the first item of each sequence: the first frame stands for all of them. */
export const pickFirstItems = (header: JsonDataset, tags: readonly string[]): JsonDataset => {
  const picked = Object.entries(pickTags(header, tags))
  const shortened = Object.fromEntries(picked.map(([tag, element]) => [tag, toFirstItem(element)]))
  return pickShortElements(shortened, tags, maxPictureElementChars)
}

const toFirstItem = (element: JsonElement): JsonElement =>
  element.vr === 'SQ' && element.Value ? { ...element, Value: element.Value.slice(0, 1) } : element
