import type { Readable } from 'node:stream'
import type { ByteSource } from '../dicom/byteSource.ts'
import type { DataKey } from './encryption/dataKey.ts'

/** An object that is written, and synced once it is intended, but not visible yet. */
export interface StagedObject {
  readonly sha256: string
  readonly size: number
  /** What its key says of its content: the hash, or nothing that anybody without the data key could compare. */
  readonly nameHash: string
  /** Its key ends with `~` and this; no two objects have the same. */
  readonly nameEnd: string
  /** What its key has to say of where its bytes lie, before anything else that it ends with. */
  readonly place?: string
  /** Random access to its bytes; small objects are still in memory until they are closed the first time. */
  open(): Promise<OpenObject>
  /** Where it will be once kept; undefined until `intend`. */
  readonly key: string | undefined
}

export interface OpenObject extends ByteSource {
  close(): Promise<void>
}

export interface StageOptions {
  readonly maxBytes?: number
  /** Of the organization that the object belongs to; needed where objects are encrypted. */
  readonly dataKey?: DataKey | undefined
  /** Not among others: it is removed again soon, or has its key already. */
  readonly isApart?: boolean
}

export interface ByteRange {
  /** First and last byte, both included. */
  readonly start: number
  readonly end: number
}

/**
 * Where large things live. There is never half an object under a key: it is staged, its key is intended and its bytes
 * synced, the row that names it is committed, and only then is it kept. After a crash `recover` finishes or discards
 * what was under way, by asking whether the row exists. Keys are never written twice, so that keeping and removing
 * cannot cross each other. A folder, a bucket and a DICOM archive stand behind it.
 *
 * @example
 * const staged = await objects.stage(stream, { maxBytes })
 * await objects.intend([{ staged, key }])
 * await commitRows()
 * await objects.keep([staged])
 */
export interface ObjectStore {
  /** Objects are found by their UIDs alone: the same one, sent by two organizations, is there once. */
  readonly isArchive: boolean
  /** False for an archive from which nothing may be deleted. */
  readonly canRemove: boolean
  /**
   * Writes all of the content; throws `ObjectStoreError` TOO_LARGE when it is longer than `maxBytes`, and leaves
   * nothing then.
   */
  stage(content: AsyncIterable<Uint8Array> | Uint8Array, options?: StageOptions): Promise<StagedObject>
  intend(intentions: ReadonlyArray<{ staged: StagedObject; key: string }>): Promise<void>
  keep(staged: readonly StagedObject[]): Promise<void>
  discard(staged: readonly StagedObject[]): Promise<void>
  /** The whole object or a range of it; throws MISSING before the first byte. */
  read(key: string, range?: ByteRange): Promise<Readable>
  open(key: string): Promise<OpenObject>
  /** Whether the object is there with so many bytes, asked with one call; an archive answers for itself. */
  holds(key: string, size: number): Promise<boolean>
  /** Removing a missing object is no error. */
  remove(keys: readonly string[]): Promise<void>
  /** Finishes or discards what a crash left behind; `olderThanMs` protects the work of other living processes. */
  recover(
    areKept: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
    olderThanMs: number,
  ): Promise<{ kept: number; discarded: number }>
  /**
   * Gives back the space of what was removed, where that lies among other objects; `all`: of these none stays there.
   * Tells what it could not move, because a server still writes to it.
   */
  compact(all?: boolean): Promise<{ moved: number; left: number }>
  /** Everything that it holds, in no order; an archive, which also holds what others gave it, lists nothing. */
  list(): AsyncIterable<ListedObject>
  /** Throws when the store cannot be written. */
  ready(): Promise<void>
  /** Ends what it writes to, so that nobody has to ask afterwards what became of it. */
  close(): Promise<void>
}

export interface ListedObject {
  readonly key: string
  /** In milliseconds since the epoch, by the clock of the store. */
  readonly modified: number
}

export type ObjectStoreFault =
  | 'MISSING'
  | 'TOO_LARGE'
  | 'FULL'
  | 'READ_ONLY'
  | 'CHANGED'
  | 'DAMAGED'
  | 'LOCKED'
  | 'UNAVAILABLE'

const sentences: Record<ObjectStoreFault, string> = {
  MISSING: 'The object is not in the store.',
  TOO_LARGE: 'The object is larger than allowed.',
  FULL: 'The object store is full. Free some space and try again.',
  READ_ONLY: 'The object store cannot be written to. Check its permissions.',
  CHANGED:
    'The archive holds a different object with the same UID, or changes the objects it receives. Nothing was stored.',
  DAMAGED:
    'This was damaged or changed where it is stored, so it is not shown. Please tell the operator, who can restore it from a backup.',
  LOCKED: 'This is encrypted with a key that the server does not have. Please tell the operator.',
  UNAVAILABLE: 'The object store does not respond. Please try again later.',
}

export class ObjectStoreError extends Error {
  readonly fault: ObjectStoreFault
  constructor(fault: ObjectStoreFault, cause?: unknown) {
    super(sentences[fault], { cause })
    this.name = 'ObjectStoreError'
    this.fault = fault
  }
}
