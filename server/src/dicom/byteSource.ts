import type { FileHandle } from 'node:fs/promises'

/** Random access to an object's bytes, so that headers are read without loading pixel data. */
export interface ByteSource {
  readonly size: number
  /**
   * Returns fewer bytes only at the end. They may lie in `into`: whoever reads a large object piece by piece, and is
   * done with each, makes no garbage of its size.
   */
  read(offset: number, length: number, into?: Buffer): Promise<Buffer>
}

export interface Range {
  readonly offset: number
  readonly length: number
}

export function createBufferSource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, Math.min(offset + length, bytes.length)),
  }
}

export function createFileSource(handle: FileHandle, size: number): ByteSource {
  return {
    size,
    async read(offset, length, into) {
      const byteCount = Math.max(0, Math.min(length, size - offset))
      const bytes = into && into.length >= byteCount ? into : Buffer.allocUnsafe(byteCount)
      let bytesDone = 0
      while (bytesDone < byteCount) {
        const { bytesRead } = await handle.read(bytes, bytesDone, byteCount - bytesDone, offset + bytesDone)
        if (bytesRead === 0) break
        bytesDone += bytesRead
      }
      return bytes.subarray(0, bytesDone)
    },
  }
}

const leastChunkBytes = 2 ** 18
const mostChunkBytes = 2 ** 20

/** The bytes of the ranges, one after the other, in constant memory. Small ranges that lie close are read together. */
export async function* readRanges(source: ByteSource, ranges: Iterable<Range>): AsyncGenerator<Buffer> {
  let chunk: Buffer = Buffer.alloc(0)
  let chunkOffset = 0
  let pieces: Buffer[] = []
  for (const { offset, length } of ranges) {
    const end = offset + length
    for (let position = offset; position < end;) {
      if (position < chunkOffset || position >= chunkOffset + chunk.length) {
        if (pieces.length > 0) yield join(pieces)
        pieces = []
        chunk = await source.read(position, Math.max(leastChunkBytes, Math.min(mostChunkBytes, end - position)))
        chunkOffset = position
        if (chunk.length === 0) return
      }
      const piece = chunk.subarray(position - chunkOffset, end - chunkOffset)
      pieces.push(piece)
      position += piece.length
    }
  }
  if (pieces.length > 0) yield join(pieces)
}

const join = (pieces: readonly Buffer[]): Buffer =>
  pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
