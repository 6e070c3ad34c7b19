import { fromTagNumber, hasLongLength, hasShortLength, tag } from '@dmp/dicom'
import type { Encoding } from './elementWriter.ts'
import { OperationRefused, status } from './status.ts'

/** Elements by tag: each a value, or the items of a sequence. */
export type Items = ReadonlyMap<string, { readonly value?: Buffer; readonly items?: readonly Items[] }>

const undefinedLength = 0xffffffff
const mostDepth = 4
const mostElements = 50_000

const broken = (): OperationRefused => new OperationRefused(status.identifierMismatch, 'The identifier is broken.')

/**
 * The identifier of a request in little endian: a handful of elements, and lists of references. Sequences are known by
 * their first item where no value representation is written. Throws `OperationRefused`.
 */
export function readItems(bytes: Buffer, { isExplicit }: Encoding): Items {
  let at = 0
  let count = 0

  function readHead(end: number): { key: string; isSequence: boolean; length: number } {
    if (at + 8 > end || (count += 1) > mostElements) throw broken()
    const key = readTag(at)
    const vr = bytes.toString('latin1', at + 4, at + 6)
    const isItem = key.startsWith('FFFE')
    if (isItem || !isExplicit) {
      const length = bytes.readUInt32LE(at + 4)
      at += 8
      const isSequence = !isItem && at + 4 <= end && length >= 8 && readTag(at) === tag.Item
      return { key, isSequence: isSequence || (!isItem && length === undefinedLength), length }
    }
    if (hasShortLength(vr)) {
      const length = bytes.readUInt16LE(at + 6)
      at += 8
      return { key, isSequence: false, length }
    }
    if (!hasLongLength(vr) || at + 12 > end) throw broken()
    const length = bytes.readUInt32LE(at + 8)
    at += 12
    return { key, isSequence: vr === 'SQ', length }
  }
  const readTag = (place: number): string =>
    fromTagNumber(bytes.readUInt16LE(place) * 0x10000 + bytes.readUInt16LE(place + 2))

  function readElements(end: number, isOpen: boolean, depth: number): Items {
    const items = new Map<string, { value?: Buffer; items?: readonly Items[] }>()
    while (at < end) {
      const { key, isSequence, length } = readHead(end)
      if (key === tag.ItemDelimitationItem && isOpen) return items
      const valueEnd = length === undefinedLength ? end : at + length
      if (valueEnd > end || key.startsWith('FFFE') || items.has(key)) throw broken()
      if (isSequence) items.set(key, { items: readSequence(valueEnd, length === undefinedLength, depth + 1) })
      else if (length === undefinedLength) throw broken()
      else {
        items.set(key, { value: bytes.subarray(at, valueEnd) })
        at = valueEnd
      }
    }
    if (isOpen) throw broken()
    return items
  }

  function readSequence(end: number, isOpen: boolean, depth: number): readonly Items[] {
    if (depth > mostDepth) throw broken()
    const all: Items[] = []
    while (at < end) {
      const { key, length } = readHead(end)
      if (key === tag.SequenceDelimitationItem && isOpen) return all
      const itemEnd = length === undefinedLength ? end : at + length
      if (key !== tag.Item || itemEnd > end) throw broken()
      all.push(readElements(itemEnd, length === undefinedLength, depth))
    }
    if (isOpen) throw broken()
    return all
  }

  return readElements(bytes.length, false, 0)
}
