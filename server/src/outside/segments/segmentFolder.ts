import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, open, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFileSource } from '../../dicom/byteSource.ts'
import { syncFolder, unlessMissing } from '../localStaging.ts'
import { ObjectStoreError, type OpenObject } from '../objectStore.ts'
import { deadByte, headBytes, largestBytes, readHead, type Place, type RecordKind } from './segmentFormat.ts'
import type { CreateSegmentFile, SegmentFile } from './segmentFile.ts'

const zeros = Buffer.alloc(largestBytes)

export interface FoundSegment {
  readonly segment: string
  /** Nobody need be asked about its objects, and nobody adds to it. */
  readonly isSettled: boolean
}

/**
 * The segments of a data folder, each a file `<name>.seg`. Beside it lies `<name>.settled` as soon as no server writes
 * to it and no object of it is open, and `<name>.dead` with the lengths of what was removed.
 */
export class SegmentFolder {
  readonly path: string
  #isMade = false

  constructor(root: string) {
    this.path = join(root, 'segments')
  }

  pathOf(segment: string): string {
    return join(this.path, `${segment}.seg`)
  }

  async create(createFile: CreateSegmentFile): Promise<{ segment: string; file: SegmentFile }> {
    if (!this.#isMade) {
      await mkdir(this.path, { recursive: true })
      await syncFolder(dirname(this.path))
      this.#isMade = true
    }
    const segment = randomBytes(8).toString('hex')
    const file = await createFile(this.pathOf(segment))
    await syncFolder(this.path)
    return { segment, file }
  }

  async list(): Promise<FoundSegment[]> {
    const names = new Set(await readdir(this.path).catch(unlessMissing))
    return [...names].flatMap((name) => {
      const [, segment] = /^([0-9a-f]{16})\.seg$/.exec(name) ?? []
      if (segment === undefined) return []
      return { segment, isSettled: names.has(`${segment}.settled`) }
    })
  }

  settle(segment: string): Promise<void> {
    return writeFile(join(this.path, `${segment}.settled`), '')
  }

  /** Of all bytes, those of removed objects. */
  async measure(segment: string): Promise<{ bytes: number; deadBytes: number }> {
    const lengths = (await readFile(join(this.path, `${segment}.dead`), 'utf8').catch(unlessMissing)) ?? ''
    const deadBytes = lengths.split('\n').reduce((sum, length) => sum + Number(length), 0)
    return { bytes: (await stat(this.pathOf(segment)).catch(unlessMissing))?.size ?? 0, deadBytes }
  }

  /** Undefined where the segment, or the object in it, is gone. */
  async openObject(place: Place): Promise<OpenObject | undefined> {
    const handle = await open(this.pathOf(place.segment), 'r').catch(unlessMissing)
    if (!handle) return undefined
    if (!(await isAlive(handle, place))) {
      await handle.close()
      return undefined
    }
    const start = place.offset + headBytes
    const source = createFileSource(handle, start + place.length)
    return {
      size: place.length,
      read: async (offset, length, into) => {
        const bytes = await source.read(start + offset, length, into)
        // Whoever removes it says so first and overwrites it then: zeros never pass for its bytes.
        if (await isAlive(handle, place)) return bytes
        throw new ObjectStoreError('MISSING')
      },
      close: () => handle.close(),
    }
  }

  /** Overwrites objects with zeros, as far as they are there; returns how many were. */
  async kill(places: readonly Place[]): Promise<number> {
    let killed = 0
    for (const [segment, its] of Map.groupBy(places, (place) => place.segment)) {
      const handle = await open(this.pathOf(segment), 'r+').catch(unlessMissing)
      if (!handle) continue
      try {
        killed += await this.#killIn(handle, segment, its)
      } finally {
        await handle.close()
      }
    }
    return killed
  }

  async #killIn(handle: FileHandle, segment: string, places: readonly Place[]): Promise<number> {
    const { atime, mtime } = await handle.stat()
    const lengths: string[] = []
    for (const place of places) {
      const kind = await readKind(handle, place)
      if (kind === 'object') {
        await handle.write(deadByte, 0, 1, place.offset)
        lengths.push(`${place.length + headBytes}\n`)
      }
      // Also where a crash came between the two.
      if (kind === 'object' || kind === 'dead') await overwrite(handle, place)
    }
    await handle.datasync()
    // Its age says whether its server may still be writing.
    await handle.utimes(atime, mtime)
    if (lengths.length > 0) await appendFile(join(this.path, `${segment}.dead`), lengths.join(''))
    return lengths.length
  }

  async remove(segment: string): Promise<void> {
    await rm(this.pathOf(segment), { force: true })
    for (const note of ['dead', 'settled', 'moving']) await rm(join(this.path, `${segment}.${note}`), { force: true })
  }

  /** Another server may be moving its objects; one that died meanwhile is not waited for. */
  async claim(segment: string, now: number): Promise<boolean> {
    const path = join(this.path, `${segment}.moving`)
    const claimed = await stat(path).catch(unlessMissing)
    if (claimed && now - claimed.mtimeMs < claimMs) return false
    await rm(path, { force: true })
    const handle = await open(path, 'wx').catch(() => undefined)
    await handle?.close()
    return handle !== undefined
  }
}

const claimMs = 3_600_000

async function readKind(handle: FileHandle, { segment, offset, length }: Place): Promise<RecordKind | undefined> {
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(headBytes), 0, headBytes, offset)
  const head = readHead(buffer.subarray(0, bytesRead), segment, offset)
  return head?.length === length ? head.kind : undefined
}

const isAlive = async (handle: FileHandle, place: Place): Promise<boolean> =>
  (await readKind(handle, place)) === 'object'

async function overwrite(handle: FileHandle, { offset, length }: Place): Promise<void> {
  for (let done = 0; done < length;)
    done += (await handle.write(zeros, 0, length - done, offset + headBytes + done)).bytesWritten
}
