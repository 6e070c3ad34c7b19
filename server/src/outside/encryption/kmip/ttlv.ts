/** Bytes that are not what KMIP says, in words for a log. */
export class TtlvError extends Error {}

const deepest = 32
const headerBytes = 8
const type = {
  structure: 1,
  integer: 2,
  longInteger: 3,
  bigInteger: 4,
  enumeration: 5,
  boolean: 6,
  text: 7,
  bytes: 8,
  dateTime: 9,
  interval: 10,
} as const
const fixedBytes: Readonly<Record<number, number>> = {
  [type.integer]: 4,
  [type.longInteger]: 8,
  [type.enumeration]: 4,
  [type.boolean]: 8,
  [type.dateTime]: 8,
  [type.interval]: 4,
}

/** One item of KMIP's binary form: a tag, a type, a length and a value, padded to 8 bytes. */
export interface Item {
  readonly tag: number
  readonly type: number
  readonly value: Buffer
  /** What a structure holds; empty for every other type. */
  readonly items: readonly Item[]
}

const padded = (length: number): number => Math.ceil(length / 8) * 8

function encode(tag: number, kind: number, value: Buffer): Buffer {
  const item = Buffer.alloc(headerBytes + padded(value.length))
  item.writeUIntBE(tag, 0, 3)
  item.writeUInt8(kind, 3)
  item.writeUInt32BE(value.length, 4)
  value.copy(item, headerBytes)
  return item
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export const structure = (tag: number, ...items: readonly Buffer[]): Buffer =>
  encode(tag, type.structure, Buffer.concat(items))
export const integer = (tag: number, value: number): Buffer => encode(tag, type.integer, int32(value))
export const enumeration = (tag: number, value: number): Buffer => encode(tag, type.enumeration, int32(value))
export const flag = (tag: number, value: boolean): Buffer =>
  encode(tag, type.boolean, Buffer.of(0, 0, 0, 0, 0, 0, 0, Number(value)))
export const text = (tag: number, value: string): Buffer => encode(tag, type.text, Buffer.from(value))
export const bytes = (tag: number, value: Buffer): Buffer => encode(tag, type.bytes, value)

/** How many bytes a message has, by its first eight. */
export function messageBytes(header: Buffer, tag: number, most: number): number {
  if (header.readUIntBE(0, 3) !== tag || header.readUInt8(3) !== type.structure)
    throw new TtlvError('it does not begin like a message')
  const length = headerBytes + header.readUInt32BE(4)
  if (length > most) throw new TtlvError(`it announces ${length} bytes, and ${most} are the most`)
  return length
}

/** The one item that these bytes are. */
export function decode(message: Buffer): Item {
  const [item, ...more] = decodeAll(message, 1)
  if (item === undefined || more.length > 0) throw new TtlvError('it is not one item')
  return item
}

function decodeAll(given: Buffer, depth: number): Item[] {
  if (depth > deepest && given.length > 0) throw new TtlvError(`it is nested deeper than ${deepest}`)
  const items: Item[] = []
  for (let at = 0; at < given.length;) {
    if (at + headerBytes > given.length) throw new TtlvError('it ends inside the header of an item')
    const [tag, kind, length] = [given.readUIntBE(at, 3), given.readUInt8(at + 3), given.readUInt32BE(at + 4)]
    const [begin, end] = [at + headerBytes, at + headerBytes + length]
    at += headerBytes + padded(length)
    if (at > given.length) throw new TtlvError(`the item ${tag.toString(16)} is longer than what holds it`)
    if (kind < type.structure || kind > type.interval) throw new TtlvError(`the type ${kind} is not known`)
    if (length !== (fixedBytes[kind] ?? length)) throw new TtlvError(`a value of type ${kind} has ${length} bytes`)
    const value = given.subarray(begin, end)
    items.push({ tag, type: kind, value, items: kind === type.structure ? decodeAll(value, depth + 1) : [] })
  }
  return items
}

function find(item: Item, tag: number, ...types: readonly number[]): Item | undefined {
  const found = item.items.find((child) => child.tag === tag)
  if (found && !types.includes(found.type)) throw new TtlvError(`the item ${tag.toString(16)} has another type`)
  return found
}

function needed<T>(found: T | undefined, tag: number): T {
  if (found === undefined) throw new TtlvError(`the item ${tag.toString(16)} is missing`)
  return found
}

export const structuresOf = (item: Item, tag: number): readonly Item[] =>
  item.items.filter((child) => child.tag === tag && child.type === type.structure)
export const structureOf = (item: Item, tag: number): Item => needed(find(item, tag, type.structure), tag)
/** An integer or an enumeration. */
export const numberIn = (item: Item, tag: number): number | undefined =>
  find(item, tag, type.integer, type.enumeration)?.value.readInt32BE()
export const numberOf = (item: Item, tag: number): number => needed(numberIn(item, tag), tag)
export const numbersOf = (item: Item, tag: number): readonly number[] =>
  item.items.filter((child) => child.tag === tag && child.value.length === 4).map(({ value }) => value.readInt32BE())
export const textIn = (item: Item, tag: number): string | undefined => find(item, tag, type.text)?.value.toString()
export const bytesIn = (item: Item, tag: number): Buffer | undefined => find(item, tag, type.bytes)?.value
export const bytesOf = (item: Item, tag: number): Buffer => needed(bytesIn(item, tag), tag)
