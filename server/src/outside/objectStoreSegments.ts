import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { endlessDisk, type DiskSpace } from '../core/diskSpace.ts'
import { createBufferSource } from '../dicom/byteSource.ts'
import { checkedKey, guarded, unlessMissing } from './localStaging.ts'
import {
  ObjectStoreError,
  type ByteRange,
  type ListedObject,
  type ObjectStore,
  type OpenObject,
  type StagedObject,
  type StageOptions,
} from './objectStore.ts'
import { allOf, FolderObjectStore } from './objectStoreFolder.ts'
import { readRange } from './readRange.ts'
import { moveToFiles } from './segments/moveToFiles.ts'
import { scanSegment, type ScannedSegment } from './segments/scanSegment.ts'
import { createSegmentFile, type CreateSegmentFile } from './segments/segmentFile.ts'
import { SegmentFolder } from './segments/segmentFolder.ts'
import { formatPlace, largestBytes, parsePlace, type Place } from './segments/segmentFormat.ts'
import { SegmentWriter } from './segments/segmentWriter.ts'
import { settleSegment } from './segments/settleSegment.ts'
import { collectSmall } from './segments/collectSmall.ts'

const segmentBytes = 2 ** 28
/**
 * Nobody adds to a segment after so long, an hour before others take its server for dead; and what is removed of an
 * older one is given back within a day.
 */
const idleMs = 10 * 60_000
const ageMs = 12 * 3_600_000
/** Of a segment; then what stays is moved to files and the rest given back. */
const deadShare = 1 / 8

interface AppendedObject extends StagedObject {
  key: string | undefined
  readonly at: Place
  readonly writer: SegmentWriter
}

export interface SegmentOptions {
  /** Otherwise new objects are files, and those in segments become files. */
  readonly appends: boolean
  readonly disk?: DiskSpace | undefined
  readonly createFile?: CreateSegmentFile
  readonly segmentBytes?: number
}

/**
 * Objects of the data folder, of which small ones are appended to segments: a group of them costs one write and one
 * sync. Their keys end with where they lie; what is no longer there is a file under the same key
 * (docs/decisions/0182-a-store-that-appends.md).
 */
class SegmentObjectStore implements ObjectStore {
  readonly isArchive = false
  readonly canRemove = true
  readonly #files: FolderObjectStore
  readonly #segments: SegmentFolder
  readonly #options: SegmentOptions
  readonly #disk: DiskSpace
  #writer: SegmentWriter | undefined
  #opening: Promise<SegmentWriter> | undefined

  constructor(root: string, options: SegmentOptions) {
    this.#options = options
    this.#disk = options.disk ?? endlessDisk
    this.#files = new FolderObjectStore(root, options.disk)
    this.#segments = new SegmentFolder(root)
  }

  stage(
    content: AsyncIterable<Uint8Array> | Uint8Array,
    { maxBytes = Infinity, isApart = false }: StageOptions = {},
  ): Promise<StagedObject> {
    return guarded(async () => {
      if (!this.#options.appends || isApart) return this.#files.stage(content, { maxBytes })
      await this.#disk.assertRoomFor(0)
      const taken = await collectSmall(content, largestBytes, maxBytes)
      if (!(taken instanceof Uint8Array)) return this.#files.stage(taken, { maxBytes })
      await this.#disk.assertRoomFor(taken.length)
      let writer = await this.#current()
      while (writer.isSealed) writer = await this.#current()
      const adding = writer.addObject(taken)
      // Hashed while the disk works.
      const sha256 = hash('sha256', taken)
      return this.#stagedObject(writer, await adding, taken, sha256)
    })
  }

  #stagedObject(writer: SegmentWriter, at: Place, bytes: Buffer, sha256: string): AppendedObject {
    let inMemory: Buffer | undefined = bytes
    const close = async (): Promise<void> => {
      inMemory = undefined
    }
    const place = formatPlace(at)
    return {
      sha256,
      nameHash: sha256,
      size: bytes.length,
      nameEnd: place,
      place,
      key: undefined,
      at,
      writer,
      open: async () => (inMemory ? { ...createBufferSource(inMemory), close } : this.#openAt(at)),
    }
  }

  /** The segment that is written to; a new one where it is full, old, idle or not to be believed any more. */
  async #current(): Promise<SegmentWriter> {
    const writer = this.#writer
    if (writer && this.#isUsable(writer)) return writer
    this.#opening ??= this.#create().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  #isUsable(writer: SegmentWriter): boolean {
    const isOld = writer.idleMs > idleMs || performance.now() - writer.createdMs > ageMs
    return !writer.isSealed && !writer.hasFailed && !isOld && writer.size < (this.#options.segmentBytes ?? segmentBytes)
  }

  async #create(): Promise<SegmentWriter> {
    const { segment, file } = await this.#segments.create(this.#options.createFile ?? createSegmentFile)
    const writer: SegmentWriter = new SegmentWriter(segment, file, async () => {
      // Behind what failed may lie half a record, which `recover` cuts off.
      if (!writer.hasFailed) await this.#segments.settle(segment)
    })
    void this.#writer?.seal()
    this.#writer = writer
    return writer
  }

  intend(intentions: ReadonlyArray<{ staged: StagedObject; key: string }>): Promise<void> {
    return guarded(async () => {
      const appended: AppendedObject[] = []
      const files: { staged: StagedObject; key: string }[] = []
      for (const { staged, key } of intentions) {
        checkedKey(key)
        if (!isAppended(staged)) {
          files.push({ staged, key })
          continue
        }
        const place = parsePlace(key)
        if (!place || formatPlace(place) !== staged.place)
          throw new TypeError('The key of an object ends with its own place.')
        staged.key = key
        appended.push(staged)
      }
      await allOf([
        ...(files.length > 0 ? [this.#files.intend(files)] : []),
        ...[...Map.groupBy(appended, ({ writer }) => writer)].map(([writer, its]) =>
          writer.addIndex(its.map(({ key = '' }) => key)),
        ),
      ])
    })
  }

  keep(staged: readonly StagedObject[]): Promise<void> {
    return guarded(async () => {
      const { appended, files } = split(staged)
      for (const { key, writer, at } of appended) {
        if (key === undefined) throw new TypeError('Only an object with an intended key can be kept.')
        writer.settle([at])
      }
      await this.#files.keep(files)
      // One that was restored from a backup is where its file is, whatever its segment still holds.
      await this.#segments.kill(files.flatMap(({ key = '' }) => parsePlace(key) ?? []))
    })
  }

  discard(staged: readonly StagedObject[]): Promise<void> {
    return guarded(async () => {
      const { appended, files } = split(staged)
      await this.#files.discard(files)
      await this.#segments.kill(appended.map(({ at }) => at))
      for (const { writer, at } of appended) writer.settle([at])
    })
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return guarded(async () => {
      const object = await this.#openAppended(key)
      return object ? readRange(object, range) : this.#files.read(key, range)
    })
  }

  open(key: string): Promise<OpenObject> {
    return guarded(async () => (await this.#openAppended(key)) ?? this.#files.open(key))
  }

  holds(key: string, size: number): Promise<boolean> {
    return guarded(async () => {
      const object = await this.#openAppended(key)
      await object?.close()
      return object ? object.size === size : this.#files.holds(key, size)
    })
  }

  async #openAppended(key: string): Promise<OpenObject | undefined> {
    const place = parsePlace(checkedKey(key))
    return place && this.#segments.openObject(place)
  }

  async #openAt(at: Place): Promise<OpenObject> {
    const object = await guarded(() => this.#segments.openObject(at))
    if (!object) throw new ObjectStoreError('MISSING')
    return object
  }

  remove(keys: readonly string[]): Promise<void> {
    return guarded(async () => {
      // Who moves it meanwhile looks at its segment again before that goes.
      await this.#segments.kill(keys.flatMap((key) => parsePlace(checkedKey(key)) ?? []))
      await this.#files.remove(keys)
    })
  }

  recover(
    areKept: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
    olderThanMs: number,
  ): Promise<{ kept: number; discarded: number }> {
    return guarded(async () => {
      const { kept, discarded } = await this.#files.recover(areKept, olderThanMs)
      const settled = { kept, discarded }
      const open = (await this.#segments.list()).filter(
        ({ segment, isSettled }) => !isSettled && segment !== this.#writer?.segment,
      )
      const now = open.length === 0 || olderThanMs === 0 ? Infinity : await this.#files.readClock()
      for (const { segment } of open) {
        const found = await this.#scan(segment)
        if (!found || now - found.modified < olderThanMs) continue
        const { kept: stay, discarded: gone } = await settleSegment(this.#segments, segment, found, areKept)
        settled.kept += stay
        settled.discarded += gone
      }
      return settled
    })
  }

  /** Undefined where another server has just moved all of it. */
  #scan(segment: string): Promise<ScannedSegment | undefined> {
    return scanSegment(this.#segments.pathOf(segment), segment).catch(unlessMissing)
  }

  compact(all = !this.#options.appends): Promise<{ moved: number; left: number }> {
    return guarded(async () => {
      if (this.#writer && (all || !this.#isUsable(this.#writer))) await this.close()
      const outcome = { moved: 0, left: 0 }
      for (const { segment, isSettled } of await this.#segments.list()) {
        if (!all && !(isSettled && (await this.#isWorthMoving(segment)))) continue
        const moved = isSettled ? await moveToFiles(this.#segments, this.#files, segment) : undefined
        if (moved === undefined) outcome.left += 1
        else outcome.moved += moved
      }
      return outcome
    })
  }

  async #isWorthMoving(segment: string): Promise<boolean> {
    const { bytes, deadBytes } = await this.#segments.measure(segment)
    return deadBytes >= bytes * deadShare
  }

  async *list(): AsyncGenerator<ListedObject> {
    for (const { segment } of await this.#segments.list()) {
      const { objects = [], modified = 0 } = (await this.#scan(segment)) ?? {}
      for (const { named } of objects) if (named) yield { key: named.key, modified }
    }
    yield* this.#files.list()
  }

  ready(): Promise<void> {
    return this.#files.ready()
  }

  async close(): Promise<void> {
    const writer = this.#writer
    this.#writer = undefined
    await writer?.seal()
  }
}

const isAppended = (staged: StagedObject): staged is AppendedObject => 'writer' in staged

function split(staged: readonly StagedObject[]): { appended: AppendedObject[]; files: StagedObject[] } {
  return { appended: staged.filter(isAppended), files: staged.filter((object) => !isAppended(object)) }
}

/** Small objects of the data folder in segments, all others as files. */
export const segmentObjectStore = (root: string, options: SegmentOptions): ObjectStore =>
  new SegmentObjectStore(root, options)
