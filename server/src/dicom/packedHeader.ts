import { deflateRawSync, inflateRawSync, inflateSync } from 'node:zlib'
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
  return packText(json)
}

export const packText = (json: Uint8Array): Uint8Array => deflateRawSync(json, { level: 4 })

/**
 * Begins a header that lacks what it has in common with its series, and one that has got that back. The two middle bits
 * are a kind of block that deflate does not have, so that no other header begins so; nor does a sealed value.
 */
export const shortMark = 0x0f
const joinedMark = 0x17
const lengthBytes = 4

export const isShortHeader = (header: Uint8Array): boolean => header[0] === shortMark

/** A short header together with what it lacks, to be unpacked where headers are unpacked. */
export function joinHeader(common: Uint8Array, short: Uint8Array): Uint8Array {
  const head = Buffer.alloc(1 + lengthBytes)
  head[0] = joinedMark
  head.writeUInt32LE(common.length, 1)
  return Buffer.concat([head, common, short.subarray(1)])
}

/** Slices of one series come one after another: what they have in common is inflated once. */
let lastCommon: { readonly packed: Uint8Array; readonly text: Uint8Array } | undefined

export function unpackCommon(packed: Uint8Array): Uint8Array {
  if (!lastCommon || Buffer.compare(lastCommon.packed, packed) !== 0)
    lastCommon = { packed: Buffer.from(packed), text: inflateRawSync(packed) }
  return lastCommon.text
}

function inflateHeader(header: Uint8Array): Buffer {
  if (header[0] !== joinedMark) return inflateRawSync(header)
  const bytes = Buffer.from(header.buffer, header.byteOffset, header.length)
  const start = 1 + lengthBytes
  const end = start + bytes.readUInt32LE(1)
  // Fails where this is not what it was made with, or not whole.
  return inflateSync(bytes.subarray(end), { dictionary: unpackCommon(bytes.subarray(start, end)) })
}

export const unpackHeaderText = (header: Uint8Array): string => inflateHeader(header).toString('utf8')
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
