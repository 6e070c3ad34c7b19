import { open, type FileHandle } from 'node:fs/promises'
import { headBytes, parsePlace, readHead, readIndexBody, type Place } from './segmentFormat.ts'

export interface ScannedSegment {
  /** Objects that were not removed, in their order, with the key that they got, if any. */
  readonly objects: readonly { readonly place: Place; readonly key: string | undefined }[]
  /** What became of objects before it is known. */
  readonly settledTo: number
  /** Of the last whole record. */
  readonly end: number
  readonly size: number
  readonly modified: number
}

const windowBytes = 2 ** 16

/** Walks the records up to the first that is not whole: whatever follows was never acknowledged. */
export async function scanSegment(path: string, segment: string): Promise<ScannedSegment> {
  const handle = await open(path, 'r')
  try {
    const { size, mtimeMs } = await handle.stat()
    const read = createReader(handle)
    const places: Place[] = []
    const keys = new Map<number, string>()
    let settledTo = 0
    let offset = 0
    for (;;) {
      const head = readHead(await read(offset, headBytes), segment, offset)
      if (!head || offset + headBytes + head.length > size) break
      const place = { segment, offset, length: head.length }
      if (head.kind === 'object') places.push(place)
      else if (head.kind === 'index') {
        const index = readIndexBody(await read(offset + headBytes, head.length))
        if (!index) break
        settledTo = index.settledTo
        for (const key of index.keys) keys.set(parsePlace(key)?.offset ?? -1, key)
      }
      offset += headBytes + head.length
    }
    const objects = places.map((place) => ({ place, key: keys.get(place.offset) }))
    return { objects, settledTo, end: offset, size, modified: mtimeMs }
  } finally {
    await handle.close()
  }
}

/** Small records lie close to each other. */
function createReader(handle: FileHandle): (offset: number, length: number) => Promise<Buffer> {
  let window: Buffer = Buffer.alloc(0)
  let start = 0
  return async (offset, length) => {
    if (offset < start || offset + length > start + window.length) {
      const wanted = Math.max(windowBytes, length)
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, offset)
      window = buffer.subarray(0, bytesRead)
      start = offset
    }
    return window.subarray(offset - start, offset - start + length)
  }
}
