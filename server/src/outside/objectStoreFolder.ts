import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { bufferSource, fileSource } from '../dicom/byteSource.ts'
import { ObjectStoreError, type ByteRange, type ObjectStore, type ObjectStoreFault, type OpenObject, type StagedObject } from './objectStore.ts'

/** Objects up to this size stay in memory between staging and keeping, so that their header is read without touching the disk again. */
const IN_MEMORY_BYTES = 2 ** 20

interface Staged extends StagedObject {
  path: string
  key: string | undefined
}

const faults: Record<string, ObjectStoreFault> = { ENOENT: 'MISSING', ENOSPC: 'FULL', EDQUOT: 'FULL', EFBIG: 'FULL', EROFS: 'READ_ONLY', EACCES: 'READ_ONLY', EPERM: 'READ_ONLY' }

function asFault(cause: unknown): unknown {
  const { code, syscall } = (cause ?? {}) as { code?: unknown; syscall?: unknown }
  return typeof code === 'string' && typeof syscall === 'string' ? new ObjectStoreError(faults[code] ?? 'UNAVAILABLE', cause) : cause
}

async function guarded<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    throw asFault(cause)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openFile(path: string): Promise<OpenObject> {
  const handle = await open(path, 'r')
  const { size } = await handle.stat()
  return { ...fileSource(handle, size), close: () => handle.close() }
}

/** Keys are paths below `objects/`; what is under way lies in `incoming/` under its percent-encoded key. */
class FolderObjectStore implements ObjectStore {
  readonly #objects: string
  readonly #incoming: string
  readonly #folders = new Set<string>()

  constructor(root: string) {
    this.#objects = join(root, 'objects')
    this.#incoming = join(root, 'incoming')
  }

  #pathOf(key: string): string {
    if (!/^[0-9A-Za-z._~/-]{1,240}$/.test(key) || key.includes('..')) throw new ObjectStoreError('MISSING')
    return join(this.#objects, key)
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
    return guarded(async () => {
      await this.#folder(this.#incoming)
      const path = join(this.#incoming, `${randomUUID()}.part`)
      const handle = await open(path, 'wx', 0o640)
      try {
        const written = await write(handle, content, maxBytes)
        await handle.sync()
        return stagedFile(path, written)
      } catch (cause) {
        await unlink(path).catch(() => undefined)
        throw cause
      } finally {
        await handle.close()
      }
    })
  }

  intend(intentions: ReadonlyArray<{ staged: StagedObject; key: string }>): Promise<void> {
    return guarded(async () => {
      for (const { staged, key } of intentions as ReadonlyArray<{ staged: Staged; key: string }>) {
        this.#pathOf(key)
        const path = this.#incomingOf(key)
        await rename(staged.path, path)
        staged.path = path
        staged.key = key
      }
      await syncFolder(this.#incoming)
    })
  }

  keep(staged: readonly StagedObject[]): Promise<void> {
    return guarded(async () => {
      const folders = new Set<string>()
      for (const one of staged as readonly Staged[]) {
        if (one.key === undefined) throw new TypeError('Only an object with an intended key can be kept.')
        const path = this.#pathOf(one.key)
        await this.#folder(dirname(path))
        await rename(one.path, path)
        one.path = path
        folders.add(dirname(path))
      }
      await Promise.all([...folders].map(syncFolder))
    })
  }

  async discard(staged: readonly StagedObject[]): Promise<void> {
    await Promise.all((staged as readonly Staged[]).map((one) => rm(one.path, { force: true })))
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return guarded(async () => {
      const handle = await this.#handle(key)
      return createReadStream('', { fd: handle, autoClose: true, highWaterMark: 256 * 1024, ...(range && { start: range.start, end: range.end }) })
    })
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
      return { ...fileSource(handle, size), close: () => handle.close() }
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

  recover(areKept: (keys: readonly string[]) => Promise<ReadonlySet<string>>, olderThanMs: number): Promise<{ kept: number; discarded: number }> {
    return guarded(async () => {
      await this.#folder(this.#incoming)
      const names = await this.#oldNames(olderThanMs)
      const keyed = names.filter((name) => !name.endsWith('.part'))
      const kept = keyed.length > 0 ? await areKept(keyed.map(decodeURIComponent)) : new Set<string>()
      for (const name of names) {
        const key = name.endsWith('.part') ? undefined : decodeURIComponent(name)
        if (key !== undefined && kept.has(key)) await this.keep([{ path: join(this.#incoming, name), key } as Staged])
        else await rm(join(this.#incoming, name), { force: true })
      }
      return { kept: kept.size, discarded: names.length - kept.size }
    })
  }

  async #oldNames(olderThanMs: number): Promise<string[]> {
    const old: string[] = []
    for (const name of await readdir(this.#incoming)) {
      const found = await stat(join(this.#incoming, name)).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs >= olderThanMs) old.push(name)
    }
    return old
  }

  ready(): Promise<void> {
    return guarded(async () => {
      await this.#folder(this.#incoming)
      const path = join(this.#incoming, `${randomUUID()}.part`)
      const handle = await open(path, 'wx')
      await handle.close()
      await unlink(path)
    })
  }
}

function stagedFile(path: string, { sha256, size, bytes }: Awaited<ReturnType<typeof write>>): Staged {
  let inMemory = bytes
  const close = async (): Promise<void> => {
    inMemory = undefined
  }
  const staged: Staged = { path, key: undefined, sha256, size, open: async () => (inMemory ? { ...bufferSource(inMemory), close } : openFile(staged.path)) }
  return staged
}

async function write(handle: FileHandle, content: AsyncIterable<Uint8Array> | Uint8Array, maxBytes: number): Promise<{ sha256: string; size: number; bytes: Buffer | undefined }> {
  const hash = createHash('sha256')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    size += chunk.length
    if (size > maxBytes) throw new ObjectStoreError('TOO_LARGE')
    hash.update(chunk)
    if (size <= IN_MEMORY_BYTES) chunks.push(chunk)
    else chunks.length = 0
    await writeAll(handle, chunk)
  }
  return { sha256: hash.digest('hex'), size, bytes: size <= IN_MEMORY_BYTES ? Buffer.concat(chunks) : undefined }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let done = 0
  while (done < chunk.length) done += (await handle.write(chunk, done)).bytesWritten
}

/** The embedded object store: files below one folder. */
export const folderObjectStore = (root: string): ObjectStore => new FolderObjectStore(root)
