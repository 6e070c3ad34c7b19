import { hasLongLength, isValueRepresentation, tag } from '@dmp/dicom'
import { explicitLittleEndianUID, findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import { elementBytes, part10Start, textValue } from '@dmp/dimse/elementWriter'
import { formatBytes } from '../core/formatBytes.ts'
import { text } from './attributes.ts'
import type { JsonDataset, JsonElement, JsonName, JsonValue } from './jsonModel.ts'
import { dicomLimits } from './limits.ts'
import { DicomRefusal } from './refusal.ts'
import { numberBytesOf } from './swapValue.ts'

/** Objects of the DICOM JSON model (PS3.18 annex F) as files: what a store of metadata and bulk data is made of. */

/** A value that was sent beside the metadata. */
export interface BulkValue {
  readonly length: number
  /** Where the value is a compressed frame. */
  readonly transferSyntaxUID: string | undefined
}

/** Bytes of the file, or the value of an address. */
export type FilePiece = Uint8Array | { readonly uri: string }

const explicitLittle = { isExplicit: true, isBigEndian: false } as const
const undefinedLength = 0xffffffff
const maxShortBytes = 0xfffe
const emptySequenceEnd = delimiter(tag.SequenceDelimitationItem)
const itemEnd = delimiter(tag.ItemDelimitationItem)
const itemStart = withLength(delimiter(tag.Item), undefinedLength)

function delimiter(key: string): Buffer {
  return elementBytes(key, { vr: 'UN', value: Buffer.alloc(0) }, { isExplicit: false, isBigEndian: false })
}

function withLength(head: Buffer, length: number): Buffer {
  head.writeUInt32LE(length, head.length - 4)
  return head
}

const broken = (key: string): DicomRefusal =>
  new DicomRefusal('UNREADABLE', `The metadata have a value of ${key} that is not of the DICOM JSON model.`)

const writers: Readonly<Record<string, (bytes: Buffer, value: string | number) => unknown>> = {
  US: (bytes, value) => bytes.writeUInt16LE(Number(value)),
  SS: (bytes, value) => bytes.writeInt16LE(Number(value)),
  UL: (bytes, value) => bytes.writeUInt32LE(Number(value)),
  SL: (bytes, value) => bytes.writeInt32LE(Number(value)),
  FL: (bytes, value) => bytes.writeFloatLE(Number(value)),
  FD: (bytes, value) => bytes.writeDoubleLE(Number(value)),
  SV: (bytes, value) => bytes.writeBigInt64LE(BigInt(value)),
  UV: (bytes, value) => bytes.writeBigUInt64LE(BigInt(value)),
}

function toNumberBytes(vr: string, value: JsonValue): Buffer {
  if (typeof value !== 'number' && typeof value !== 'string') throw new TypeError('not a number')
  if (vr === 'AT') {
    if (!/^[0-9A-F]{8}$/i.test(String(value))) throw new TypeError('not a tag')
    const bytes = Buffer.alloc(4)
    bytes.writeUInt16LE(parseInt(String(value).slice(0, 4), 16))
    bytes.writeUInt16LE(parseInt(String(value).slice(4, 8), 16), 2)
    return bytes
  }
  const bytes = Buffer.alloc(numberBytesOf[vr] ?? 2)
  // A buffer takes what is no number for 0.
  if (/^[US][SL]$/.test(vr) && !Number.isInteger(value)) throw new TypeError('not a whole number')
  if (vr.startsWith('F') && typeof value !== 'number') throw new TypeError('not a number')
  writers[vr]?.(bytes, value)
  return bytes
}

/** A decimal string has 16 characters at most (PS3.5 section 6.2). */
function formatDecimal(value: number): string {
  const whole = String(value)
  for (let digits = 15; ; digits -= 1) {
    const shorter = digits === 15 ? whole : value.toPrecision(digits)
    if (shorter.length <= 16 || digits < 2) return shorter
  }
}

function toText(vr: string, value: JsonValue): string {
  if (value === null) return ''
  if (vr === 'PN') {
    if (typeof value !== 'object') throw new TypeError('not a name')
    const { Alphabetic = '', Ideographic = '', Phonetic = '' } = value as JsonName
    return [Alphabetic, Ideographic, Phonetic]
      .map(String)
      .join('=')
      .replace(/={1,2}$/, '')
  }
  if (typeof value === 'number') return vr === 'DS' ? formatDecimal(value) : String(value)
  if (typeof value !== 'string') throw new TypeError('not a text')
  return value
}

class Composition {
  readonly pieces: FilePiece[] = []
  readonly #bulk: ReadonlyMap<string, BulkValue>
  #elements = 0
  /** Of the file, values that are named included. */
  bytes = 0
  /** Of the pixel data, where those are compressed. */
  transferSyntaxUID: string = explicitLittleEndianUID

  constructor(bulk: ReadonlyMap<string, BulkValue>) {
    this.#bulk = bulk
  }

  addItem(dataset: JsonDataset, depth: number): void {
    if (depth > dicomLimits.depth) throw new DicomRefusal('DEPTH', 'Sequences are nested too deeply.')
    // Text of JSON is Unicode, whatever the object said when it was a file.
    const own = depth === 0 ? { ...dataset, [tag.SpecificCharacterSet]: unicode } : dataset
    for (const key of Object.keys(own).sort()) {
      const element = own[key]
      if (!/^[0-9A-F]{8}$/.test(key) || typeof element !== 'object' || element === null) throw broken('an attribute')
      // File meta information and group lengths are made anew; what a server added to its answers is not of the object.
      if (/^(?:000[0-7]|FFFE)/.test(key) || key.endsWith('0000') || key === tag.AvailableTransferSyntaxUID) continue
      if (depth > 0 && key === tag.SpecificCharacterSet) continue
      if (++this.#elements > dicomLimits.elements)
        throw new DicomRefusal('TOO_LARGE', `An object has at most ${dicomLimits.elements} attributes.`)
      this.#addElement(key, element, depth)
    }
  }

  #addElement(key: string, element: JsonElement, depth: number): void {
    const { vr, Value, InlineBinary, BulkDataURI } = element
    if (typeof vr !== 'string' || !isValueRepresentation(vr)) throw broken(key)
    if (Value !== undefined && !Array.isArray(Value)) throw broken(key)
    // Of anything but text a buffer would be as long as it says.
    if (InlineBinary !== undefined && typeof InlineBinary !== 'string') throw broken(key)
    if (BulkDataURI !== undefined) return this.#addBulk(key, vr, BulkDataURI, depth)
    if (vr === 'SQ') {
      this.#add(withLength(elementBytes(key, { vr, value: Buffer.alloc(0) }, explicitLittle), undefinedLength))
      for (const item of Value ?? []) {
        if (typeof item !== 'object' || item === null) throw broken(key)
        this.#add(itemStart)
        this.addItem(item as JsonDataset, depth + 1)
        this.#add(itemEnd)
      }
      return this.#add(emptySequenceEnd)
    }
    this.#add(elementBytes(key, { vr, value: toValueBytes(key, vr, Value ?? [], InlineBinary) }, explicitLittle))
  }

  #addBulk(key: string, vr: string, uri: string, depth: number): void {
    const bulk = this.#bulk.get(uri)
    if (!bulk) throw new DicomRefusal('UNREADABLE', `The bulk data of ${key} were not sent with the metadata.`)
    const { length, transferSyntaxUID } = bulk
    const padding = Buffer.alloc(length % 2)
    if (transferSyntaxUID === undefined) {
      if (!hasLongLength(vr) && length > maxShortBytes) throw broken(key)
      const head = elementBytes(key, { vr, value: Buffer.alloc(0) }, explicitLittle)
      if (hasLongLength(vr)) head.writeUInt32LE(length + padding.length, head.length - 4)
      else head.writeUInt16LE(length + padding.length, head.length - 2)
      return this.#add(head, { uri }, padding)
    }
    if (key !== tag.PixelData || depth > 0 || !findTransferSyntax(transferSyntaxUID)?.isEncapsulated)
      throw new DicomRefusal('TRANSFER_SYNTAX', 'The bulk data are compressed in a way that is not supported here.')
    this.transferSyntaxUID = transferSyntaxUID
    const head = withLength(elementBytes(key, { vr: 'OB', value: Buffer.alloc(0) }, explicitLittle), undefinedLength)
    const fragment = withLength(delimiter(tag.Item), length + padding.length)
    this.#add(head, delimiter(tag.Item), fragment, { uri }, padding, emptySequenceEnd)
  }

  #add(...pieces: FilePiece[]): void {
    for (const piece of pieces) {
      this.bytes += piece instanceof Uint8Array ? piece.length : (this.#bulk.get(piece.uri)?.length ?? 0)
      this.pieces.push(piece)
    }
  }
}

const unicode: JsonElement = { vr: 'CS', Value: ['ISO_IR 192'] }

/** The bytes of a value in little endian; throws `DicomRefusal` for one that is not of the model. */
export function toValueBytes(
  key: string,
  vr: string,
  values: readonly JsonValue[],
  inline: string | undefined,
): Buffer {
  try {
    if (inline !== undefined) return Buffer.from(inline, 'base64')
    const value =
      vr in writers || vr === 'AT'
        ? Buffer.concat(values.map((each) => toNumberBytes(vr, each)))
        : textValue(vr, values.map((each) => toText(vr, each)).join('\\')).value
    if (!hasLongLength(vr) && value.length > maxShortBytes) throw new RangeError('too long')
    return value
  } catch {
    throw broken(key)
  }
}

/** Joins bytes that lie side by side, in memory of their own. */
function joinPieces(pieces: readonly FilePiece[]): FilePiece[] {
  const joined: FilePiece[] = []
  let bytes: Uint8Array[] = []
  const flush = (): void => {
    if (bytes.length > 0) joined.push(new Uint8Array(Buffer.concat(bytes)))
    bytes = []
  }
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) bytes.push(piece)
    else {
      flush()
      joined.push(piece)
    }
  }
  flush()
  return joined
}

/** The file of one object. Throws `DicomRefusal` when the metadata are not of the model. */
function composeObject(dataset: JsonDataset, bulk: ReadonlyMap<string, BulkValue>) {
  const composition = new Composition(bulk)
  composition.addItem(dataset, 0)
  const start = part10Start({
    sopClassUID: text(dataset, tag.SOPClassUID) ?? '',
    sopInstanceUID: text(dataset, tag.SOPInstanceUID) ?? '',
    transferSyntaxUID: composition.transferSyntaxUID,
  })
  return { pieces: joinPieces([start, ...composition.pieces]), bytes: composition.bytes }
}

export interface ComposingLimits {
  readonly objects: number
  /** Of all objects together, without the beginnings that we add to their files. */
  readonly bytes: number
}

const tooLong = (bytes: number): DicomRefusal =>
  new DicomRefusal(
    'TOO_LARGE',
    `These objects would have more than ${formatBytes(bytes)} together, because they name the same values. Send a value again for each object that has it.`,
  )

/** The objects of a list of metadata; for one that cannot be made, why. */
export function composeObjects(
  json: Uint8Array,
  bulk: ReadonlyMap<string, BulkValue>,
  max: ComposingLimits,
): (FilePiece[] | { problem: string })[] {
  const list: unknown = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.length).toString('utf8'))
  if (!Array.isArray(list)) throw new DicomRefusal('UNREADABLE', 'The metadata are no list of objects.')
  if (list.length > max.objects)
    throw new DicomRefusal('TOO_LARGE', `Send the metadata of at most ${max.objects} objects in one request.`)
  let bytes = 0
  return list.map((dataset: unknown) => {
    const composed = tryToCompose(dataset, bulk)
    if ('problem' in composed) return composed
    bytes += composed.bytes
    if (bytes > max.bytes) throw tooLong(max.bytes)
    return composed.pieces
  })
}

function tryToCompose(dataset: unknown, bulk: ReadonlyMap<string, BulkValue>) {
  try {
    if (typeof dataset !== 'object' || dataset === null || Array.isArray(dataset)) throw broken('an object')
    return composeObject(dataset as JsonDataset, bulk)
  } catch (cause) {
    if (cause instanceof DicomRefusal) return { problem: cause.message }
    throw cause
  }
}
