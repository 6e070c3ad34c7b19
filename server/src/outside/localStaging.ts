import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { endlessDisk, type DiskSpace } from '../core/diskSpace.ts'
import { createBufferSource, createFileSource } from '../dicom/byteSource.ts'
import { ObjectStoreError, type ObjectStoreFault, type OpenObject, type StagedObject } from './objectStore.ts'

/**
 * Objects up to this size stay in memory between staging and keeping, so that their header is read without touching the
 * disk again.
 */
const inMemoryBytes = 2 ** 20
/** Of larger ones so much is written at a time. */
const togetherBytes = 2 ** 18

const faults: Record<string, ObjectStoreFault> = {
  ENOENT: 'MISSING',
  ENOSPC: 'FULL',
  EDQUOT: 'FULL',
  EFBIG: 'FULL',
  EROFS: 'READ_ONLY',
  EACCES: 'READ_ONLY',
  EPERM: 'READ_ONLY',
}

function asFault(cause: unknown): unknown {
  const { code, syscall } = (cause ?? {}) as { code?: unknown; syscall?: unknown }
  return typeof code === 'string' && typeof syscall === 'string'
    ? new ObjectStoreError(faults[code] ?? 'UNAVAILABLE', cause)
    : cause
}

/** Faults of the disk as faults of the store. */
export async function guarded<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    throw asFault(cause)
  }
}

/** For `catch`: what is not there is undefined. */
export function unlessMissing(cause: unknown): undefined {
  if ((cause as { code?: unknown }).code !== 'ENOENT') throw cause
}

/** A key is a path that stays below its root, in every store. */
export function checkedKey(key: string): string {
  if (!/^[0-9A-Za-z._~/-]{1,400}$/.test(key) || key.includes('..') || key.startsWith('/'))
    throw new ObjectStoreError('MISSING')
  return key
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A staged object as a file; where it lies may change until it is kept. */
export interface StagedFile extends StagedObject {
  path: string
  key: string | undefined
  /** Rejects where its bytes could not be synced. */
  readonly synced: Promise<void>
}

/** Staged objects lie in files of one folder until their store has taken them. */
export class LocalStaging {
  readonly folder: string
  readonly #isDurable: boolean
  readonly #disk: DiskSpace
  #isMade = false

  /** `isDurable`: the files themselves become the objects, so that they are synced. */
  constructor(root: string, isDurable: boolean, disk: DiskSpace = endlessDisk) {
    this.#disk = disk
    this.folder = join(root, 'incoming')
    this.#isDurable = isDurable
  }

  async make(): Promise<void> {
    if (this.#isMade) return
    await mkdir(this.folder, { recursive: true })
    await syncFolder(dirname(this.folder))
    this.#isMade = true
  }

  async stage(content: AsyncIterable<Uint8Array> | Uint8Array, maxBytes: number): Promise<StagedFile> {
    await this.make()
    const assertRoomFor = (bytes: number): Promise<void> => this.#disk.assertRoomFor(bytes)
    await assertRoomFor(0)
    const path = this.newPath()
    const handle = await open(path, 'wx', 0o640)
    try {
      const written = await write(handle, content, maxBytes, assertRoomFor)
      // Its header is read and looked up while the disk works; who intends it waits.
      const synced = (this.#isDurable ? handle.sync() : Promise.resolve()).finally(() => handle.close())
      synced.catch(() => undefined)
      return stagedFile(path, written, synced)
    } catch (cause) {
      await handle.close()
      await unlink(path).catch(() => undefined)
      throw cause
    }
  }

  newPath(): string {
    return join(this.folder, `${randomUUID()}.part`)
  }

  /** Names of the files that were not touched for so long. */
  async oldNames(olderThanMs: number): Promise<string[]> {
    await this.make()
    const names = await readdir(this.folder)
    // A shared folder has the clock of the machine that holds it, and no other tells the age of its files.
    const now = olderThanMs === 0 ? Infinity : await this.readClock()
    const old: string[] = []
    for (const name of names) {
      const stats = await stat(join(this.folder, name)).catch(() => undefined)
      if (stats && now - stats.mtimeMs >= olderThanMs) old.push(name)
    }
    return old
  }

  /** Of the machine that holds the folder. */
  async readClock(): Promise<number> {
    await this.make()
    const path = this.newPath()
    const handle = await open(path, 'wx')
    try {
      return (await handle.stat()).mtimeMs
    } finally {
      await handle.close()
      await unlink(path)
    }
  }

  remove(name: string): Promise<void> {
    return rm(join(this.folder, name), { force: true })
  }

  /** Throws when it cannot be written. */
  async ready(): Promise<void> {
    await this.make()
    const path = this.newPath()
    const handle = await open(path, 'wx')
    await handle.close()
    await unlink(path)
  }
}

export async function openFile(path: string): Promise<OpenObject> {
  const handle = await open(path, 'r')
  const { size } = await handle.stat()
  return { ...createFileSource(handle, size), close: () => handle.close() }
}

function stagedFile(
  path: string,
  { sha256, size, bytes }: Awaited<ReturnType<typeof write>>,
  synced: Promise<void>,
): StagedFile {
  let inMemory = bytes
  const close = async (): Promise<void> => {
    inMemory = undefined
  }
  const staged: StagedFile = {
    path,
    key: undefined,
    synced,
    sha256,
    nameHash: sha256,
    size,
    nameEnd: randomBytes(6).toString('hex'),
    open: async () => (inMemory ? { ...createBufferSource(inMemory), close } : openFile(staged.path)),
  }
  return staged
}

async function write(
  handle: FileHandle,
  content: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
  assertRoomFor: (bytes: number) => Promise<void>,
): Promise<{ sha256: string; size: number; bytes: Buffer | undefined }> {
  const hash = createHash('sha256')
  let size = 0
  // Pieces of a socket are small, and each write is a round through another thread: they go to the disk together.
  let chunks: Uint8Array[] = []
  let waitingBytes = 0
  const flush = async (): Promise<void> => {
    const pieces = chunks
    chunks = []
    await assertRoomFor(waitingBytes)
    const { bytesWritten } = await handle.writev(pieces)
    if (bytesWritten < waitingBytes) await writeAll(handle, Buffer.concat(pieces).subarray(bytesWritten))
    waitingBytes = 0
  }
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    size += chunk.length
    if (size > maxBytes) throw new ObjectStoreError('TOO_LARGE')
    hash.update(chunk)
    chunks.push(chunk)
    waitingBytes += chunk.length
    if (size > inMemoryBytes && waitingBytes >= togetherBytes) await flush()
  }
  const bytes = size <= inMemoryBytes ? Buffer.concat(chunks, size) : undefined
  if (bytes) {
    await assertRoomFor(size)
    await writeAll(handle, bytes)
  } else if (waitingBytes > 0) await flush()
  return { sha256: hash.digest('hex'), size, bytes }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let done = 0
  while (done < chunk.length) done += (await handle.write(chunk, done)).bytesWritten
}
