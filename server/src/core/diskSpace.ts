import { statfs } from 'node:fs/promises'

/** What lies on a disk: the embedded database, or objects on their way into the store. They may share one. */
export type DiskPlace = 'database' | 'objects'

export interface DiskLimits {
  /** With less than this nothing is written but what deleting and signing in need. */
  readonly reserveBytes: number
  /** With less than this the operator is told. */
  readonly noticeBytes: number
}

export interface ScarceDisk {
  readonly place: DiskPlace
  readonly freeMegabytes: number
  /** Writes are refused. */
  readonly isFull: boolean
}

/**
 * A reading holds for so long, less what was written since: a study of a thousand objects does not ask a thousand
 * times. One that leaves too little is taken again: somebody may just have made room.
 */
const readingMs = 100

interface Reading {
  readonly at: number
  readonly free: Promise<number>
  written: number
}

/**
 * Free space of the disks that the server writes to. A write that finds too little is refused before it begins, because
 * a database that meets the end of its disk may never answer again (docs/decisions/0049-full-disks.md).
 */
export class DiskSpace {
  readonly #folders: Readonly<Partial<Record<DiskPlace, readonly string[]>>>
  readonly #limits: DiskLimits
  readonly #readings = new Map<DiskPlace, Reading>()

  constructor(folders: Readonly<Partial<Record<DiskPlace, readonly string[]>>>, limits: DiskLimits) {
    this.#folders = folders
    this.#limits = limits
  }

  /** Throws ENOSPC, as the disk itself would, when one of the places has not more than the reserve. */
  async assertRoom(...places: readonly DiskPlace[]): Promise<void> {
    const { reserveBytes } = this.#limits
    for (const place of places) {
      if ((await this.#readFree(place)) >= reserveBytes) continue
      this.#readings.delete(place)
      if ((await this.#readFree(place)) < reserveBytes)
        throw Object.assign(new Error(`The reserve of the disk is reached (${place}).`), {
          code: 'ENOSPC',
          syscall: 'statfs',
        })
    }
  }

  /** For objects that arrive in pieces: as `assertRoom`, and these bytes are written next. */
  async assertRoomFor(bytes: number): Promise<void> {
    await this.assertRoom('database', 'objects')
    const reading = this.#readings.get('objects')
    if (reading) reading.written += bytes
  }

  /** The places of which the operator has to hear. */
  async listScarce(): Promise<ScarceDisk[]> {
    const places = Object.keys(this.#folders) as DiskPlace[]
    const found = await Promise.all(places.map(async (place) => ({ place, free: await this.#readFree(place) })))
    return found
      .filter(({ free }) => free < Math.max(this.#limits.noticeBytes, this.#limits.reserveBytes))
      .map(({ place, free }) => ({
        place,
        freeMegabytes: Math.floor(free / 2 ** 20),
        isFull: free < this.#limits.reserveBytes,
      }))
  }

  /** Megabytes for objects; undefined where no disk of this machine holds them, or its free space cannot be told. */
  async countFreeMegabytes(): Promise<number | undefined> {
    const free = await this.#readFree('objects')
    return Number.isFinite(free) ? Math.floor(free / 2 ** 20) : undefined
  }

  async #readFree(place: DiskPlace): Promise<number> {
    let reading = this.#readings.get(place)
    if (!reading || performance.now() - reading.at >= readingMs) {
      const free = Promise.all((this.#folders[place] ?? []).map(readFree)).then((all) => Math.min(Infinity, ...all))
      reading = { at: performance.now(), free, written: 0 }
      this.#readings.set(place, reading)
    }
    return (await reading.free) - reading.written
  }
}

/** Infinity where it cannot be told: a folder that is not there yet, a file system that counts no blocks. */
async function readFree(folder: string): Promise<number> {
  const { blocks, bavail, bsize } = await statfs(folder).catch(() => ({ blocks: 0, bavail: 0, bsize: 0 }))
  return blocks === 0 ? Infinity : bavail * bsize
}

/** For stores without a disk to watch. */
export const endlessDisk = new DiskSpace({}, { reserveBytes: 0, noticeBytes: 0 })
