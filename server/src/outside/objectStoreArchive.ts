import { openAsBlob } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { ArchiveRefusal, type Archive, type ArchivedInstance } from './archive/archive.ts'
import { LocalCopies } from './archive/copies.ts'
import { guarded, LocalStaging, syncFolder, type StagedFile } from './localStaging.ts'
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
export type IsNamed = (one: ArchivedInstance, isPerOrganization: boolean) => Promise<boolean>

const shape = /^archive\/([0-9a-f-]{36})\/([0-9.]{1,64})\/([0-9.]{1,64})\/([0-9.]{1,64})~([0-9a-f]{64})~[0-9a-f]+$/

function instanceOf(key: string): ArchivedInstance & { sha256: string } {
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
  /** What is between `intend` and its end, by UID: nobody deletes it meanwhile. */
  readonly #underWay = new Map<string, number>()
  /** Deletions that waited for that. */
  readonly #owed = new Set<string>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(archive: Archive, root: string, isNamed: IsNamed) {
    this.#archive = archive
    this.#staging = new LocalStaging(root, true)
    this.#copies = new LocalCopies(root)
    this.#isNamed = isNamed
    this.canRemove = archive.deletes !== 'never'
  }

  stage(content: AsyncIterable<Uint8Array> | Uint8Array, { maxBytes = Infinity } = {}): Promise<StagedObject> {
    return guarded(() => this.#staging.stage(content, maxBytes))
  }

  intend(intentions: ReadonlyArray<{ staged: StagedObject; key: string }>): Promise<void> {
    return answered(async () => {
      for (const { key } of intentions) instanceOf(key)
      await forEachInLanes(atOnce, intentions as ReadonlyArray<{ staged: Staged; key: string }>, ({ staged, key }) =>
        this.#send(staged, key),
      )
    })
  }

  async #send(staged: Staged, key: string): Promise<void> {
    const one = instanceOf(key)
    await this.#inTurn(one, async () => {
      this.#count(one, 1)
      staged.key = key
      const there = await this.#archive.sha256(one)
      if (there === one.sha256) return
      if (there !== undefined) throw new ObjectStoreError('CHANGED')
      staged.note = await this.#noteDown(staged.path, key)
      await this.#archive.store(one, await openAsBlob(staged.path))
      if ((await this.#archive.sha256(one)) !== one.sha256) throw new ObjectStoreError('CHANGED')
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
      for (const one of staged as readonly Staged[]) {
        if (one.key === undefined) throw new TypeError('Only an object with an intended key can be kept.')
        await this.#end(one)
      }
    })
  }

  discard(staged: readonly StagedObject[]): Promise<void> {
    return answered(() =>
      forEachInLanes(atOnce, staged as readonly Staged[], async (object) => {
        const { key, note } = object
        await this.#end(object)
        // What was in the archive before us stays there.
        if (key !== undefined && note !== undefined) await this.#removeUnlessNamed(key)
      }),
    )
  }

  async #end(one: Staged): Promise<void> {
    await rm(one.path, { force: true })
    if (one.note !== undefined) await rm(one.note, { force: true })
    if (one.key === undefined) return
    const instance = instanceOf(one.key)
    this.#count(instance, -1)
    const uid = this.#uid(instance)
    if (this.#underWay.has(uid) || !this.#owed.delete(uid)) return
    await this.#removeUnlessNamed(one.key)
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return answered(async () => {
      const found = await this.#archive.get(instanceOf(key))
      if (!found) throw new ObjectStoreError('MISSING')
      return range ? found.pipe(only(range), { end: true }) : found
    })
  }

  open(key: string): Promise<OpenObject> {
    return answered(() => this.#copies.open(key, () => this.read(key)))
  }

  remove(keys: readonly string[]): Promise<void> {
    return answered(() => forEachInLanes(atOnce, keys, (key) => this.#removeUnlessNamed(key)))
  }

  async #removeUnlessNamed(key: string): Promise<void> {
    const one = instanceOf(key)
    await this.#copies.forget(key)
    await this.#inTurn(one, async () => {
      if (!this.canRemove) return
      if (this.#underWay.has(this.#uid(one))) {
        this.#owed.add(this.#uid(one))
        return
      }
      if (await this.#isNamed(one, this.#archive.isPerOrganization)) return
      if (!(await this.#archive.remove(one)))
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
      const kept = whole.length > 0 ? await areKept(whole) : new Set<string>()
      await this.remove(whole.filter((key) => !kept.has(key)))
      for (const name of names) await this.#staging.remove(name)
      return { kept: kept.size, discarded: names.length - noted.length - kept.size }
    })
  }

  ready(): Promise<void> {
    return answered(async () => {
      await this.#staging.ready()
      await this.#archive.check()
    })
  }

  #uid({ organizationId, sopInstanceUID }: ArchivedInstance): string {
    return this.#archive.isPerOrganization ? `${organizationId}/${sopInstanceUID}` : sopInstanceUID
  }

  #count(one: ArchivedInstance, by: 1 | -1): void {
    const uid = this.#uid(one)
    const count = (this.#underWay.get(uid) ?? 0) + by
    if (count > 0) this.#underWay.set(uid, count)
    else this.#underWay.delete(uid)
  }

  /** One thing at a time is done to an instance. */
  async #inTurn<T>(one: ArchivedInstance, act: () => Promise<T>): Promise<T> {
    const uid = this.#uid(one)
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

/** Objects in an archive; what is under way and copies for random access lie below `root` on this machine's disk. */
export const archiveObjectStore = (archive: Archive, root: string, isNamed: IsNamed): ObjectStore =>
  new ArchiveObjectStore(archive, root, isNamed)
