import type { FileHandle } from 'node:fs/promises'

/** Random access to an object's bytes, so that headers are read without loading pixel data. */
export interface ByteSource {
  readonly size: number
  /** Returns fewer bytes only at the end. */
  read(offset: number, length: number): Promise<Buffer>
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
    async read(offset, length) {
      const byteCount = Math.max(0, Math.min(length, size - offset))
      const bytes = Buffer.allocUnsafe(byteCount)
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
