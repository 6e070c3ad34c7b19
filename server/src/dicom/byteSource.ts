import type { FileHandle } from 'node:fs/promises'

/** Random access to an object's bytes, so that headers are read without loading pixel data. */
export interface ByteSource {
  readonly size: number
  /** Fewer bytes than asked for are answered only at the end. */
  read(offset: number, length: number): Promise<Buffer>
}

export function bufferSource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, Math.min(offset + length, bytes.length)),
  }
}

export function fileSource(handle: FileHandle, size: number): ByteSource {
  return {
    size,
    async read(offset, length) {
      const wanted = Math.max(0, Math.min(length, size - offset))
      const bytes = Buffer.allocUnsafe(wanted)
      let done = 0
      while (done < wanted) {
        const { bytesRead } = await handle.read(bytes, done, wanted - done, offset + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return bytes.subarray(0, done)
    },
  }
}
