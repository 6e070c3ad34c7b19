import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { BucketError, type Bucket, type BucketFault } from '@dmp/bucket'
import { sharedNow } from '../core/clock.ts'
import { checkedKey, guarded, LocalStaging, type StagedFile } from './localStaging.ts'
import type { DiskSpace } from '../core/diskSpace.ts'
import { forEachInLanes } from '../core/semaphore.ts'
import {
  ObjectStoreError,
  type ByteRange,
  type ListedObject,
  type ObjectStore,
  type ObjectStoreFault,
  type OpenObject,
  type StagedObject,
} from './objectStore.ts'

const atOnce = 8
/** Read ahead, so that a header and a usual slice come with the first answer. */
const windowBytes = 2 ** 20

/** Names objects before they are sent; gone when each of its keys is kept or discarded. */
interface Note {
  readonly key: string
  readonly open: Set<string>
}

interface Staged extends StagedFile {
  note?: Note
}

const faults: Record<BucketFault, ObjectStoreFault> = {
  MISSING: 'MISSING',
  REFUSED: 'READ_ONLY',
  FULL: 'FULL',
  UNAVAILABLE: 'UNAVAILABLE',
}

function answered<T>(act: () => Promise<T>): Promise<T> {
  return guarded(async () => {
    try {
      return await act()
    } catch (cause) {
      throw cause instanceof BucketError ? new ObjectStoreError(faults[cause.fault], cause) : cause
    }
  })
}

/**
 * Objects in an S3-compatible bucket, under their keys below `objects/`. They are staged on the server's own disk;
 * `intend` writes the keys to a note below `incoming/` and sends the objects, so that after a crash every object
 * without a row is known.
 */
class BucketObjectStore implements ObjectStore {
  readonly isArchive = false
  readonly canRemove = true
  readonly #bucket: Bucket
  readonly #staging: LocalStaging

  constructor(bucket: Bucket, root: string, disk?: DiskSpace) {
    this.#bucket = bucket
    this.#staging = new LocalStaging(root, false, disk)
  }

  stage(content: AsyncIterable<Uint8Array> | Uint8Array, { maxBytes = Infinity } = {}): Promise<StagedObject> {
    return guarded(() => this.#staging.stage(content, maxBytes))
  }

  intend(intentions: ReadonlyArray<{ staged: StagedObject; key: string }>): Promise<void> {
    return answered(async () => {
      if (intentions.length === 0) return
      const keys = intentions.map(({ key }) => checkedKey(key))
      const note: Note = { key: `incoming/${randomUUID()}.json`, open: new Set(keys) }
      await this.#bucket.put(note.key, Buffer.from(JSON.stringify(keys)))
      for (const { staged, key } of intentions as ReadonlyArray<{ staged: Staged; key: string }>)
        Object.assign(staged, { key, note })
      await forEachInLanes(
        atOnce,
        intentions as ReadonlyArray<{ staged: Staged; key: string }>,
        async ({ staged, key }) => {
          await this.#bucket.put(objectAt(key), await openAsBlob(staged.path), { sha256: staged.sha256 })
          await rm(staged.path, { force: true })
        },
      )
    })
  }

  keep(staged: readonly StagedObject[]): Promise<void> {
    return answered(async () => {
      for (const object of staged as readonly Staged[])
        if (object.key === undefined) throw new TypeError('Only an object with an intended key can be kept.')
      await this.#settle(staged as readonly Staged[])
    })
  }

  discard(staged: readonly StagedObject[]): Promise<void> {
    return answered(async () => {
      await forEachInLanes(atOnce, staged as readonly Staged[], async ({ path, key }) => {
        await rm(path, { force: true })
        if (key !== undefined) await this.#bucket.remove(objectAt(key))
      })
      await this.#settle(staged as readonly Staged[])
    })
  }

  async #settle(staged: readonly Staged[]): Promise<void> {
    const touched = new Set<Note>()
    for (const { note, key } of staged) {
      if (!note || key === undefined) continue
      note.open.delete(key)
      touched.add(note)
    }
    for (const note of touched) if (note.open.size === 0) await this.#bucket.remove(note.key)
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return answered(async () => {
      const content = await this.#bucket.get(objectAt(checkedKey(key)), range)
      if (!content) throw new ObjectStoreError('MISSING')
      return content.stream
    })
  }

  open(key: string): Promise<OpenObject> {
    return answered(async () => {
      const at = objectAt(checkedKey(key))
      const first = await this.#bucket.get(at, { start: 0, end: windowBytes - 1 })
      if (!first) throw new ObjectStoreError('MISSING')
      const { size } = first
      let window: { start: number; bytes: Buffer } = { start: 0, bytes: await readBytes(first.stream) }
      const read = (offset: number, length: number): Promise<Buffer> =>
        answered(async () => {
          const end = Math.min(offset + length, size)
          if (end <= offset) return Buffer.alloc(0)
          const { start, bytes } = window
          if (offset >= start && end <= start + bytes.length) return bytes.subarray(offset - start, end - start)
          const more = await this.#bucket.get(at, {
            start: offset,
            end: Math.min(size, Math.max(end, offset + windowBytes / 4)) - 1,
          })
          if (!more) throw new ObjectStoreError('MISSING')
          const nextBytes = await readBytes(more.stream)
          window = { start: offset, bytes: nextBytes }
          return nextBytes.subarray(0, end - offset)
        })
      return { size, read, close: async () => undefined }
    })
  }

  holds(key: string, size: number): Promise<boolean> {
    return answered(async () => {
      const first = await this.#bucket.get(objectAt(checkedKey(key)), { start: 0, end: 0 })
      first?.stream.resume()
      return first?.size === size
    })
  }

  remove(keys: readonly string[]): Promise<void> {
    return answered(() => forEachInLanes(atOnce, keys, (key) => this.#bucket.remove(objectAt(checkedKey(key)))))
  }

  recover(
    areKept: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
    olderThanMs: number,
  ): Promise<{ kept: number; discarded: number }> {
    return answered(async () => {
      const settled = { kept: 0, discarded: 0 }
      for (const name of await this.#staging.oldNames(olderThanMs)) {
        await this.#staging.remove(name)
        settled.discarded += 1
      }
      for await (const { key, modified } of this.#bucket.list('incoming/')) {
        if (sharedNow() - modified.getTime() < olderThanMs) continue
        const note = await this.#bucket.get(key)
        if (!note) continue
        const keys = (await json(note.stream)) as string[]
        const keptKeys = await areKept(keys)
        const lostKeys = keys.filter((key) => !keptKeys.has(key))
        await this.remove(lostKeys)
        await this.#bucket.remove(key)
        settled.kept += keptKeys.size
        settled.discarded += lostKeys.length
      }
      return settled
    })
  }

  compact = async () => ({ moved: 0, left: 0 })

  close = async (): Promise<void> => undefined

  async *list(): AsyncGenerator<ListedObject> {
    for await (const { key, modified } of this.#bucket.list('objects/'))
      yield { key: key.slice('objects/'.length), modified: modified.getTime() }
  }

  ready(): Promise<void> {
    return answered(async () => {
      await this.#staging.ready()
      await this.#bucket.check()
    })
  }
}

const objectAt = (key: string): string => `objects/${key}`

async function readBytes(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Objects in a bucket; staged ones lie below `root` on this machine's disk. */
export const bucketObjectStore = (bucket: Bucket, root: string, disk?: DiskSpace): ObjectStore =>
  new BucketObjectStore(bucket, root, disk)
