import { mkdir, open, opendir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { DiskSpace } from '../core/diskSpace.ts'
import { createFileSource } from '../dicom/byteSource.ts'
import { checkedKey, guarded, LocalStaging, syncFolder, unlessMissing, type StagedFile } from './localStaging.ts'
import { readRange } from './readRange.ts'
import type { ByteRange, ListedObject, ObjectStore, OpenObject, StagedObject } from './objectStore.ts'

/** Keys are paths below `objects/`; staged objects lie in `incoming/` under their percent-encoded keys. */
export class FolderObjectStore implements ObjectStore {
  readonly isArchive = false
  readonly canRemove = true
  readonly #objects: string
  readonly #incoming: string
  readonly #staging: LocalStaging
  readonly #folders = new Set<string>()

  constructor(root: string, disk?: DiskSpace) {
    this.#objects = join(root, 'objects')
    this.#staging = new LocalStaging(root, true, disk)
    this.#incoming = this.#staging.folder
  }

  #pathOf(key: string): string {
    return join(this.#objects, checkedKey(key))
  }

  #incomingOf(key: string): string {
    return join(this.#incoming, encodeURIComponent(key))
  }

  async #folder(path: string): Promise<void> {
    if (this.#folders.has(path)) return
    await mkdir(path, { recursive: true })
    await syncFolder(dirname(path))
    this.#folders.add(path)
  }

  stage(content: AsyncIterable<Uint8Array> | Uint8Array, { maxBytes = Infinity } = {}): Promise<StagedObject> {
    return guarded(() => this.#staging.stage(content, maxBytes))
  }

  intend(intentions: ReadonlyArray<{ staged: StagedObject; key: string }>): Promise<void> {
    return guarded(async () => {
      for (const { staged, key } of intentions as ReadonlyArray<{ staged: StagedFile; key: string }>) {
        this.#pathOf(key)
        const path = this.#incomingOf(key)
        await rename(staged.path, path)
        staged.path = path
        staged.key = key
      }
      const files = intentions.map(({ staged }) => staged as StagedFile)
      const folders = new Set(intentions.map(({ key }) => dirname(this.#pathOf(key))))
      // The disk writes all of it down at once.
      await allOf([
        ...files.map(({ synced }) => synced),
        syncFolder(this.#incoming),
        ...[...folders].map((folder) => this.#folder(folder)),
      ])
    })
  }

  keep(staged: readonly StagedObject[]): Promise<void> {
    return guarded(async () => {
      const folders = new Set<string>()
      for (const object of staged as readonly StagedFile[]) {
        if (object.key === undefined) throw new TypeError('Only an object with an intended key can be kept.')
        const path = this.#pathOf(object.key)
        await this.#folder(dirname(path))
        await rename(object.path, path)
        object.path = path
        folders.add(dirname(path))
      }
      await Promise.all([...folders].map(syncFolder))
    })
  }

  async discard(staged: readonly StagedObject[]): Promise<void> {
    const remove = async ({ path, synced }: StagedFile): Promise<void> => {
      await rm(path, { force: true })
      await synced.catch(() => undefined)
    }
    await Promise.all((staged as readonly StagedFile[]).map(remove))
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    return readRange(await this.open(key), range)
  }

  async #handle(key: string): Promise<FileHandle> {
    try {
      return await open(this.#pathOf(key), 'r')
    } catch (cause) {
      // Its row is committed and it is about to be kept.
      if ((cause as { code?: unknown }).code === 'ENOENT') return open(this.#incomingOf(key), 'r')
      throw cause
    }
  }

  open(key: string): Promise<OpenObject> {
    return guarded(async () => {
      const handle = await this.#handle(key)
      const { size } = await handle.stat()
      return { ...createFileSource(handle, size), close: () => handle.close() }
    })
  }

  holds(key: string, size: number): Promise<boolean> {
    return guarded(async () => {
      const path = this.#pathOf(key)
      // While it is being kept, it moves from the second place to the first.
      for (const place of [path, this.#incomingOf(key), path]) {
        const found = await stat(place).catch((cause: unknown) => {
          if ((cause as { code?: unknown }).code !== 'ENOENT') throw cause
        })
        if (found) return found.size === size
      }
      return false
    })
  }

  remove(keys: readonly string[]): Promise<void> {
    return guarded(async () => {
      for (const key of keys) {
        await rm(this.#pathOf(key), { force: true })
        await rm(this.#incomingOf(key), { force: true })
      }
    })
  }

  recover(
    areKept: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
    olderThanMs: number,
  ): Promise<{ kept: number; discarded: number }> {
    return guarded(async () => {
      const names = await this.#staging.oldNames(olderThanMs)
      const keyed = names.filter((name) => !name.endsWith('.part'))
      const keptKeys = keyed.length > 0 ? await areKept(keyed.map(decodeURIComponent)) : new Set<string>()
      for (const name of names) {
        const key = name.endsWith('.part') ? undefined : decodeURIComponent(name)
        if (key !== undefined && keptKeys.has(key))
          await this.keep([{ path: join(this.#incoming, name), key } as StagedFile])
        else await this.#staging.remove(name)
      }
      return { kept: keptKeys.size, discarded: names.length - keptKeys.size }
    })
  }

  compact = async () => ({ moved: 0, left: 0 })

  close = async (): Promise<void> => undefined

  async *list(): AsyncGenerator<ListedObject> {
    const entries = await opendir(this.#objects, { recursive: true }).catch(unlessMissing)
    for await (const entry of entries ?? []) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const stats = await stat(path).catch(unlessMissing)
      if (stats) yield { key: relative(this.#objects, path).split(sep).join('/'), modified: stats.mtimeMs }
    }
  }

  ready(): Promise<void> {
    return guarded(() => this.#staging.ready())
  }

  readClock(): Promise<number> {
    return this.#staging.readClock()
  }
}

/** Waits for the end of each: whoever is told that one failed discards all of them. */
export async function allOf(steps: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

/** The embedded object store: files below one folder. */
export const folderObjectStore = (root: string, disk?: DiskSpace): ObjectStore => new FolderObjectStore(root, disk)
