import { Readable } from 'node:stream'
import type { ByteRange, OpenObject } from './objectStore.ts'

const chunkBytes = 2 ** 18

/**
 * Reads when it is asked to, so that slow readers hold little, into buffers of just the size; closes the object at its
 * end.
 */
export function readRange(object: OpenObject, range?: ByteRange): Readable {
  const end = Math.min(range ? range.end + 1 : Infinity, object.size)
  let position = range?.start ?? 0
  return new Readable({
    highWaterMark: chunkBytes,
    read() {
      if (position >= end) return void this.push(null)
      const offset = position
      position = Math.min(end, offset + chunkBytes)
      object.read(offset, position - offset).then(
        (bytes) => {
          this.push(bytes)
          // Spares a round for the end; a file that was cut meanwhile ends where it does.
          if (position >= end || bytes.length === 0) this.push(null)
        },
        (cause: Error) => this.destroy(cause),
      )
    },
    destroy(error, finish) {
      object.close().then(
        () => finish(error),
        (cause: Error) => finish(error ?? cause),
      )
    },
  })
}
