import type { Why } from '../answer.ts'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { OperationRefused, status } from '@dmp/dimse'
import { Refusals } from '../Refusals.ts'

/** An object as its command names it. */
export interface Received {
  readonly sopClassUID: string
  readonly sopInstanceUID: string
}

const lookEveryBytes = 64 * 2 ** 20
const usualReserveBytes = 5 * 10 ** 9

/**
 * What devices sent and the server does not have yet, on this disk. The name of a file says which object it is, and its
 * folder who sent it: nothing else has to be remembered. The same object sent again is the same file.
 */
export class Spool {
  readonly folder: string
  /** What the server refused is kept: the device may have deleted it since it was told that it arrived. */
  readonly #refusals: Refusals
  reserveBytes = usualReserveBytes
  /** The last object found no room. */
  isFull = false
  /** How many files wait, by object and by sender. */
  readonly #waiting = new Map<string, number>()
  readonly #waitingOf = new Map<string, number>()
  readonly #names = new Set<string>()

  constructor(stateFolder: string) {
    this.folder = path.join(stateFolder, 'received')
    this.#refusals = new Refusals(stateFolder)
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    for (const sender of readdirSync(this.folder, { withFileTypes: true }).filter((each) => each.isDirectory()))
      for (const name of readdirSync(path.join(this.folder, sender.name))) {
        const file = path.join(this.folder, sender.name, name)
        // Half of an object, whose device was never told that it arrived.
        if (name.startsWith('.')) rmSync(file, { force: true })
        else this.#count(file, 1)
      }
  }

  has(file: string): boolean {
    return file.startsWith(this.folder + path.sep)
  }

  get waiting(): number {
    return this.#names.size
  }

  waitingOf(aeTitle: string): number {
    return this.#waitingOf.get(toFolderName(aeTitle)) ?? 0
  }

  isWaiting(sopInstanceUID: string): boolean {
    return this.#waiting.has(sopInstanceUID)
  }

  /** What may still be taken before the reserve begins. */
  async room(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder)
    return Math.max(0, bavail * bsize - this.reserveBytes)
  }

  /** Throws `OperationRefused` where there is no room, with which devices try again. */
  async assertRoom(): Promise<void> {
    this.isFull = (await this.room()) === 0
    if (this.isFull) throw new OperationRefused(status.outOfResources, 'The disk of the gateway is full.')
  }

  /** Returns its bytes when the object is on the disk, and stays there whatever happens to this machine. */
  async keep(aeTitle: string, object: Received, pieces: AsyncIterable<Uint8Array>): Promise<number> {
    const folder = path.join(this.folder, toFolderName(aeTitle))
    const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
    const unfinished = path.join(folder, `.${randomUUID()}`)
    try {
      const { bytes, hash } = await this.#write(unfinished, pieces)
      const file = path.join(folder, `${object.sopInstanceUID}_${object.sopClassUID}_${hash.slice(0, 16)}.dcm`)
      await rename(unfinished, file)
      await syncFolder(folder)
      if (isNew) await syncFolder(this.folder)
      this.#count(file, 1)
      return bytes
    } catch (cause) {
      await rm(unfinished, { force: true })
      if ((cause as { code?: unknown }).code !== 'ENOSPC') throw cause
      this.isFull = true
      throw new OperationRefused(status.outOfResources, 'The disk of the gateway is full.')
    }
  }

  /** Returns where the file is now, if it is anywhere. */
  settle(
    file: string,
    outcome: 'stored' | 'duplicate' | 'refused' | 'not-dicom',
    why: Why | undefined,
  ): string | undefined {
    if (outcome === 'stored' || outcome === 'duplicate') {
      rmSync(file, { force: true })
      this.#count(file, -1)
      return undefined
    }
    const place = this.#refusals.keep(file, path.relative(this.folder, file), why)
    this.#count(file, -1)
    return place
  }

  async #write(file: string, pieces: AsyncIterable<Uint8Array>): Promise<{ bytes: number; hash: string }> {
    const hash = createHash('sha256')
    const handle = await open(file, 'wx', 0o600)
    let bytes = 0
    let next = lookEveryBytes
    try {
      for await (const piece of pieces) {
        hash.update(piece)
        await handle.writeFile(piece)
        bytes += piece.length
        if (bytes < next) continue
        next += lookEveryBytes
        await this.assertRoom()
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    return { bytes, hash: hash.digest('hex') }
  }

  #count(file: string, by: 1 | -1): void {
    if (this.#names.has(file) === by > 0) return
    if (by > 0) this.#names.add(file)
    else this.#names.delete(file)
    const { sopInstanceUID } = toReceived(file)
    const sender = path.basename(path.dirname(file))
    for (const [map, key] of [
      [this.#waiting, sopInstanceUID],
      [this.#waitingOf, sender],
    ] as const) {
      const count = (map.get(key) ?? 0) + by
      if (count > 0) map.set(key, count)
      else map.delete(key)
    }
  }
}

/** Which object a file of the spool is. */
export function toReceived(file: string): Received {
  const [sopInstanceUID = '', sopClassUID = ''] = path.basename(file).split('_')
  return { sopInstanceUID, sopClassUID }
}

/** Every AE title as a name that every file system takes; none is hidden, or means something to Windows. */
export const toFolderName = (aeTitle: string): string =>
  `from-${aeTitle.replaceAll(/[^\w-]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and keeps the names of files in its own journal.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
