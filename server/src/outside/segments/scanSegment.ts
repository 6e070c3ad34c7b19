import { open, type FileHandle } from 'node:fs/promises'
import { headBytes, parsePlace, readHead, readIndexBody, type Place } from './segmentFormat.ts'

export interface ScannedObject {
  readonly place: Place
  /** That it got, if any, and where the record ends that says so. */
  readonly named: { readonly key: string; readonly end: number } | undefined
}

export interface ScannedSegment {
  /** Objects that were not removed, in their order. */
  readonly objects: readonly ScannedObject[]
  /** What became of objects before it is known. */
  readonly settledTo: number
  /** Every byte belongs to a record, and every key to an object, there or removed. */
  readonly isWhole: boolean
  /** Keys whose objects are not where they say. */
  readonly lostKeys: readonly string[]
  readonly size: number
  readonly modified: number
}

const windowBytes = 2 ** 16

/**
 * Walks the records. Bytes that are none, from a crash or a disk that rots, are passed over: of what lies behind them
 * nothing is lost.
 */
export async function scanSegment(path: string, segment: string): Promise<ScannedSegment> {
  const handle = await open(path, 'r')
  try {
    const { size, mtimeMs: modified } = await handle.stat()
    const read = createReader(handle)
    const places = new Map<number, Place>()
    const dead = new Set<number>()
    const names = new Map<number, { key: string; end: number }>()
    let settledTo = 0
    let isWhole = true
    for (let offset = 0; offset < size;) {
      const head = readHead(await read(offset, headBytes), segment, offset)
      const end = offset + headBytes + (head?.length ?? 0)
      const index =
        head?.kind === 'index' && end <= size ? readIndexBody(await read(offset + headBytes, head.length)) : undefined
      if (!head || end > size || (head.kind === 'index' && !index)) {
        isWhole = false
        offset = await findHead(read, segment, offset + 1, size)
        continue
      }
      if (head.kind === 'object') places.set(offset, { segment, offset, length: head.length })
      else if (head.kind === 'dead') dead.add(offset)
      settledTo = index?.settledTo ?? settledTo
      for (const key of index?.keys ?? []) names.set(parsePlace(key)?.offset ?? -1, { key, end })
      offset = end
    }
    const objects = [...places].map(([offset, place]) => ({ place, named: names.get(offset) }))
    const lost = [...names].filter(([offset]) => !places.has(offset) && !dead.has(offset))
    return {
      objects,
      settledTo,
      isWhole: isWhole && lost.length === 0,
      lostKeys: lost.map(([, { key }]) => key),
      size,
      modified,
    }
  } finally {
    await handle.close()
  }
}

type Read = ReturnType<typeof createReader>

/** Where the next record begins; the end of the file where none does. */
async function findHead(read: Read, segment: string, from: number, size: number): Promise<number> {
  for (let start = from; start < size; start += windowBytes - headBytes) {
    const window = await read(start, Math.min(windowBytes, size - start))
    for (let at = window.indexOf('DMP', 1); at > 0; at = window.indexOf('DMP', at + 1))
      if (readHead(window.subarray(at - 1, at - 1 + headBytes), segment, start + at - 1)) return start + at - 1
  }
  return size
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
