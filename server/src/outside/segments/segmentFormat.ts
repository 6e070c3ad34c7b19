import { crc32 } from 'node:zlib'

/**
 * A segment is a row of records, each a head of 16 bytes and a body: objects, and indexes that name objects by the
 * keys they got. A head says how long its record is and where it lies, so that whatever a crash left behind the last
 * whole record is never taken for one.
 */
export const headBytes = 16

/** Longer objects are files of their own: what they cost beside their bytes no longer counts. */
export const largestBytes = 2 ** 20

/** Removing an object changes this one byte of its head, and then its body to zeros. */
const kinds = { object: 0x4f, dead: 0x44, index: 0x49 } as const
export type RecordKind = keyof typeof kinds
const kindOf = new Map<number, RecordKind>(Object.entries(kinds).map(([kind, byte]) => [byte, kind as RecordKind]))
export const deadByte = Uint8Array.of(kinds.dead)

/** Where an object lies, as its key ends. */
export interface Place {
  readonly segment: string
  /** Of its head. */
  readonly offset: number
  /** Of its body. */
  readonly length: number
}

export const formatPlace = ({ segment, offset, length }: Place): string => `${segment}.${offset}.${length}.seg`

/** Undefined for the key of a file. The name of an encrypted object may follow the place. */
export function parsePlace(key: string): Place | undefined {
  const [, segment, offset, length] =
    /~([0-9a-f]{16})\.(\d{1,12})\.(\d{1,7})\.seg(?:~[0-9a-f]{32}\.\d{1,15}\.enc)?$/.exec(key) ?? []
  return segment === undefined ? undefined : { segment, offset: Number(offset), length: Number(length) }
}

/** Of this place and no other: what an earlier file left on the disk does not pass for a record. */
const checkOf = ({ segment, offset, length }: Place): number => crc32(`${segment} ${offset} ${length}`)

export function createHead(kind: RecordKind, place: Place): Buffer {
  const head = Buffer.alloc(headBytes)
  head[0] = kinds[kind]
  head.write('DMP', 1, 'latin1')
  head.writeUIntBE(place.length, 4, 6)
  head.writeUInt32BE(checkOf(place), 12)
  return head
}

/** Undefined where no record begins. */
export function readHead(
  head: Buffer,
  segment: string,
  offset: number,
): { kind: RecordKind; length: number } | undefined {
  const kind = kindOf.get(head[0] ?? 0)
  if (head.length < headBytes || kind === undefined || head.toString('latin1', 1, 4) !== 'DMP') return undefined
  const length = head.readUIntBE(4, 6)
  return head.readUInt32BE(12) === checkOf({ segment, offset, length }) ? { kind, length } : undefined
}

export interface SegmentIndex {
  /** Nobody need be asked about what lies before. */
  readonly settledTo: number
  readonly keys: readonly string[]
}

export function createIndexBody(index: SegmentIndex): Buffer {
  const text = Buffer.from(JSON.stringify(index))
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(text))
  return Buffer.concat([check, text])
}

/** Undefined for half an index, which no server can have waited for. */
export function readIndexBody(body: Buffer): SegmentIndex | undefined {
  const text = body.subarray(4)
  if (body.length < 4 || crc32(text) !== body.readUInt32BE(0)) return undefined
  return JSON.parse(text.toString()) as SegmentIndex
}
