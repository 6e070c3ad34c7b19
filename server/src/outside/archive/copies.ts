import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomUUID } from 'node:crypto'
import { openFile } from '../localStaging.ts'
import type { OpenObject } from '../objectStore.ts'

const mostBytes = 2 ** 30

interface Copy {
  readonly path: string
  readonly size: number
}

/**
 * Objects that were opened lately, on this machine's disk: an archive has no random access. The oldest go when there
 * are too many.
 */
export class LocalCopies {
  readonly #folder: string
  readonly #copies = new Map<string, Promise<Copy>>()
  readonly #sizes = new Map<string, number>()

  constructor(root: string) {
    this.#folder = join(root, 'copies')
  }

  async open(key: string, fetch: () => Promise<Readable>): Promise<OpenObject> {
    const existingCopy = this.#copies.get(key)
    const making = existingCopy ?? this.#make(fetch)
    // The one used last stands last.
    this.#copies.delete(key)
    this.#copies.set(key, making)
    try {
      const { path, size } = await making
      this.#sizes.set(key, size)
      const opened = await openFile(path)
      await this.#makeRoom()
      return opened
    } catch (cause) {
      this.#copies.delete(key)
      // Another request made room meanwhile.
      if (existingCopy && (cause as { code?: unknown }).code === 'ENOENT') return this.open(key, fetch)
      throw cause
    }
  }

  async forget(key: string): Promise<void> {
    const copy = this.#copies.get(key)
    this.#copies.delete(key)
    this.#sizes.delete(key)
    const madeCopy = await copy?.catch(() => undefined)
    if (madeCopy) await rm(madeCopy.path, { force: true })
  }

  /** Copies of an earlier process are of no use. */
  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #make(fetch: () => Promise<Readable>): Promise<Copy> {
    await mkdir(this.#folder, { recursive: true })
    const path = join(this.#folder, randomUUID())
    try {
      await pipeline(await fetch(), createWriteStream(path, { mode: 0o640 }))
      return { path, size: (await stat(path)).size }
    } catch (cause) {
      await rm(path, { force: true })
      throw cause
    }
  }

  /** An open copy stays readable: the file goes when it is closed. */
  async #makeRoom(): Promise<void> {
    let total = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0)
    for (const key of [...this.#copies.keys()].slice(0, -1)) {
      if (total <= mostBytes) return
      total -= this.#sizes.get(key) ?? 0
      await this.forget(key)
    }
  }
}
