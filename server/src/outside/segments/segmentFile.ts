import { close, fdatasync, open, write, writev } from 'node:fs'
import { promisify } from 'node:util'

/** What appending needs of a disk; tests put one in its place that fails or lies. */
export interface SegmentFile {
  /** Writes all of it, or throws. */
  write(pieces: readonly Uint8Array[], position: number): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

export type CreateSegmentFile = (path: string) => Promise<SegmentFile>

/** By number: who kills a server does not close its store, and a handle that nobody holds is closed with a warning. */
const [create, writeAt, writeTogether, sync, end] = [
  promisify(open),
  promisify(write),
  promisify(writev),
  promisify(fdatasync),
  promisify(close),
]

export const createSegmentFile: CreateSegmentFile = async (path) => {
  const file = await create(path, 'wx', 0o640)
  return {
    write: (pieces, position) => writeAll(file, pieces, position),
    sync: () => sync(file),
    close: () => end(file),
  }
}

async function writeAll(file: number, pieces: readonly Uint8Array[], position: number): Promise<void> {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  let { bytesWritten: done } = await writeTogether(file, pieces as Uint8Array[], position)
  if (done === bytes) return
  const all = Buffer.concat(pieces)
  while (done < bytes) done += (await writeAt(file, all, done, bytes - done, position + done)).bytesWritten
}
