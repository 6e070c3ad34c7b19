import { openAsBlob } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { ArchiveRefusal, type Archive, type ArchivedInstance } from './archive/archive.ts'
import { LocalCopies } from './archive/copies.ts'
import { guarded, LocalStaging, syncFolder, type StagedFile } from './localStaging.ts'
import type { DiskSpace } from '../core/diskSpace.ts'
import { forEachInLanes } from '../core/semaphore.ts'
import {
  ObjectStoreError,
  type ByteRange,
  type ObjectStore,
  type OpenObject,
  type StagedObject,
} from './objectStore.ts'

const atOnce = 4

/** Whether a row names the instance: of any organization, when all of them share the archive. */
export type IsNamed = (instance: ArchivedInstance, isPerOrganization: boolean) => Promise<boolean>

const shape = /^archive\/([0-9a-f-]{36})\/([0-9.]{1,64})\/([0-9.]{1,64})\/([0-9.]{1,64})~([0-9a-f]{64})~[0-9a-f]+$/

function parseKey(key: string): ArchivedInstance & { sha256: string } {
  const [, organizationId, studyUID, seriesUID, sopInstanceUID, sha256] = shape.exec(key) ?? []
  if (!organizationId || !studyUID || !seriesUID || !sopInstanceUID || !sha256) throw new ObjectStoreError('MISSING')
  return { organizationId, studyUID, seriesUID, sopInstanceUID, sha256 }
}

function answered<T>(act: () => Promise<T>): Promise<T> {
  return guarded(async () => {
    try {
      return await act()
    } catch (cause) {
      throw cause instanceof ArchiveRefusal ? new ObjectStoreError('READ_ONLY', cause) : cause
    }
  })
}

interface Staged extends StagedFile {
  /** Its note on this disk: an object with this key may be in the archive without a row. */
  note?: string
}

/**
 * Objects in an archive that speaks DICOMweb. It knows objects by their UIDs only, so that the same one of two
 * organizations is there once: the last row that names it takes it away. Nothing is acknowledged before the archive has
 * given the same bytes back.
 */
class ArchiveObjectStore implements ObjectStore {
  readonly isArchive = true
  readonly canRemove: boolean
  readonly #archive: Archive
  readonly #staging: LocalStaging
  readonly #copies: LocalCopies
  readonly #isNamed: IsNamed
  /** Objects between `intend` and its end, by UID: they are not deleted meanwhile. */
  readonly #underWay = new Map<string, number>()
  /** Deletions that waited for that. */
  readonly #owed = new Set<string>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(archive: Archive, root: string, isNamed: IsNamed, disk?: DiskSpace) {
    this.#archive = archive
    this.#staging = new LocalStaging(root, true, disk)
    this.#copies = new LocalCopies(root)
    this.#isNamed = isNamed
    this.canRemove = archive.deletes !== 'never'
  }

  stage(content: AsyncIterable<Uint8Array> | Uint8Array, { maxBytes = Infinity } = {}): Promise<StagedObject> {
    return guarded(() => this.#staging.stage(content, maxBytes))
  }

  intend(intentions: ReadonlyArray<{ staged: StagedObject; key: string }>): Promise<void> {
    return answered(async () => {
      for (const { key } of intentions) parseKey(key)
      await forEachInLanes(atOnce, intentions as ReadonlyArray<{ staged: Staged; key: string }>, ({ staged, key }) =>
        this.#send(staged, key),
      )
    })
  }

  async #send(staged: Staged, key: string): Promise<void> {
    const instance = parseKey(key)
    await this.#inTurn(instance, async () => {
      this.#count(instance, 1)
      staged.key = key
      const there = await this.#archive.sha256(instance)
      if (there === instance.sha256) return
      if (there !== undefined) throw new ObjectStoreError('CHANGED')
      staged.note = await this.#noteDown(staged.path, key)
      await this.#archive.store(instance, await openAsBlob(staged.path))
      if ((await this.#archive.sha256(instance)) !== instance.sha256) throw new ObjectStoreError('CHANGED')
    })
  }

  async #noteDown(path: string, key: string): Promise<string> {
    const note = path.replace(/part$/, 'key')
    const handle = await open(note, 'w', 0o640)
    try {
      await handle.writeFile(key)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await syncFolder(this.#staging.folder)
    return note
  }

  keep(staged: readonly StagedObject[]): Promise<void> {
    return answered(async () => {
      for (const object of staged as readonly Staged[]) {
        if (object.key === undefined) throw new TypeError('Only an object with an intended key can be kept.')
        await this.#end(object)
      }
    })
  }

  discard(staged: readonly StagedObject[]): Promise<void> {
    return answered(() =>
      forEachInLanes(atOnce, staged as readonly Staged[], async (object) => {
        const { key, note } = object
        delete object.note
        await this.#end(object)
        // An object that was in the archive before us stays there.
        if (key === undefined || note === undefined) return
        // The note goes last: while the archive is away, the next `recover` reads there what has to be removed.
        await this.#removeUnlessNamed(key)
        await rm(note, { force: true })
      }),
    )
  }

  async #end(object: Staged): Promise<void> {
    await rm(object.path, { force: true })
    if (object.note !== undefined) await rm(object.note, { force: true })
    if (object.key === undefined) return
    const instance = parseKey(object.key)
    this.#count(instance, -1)
    const uid = this.#uid(instance)
    if (this.#underWay.has(uid) || !this.#owed.delete(uid)) return
    await this.#removeUnlessNamed(object.key)
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return answered(async () => {
      const content = await this.#archive.get(parseKey(key))
      if (!content) throw new ObjectStoreError('MISSING')
      return range ? content.pipe(only(range), { end: true }) : content
    })
  }

  open(key: string): Promise<OpenObject> {
    return answered(() => this.#copies.open(key, () => this.read(key)))
  }

  /** Whether it is there at all; reading it whole would take as long as storing it again. */
  holds(key: string): Promise<boolean> {
    return answered(() => this.#archive.has(parseKey(key)))
  }

  remove(keys: readonly string[]): Promise<void> {
    return answered(() => forEachInLanes(atOnce, keys, (key) => this.#removeUnlessNamed(key)))
  }

  async #removeUnlessNamed(key: string): Promise<void> {
    const instance = parseKey(key)
    await this.#copies.forget(key)
    await this.#inTurn(instance, async () => {
      if (!this.canRemove) return
      if (this.#underWay.has(this.#uid(instance))) {
        this.#owed.add(this.#uid(instance))
        return
      }
      if (await this.#isNamed(instance, this.#archive.isPerOrganization)) return
      if (!(await this.#archive.remove(instance)))
        throw new ObjectStoreError(
          'READ_ONLY',
          new Error('Deleting from the archive is switched off. Set DMP_DICOMWEB_DELETE.'),
        )
    })
  }

  recover(
    areKept: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
    olderThanMs: number,
  ): Promise<{ kept: number; discarded: number }> {
    return answered(async () => {
      const names = await this.#staging.oldNames(olderThanMs)
      if (olderThanMs === 0) await this.#copies.clear()
      const noted = names.filter((name) => name.endsWith('.key'))
      const keys = await Promise.all(noted.map((name) => readFile(join(this.#staging.folder, name), 'utf8')))
      // A note that was cut off was written before anything was sent.
      const whole = keys.filter((key) => shape.test(key))
      const keptKeys = whole.length > 0 ? await areKept(whole) : new Set<string>()
      await this.remove(whole.filter((key) => !keptKeys.has(key)))
      for (const name of names) await this.#staging.remove(name)
      return { kept: keptKeys.size, discarded: names.length - noted.length - keptKeys.size }
    })
  }

  compact = async () => ({ moved: 0, left: 0 })

  close = async (): Promise<void> => undefined

  async *list(): AsyncGenerator<never> {}

  ready(): Promise<void> {
    return answered(async () => {
      await this.#staging.ready()
      await this.#archive.check()
    })
  }

  #uid({ organizationId, sopInstanceUID }: ArchivedInstance): string {
    return this.#archive.isPerOrganization ? `${organizationId}/${sopInstanceUID}` : sopInstanceUID
  }

  #count(instance: ArchivedInstance, by: 1 | -1): void {
    const uid = this.#uid(instance)
    const count = (this.#underWay.get(uid) ?? 0) + by
    if (count > 0) this.#underWay.set(uid, count)
    else this.#underWay.delete(uid)
  }

  /** One thing at a time is done to an instance. */
  async #inTurn<T>(instance: ArchivedInstance, act: () => Promise<T>): Promise<T> {
    const uid = this.#uid(instance)
    const mine = (this.#turns.get(uid) ?? Promise.resolve()).then(act)
    const settled = mine.catch(() => undefined)
    this.#turns.set(uid, settled)
    try {
      return await mine
    } finally {
      if (this.#turns.get(uid) === settled) this.#turns.delete(uid)
    }
  }
}

/** A range of a stream that can only be read from its start. */
function only({ start, end }: ByteRange): Transform {
  let at = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const from = Math.max(0, start - at)
      const to = Math.min(chunk.length, end + 1 - at)
      at += chunk.length
      done(null, to > from ? chunk.subarray(from, to) : undefined)
    },
  })
}

/** Objects in an archive; staged ones and copies for random access lie below `root` on this machine's disk. */
export const archiveObjectStore = (archive: Archive, root: string, isNamed: IsNamed, disk?: DiskSpace): ObjectStore =>
  new ArchiveObjectStore(archive, root, isNamed, disk)
