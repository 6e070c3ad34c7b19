import { createCipheriv, createDecipheriv } from 'node:crypto'
import { ObjectStoreError } from '../objectStore.ts'
import { bytesToUuid, uuidToBytes, type DataKey } from './dataKey.ts'

/**
 * An encrypted object: a header, then chunks of 64 KiB, each sealed with AES-256-GCM under a key that belongs to this
 * object alone. Number and "last" flag of a chunk are its nonce (the STREAM construction), so that no chunk can be
 * exchanged, left out or moved to another object, and any range is read from its chunks only.
 */
const magic = Buffer.from([0x44, 0x4d, 0x50, 0x45, 1, 0, 0, 0])
const idBytes = 16
export const headerBytes = magic.length + 16 + idBytes
export const chunkBytes = 2 ** 16
const tagBytes = 16
export const sealedChunkBytes = chunkBytes + tagBytes

/**
 * What the key of an encrypted object says about it, by which a clear or shortened file in its place is found: the
 * object's own id, and its length in the clear.
 */
export interface EncryptedName {
  readonly id: string
  readonly size: number
}

export const formatEncryptedName = ({ id, size }: EncryptedName): string => `${id}.${size}.enc`

/** Undefined for the key of an object in the clear. */
export function parseEncryptedName(key: string): EncryptedName | undefined {
  const [, id, size] = /~([0-9a-f]{32})\.(\d{1,15})\.enc$/.exec(key) ?? []
  return id === undefined ? undefined : { id, size: Number(size) }
}

/** The id is part of the object's name, by which the operator finds it. */
export const damaged = (id: string): ObjectStoreError => new ObjectStoreError('DAMAGED', new Error(`object ${id}`))

/** Also an empty object has one chunk. */
const countChunks = (size: number): number => Math.max(1, Math.ceil(size / chunkBytes))

export const encryptedSize = (size: number): number => headerBytes + size + countChunks(size) * tagBytes

export const createHeader = (keyId: string, id: string): Buffer =>
  Buffer.concat([magic, uuidToBytes(keyId), Buffer.from(id, 'hex')])

/** The id of the data key that a header names; a header of another object is a damaged one. */
export function readHeader(header: Buffer, { id }: EncryptedName): string {
  const isOurs = header.length === headerBytes && header.subarray(0, magic.length).equals(magic)
  if (!isOurs || header.subarray(-idBytes).toString('hex') !== id) throw damaged(id)
  return bytesToUuid(header.subarray(magic.length, -idBytes))
}

/** Seals and opens the chunks of one object. */
export class ChunkCipher {
  readonly id: string
  readonly #key: Buffer
  readonly #header: Buffer

  constructor(dataKey: DataKey, id: string) {
    this.id = id
    this.#key = dataKey.derive('object', Buffer.from(id, 'hex'))
    this.#header = createHeader(dataKey.id, id)
  }

  seal(index: number, isLast: boolean, chunk: Uint8Array): Buffer[] {
    const cipher = createCipheriv('aes-256-gcm', this.#key, toNonce(index, isLast)).setAAD(this.#header)
    const sealed = cipher.update(chunk)
    cipher.final()
    return [sealed, cipher.getAuthTag()]
  }

  open(index: number, isLast: boolean, sealed: Buffer): Buffer {
    try {
      const cipher = createDecipheriv('aes-256-gcm', this.#key, toNonce(index, isLast)).setAAD(this.#header)
      cipher.setAuthTag(sealed.subarray(-tagBytes))
      const chunk = cipher.update(sealed.subarray(0, -tagBytes))
      cipher.final()
      return chunk
    } catch {
      throw damaged(this.id)
    }
  }
}

function toNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(index, 7)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Chunks `first` to `last` of an object, and where they lie. */
export interface ChunkRange {
  readonly first: number
  readonly last: number
  readonly isToEnd: boolean
  /** First and last byte of the sealed chunks, both included. */
  readonly start: number
  readonly end: number
}

/** The chunks that hold the bytes from `start` to before `end`. */
export function findChunks(size: number, start: number, end: number): ChunkRange {
  const first = Math.floor(start / chunkBytes)
  const last = Math.max(first, Math.ceil(end / chunkBytes) - 1)
  const isToEnd = last === countChunks(size) - 1
  return {
    first,
    last,
    isToEnd,
    start: headerBytes + first * sealedChunkBytes,
    end: (isToEnd ? encryptedSize(size) : headerBytes + (last + 1) * sealedChunkBytes) - 1,
  }
}

const join = (pieces: readonly Uint8Array[]): Buffer => {
  const [piece] = pieces
  return pieces.length === 1 && piece
    ? Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    : Buffer.concat(pieces)
}

/** Opens sealed chunks as they arrive. What is missing, or follows the last one, is damage. */
export async function* openChunks(
  sealed: AsyncIterable<Uint8Array>,
  cipher: ChunkCipher,
  { first, last, isToEnd, start, end }: ChunkRange,
): AsyncGenerator<Buffer> {
  let index = first
  let pieces: Uint8Array[] = []
  let bytesToChunk = sealedChunkBytes
  let bytesToEnd = end - start + 1
  for await (const arrived of sealed) {
    bytesToEnd -= arrived.length
    if (bytesToEnd < 0) throw damaged(cipher.id)
    for (let rest = arrived; rest.length > 0;) {
      const taken = rest.subarray(0, bytesToChunk)
      rest = rest.subarray(taken.length)
      pieces.push(taken)
      bytesToChunk -= taken.length
      // The last chunk waits until the source has ended.
      if (bytesToChunk > 0 || (index === last && isToEnd)) continue
      yield cipher.open(index, false, join(pieces))
      index += 1
      pieces = []
      bytesToChunk = sealedChunkBytes
    }
  }
  if (bytesToEnd > 0) throw damaged(cipher.id)
  if (isToEnd) yield cipher.open(index, true, join(pieces))
}

/** Seals content as it arrives, the header first. */
export async function* sealChunks(
  content: AsyncIterable<Uint8Array>,
  dataKey: DataKey,
  id: string,
): AsyncGenerator<Buffer> {
  yield createHeader(dataKey.id, id)
  const cipher = new ChunkCipher(dataKey, id)
  let index = 0
  let pieces: Uint8Array[] = []
  let bytesToChunk = chunkBytes
  for await (const arrived of content) {
    for (let rest = arrived; rest.length > 0;) {
      // A full chunk waits for the next byte: it may be the last one.
      if (bytesToChunk === 0) {
        yield* cipher.seal(index, false, join(pieces))
        index += 1
        pieces = []
        bytesToChunk = chunkBytes
      }
      const taken = rest.subarray(0, bytesToChunk)
      rest = rest.subarray(taken.length)
      pieces.push(taken)
      bytesToChunk -= taken.length
    }
  }
  yield* cipher.seal(index, true, join(pieces))
}
