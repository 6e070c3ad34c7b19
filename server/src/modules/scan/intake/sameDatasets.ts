import { forEachInLanes } from '../../../core/semaphore.ts'
import { readRanges } from '../../../dicom/byteSource.ts'
import { withoutMeta } from '../../../dicom/withoutMeta.ts'
import { ObjectStoreError, type ObjectStore } from '../../../outside/objectStore.ts'
import type { PreparedObject } from './intake.ts'
import type { StoredRow } from './lostObjects.ts'

const atOnce = 4

/**
 * Those of the objects that are known with other bytes, but with the same data set in the same transfer syntax: only
 * their file meta information differs, which each program on the way writes anew (PS3.10 section 7.1).
 */
export async function listSameDatasets(
  objects: ObjectStore,
  sent: readonly PreparedObject[],
  stored: ReadonlyMap<string, StoredRow>,
): Promise<ReadonlySet<PreparedObject>> {
  const same = new Set<PreparedObject>()
  await forEachInLanes(atOnce, sent, async (object) => {
    const row = stored.get(object.ids.sopInstanceUID)
    if (!row || row.sha256 === object.staged.sha256) return
    if (row.transfer_syntax_uid !== object.rows.instance.transfer_syntax_uid) return
    if (await hasDatasetOf(objects, object, row)) same.add(object)
  })
  return same
}

async function hasDatasetOf(objects: ObjectStore, { staged }: PreparedObject, row: StoredRow): Promise<boolean> {
  const arrived = await staged.open()
  try {
    const bytes = readRanges(arrived, [{ offset: 0, length: arrived.size }])
    return await areEqual(withoutMeta(bytes), withoutMeta(await objects.read(row.object_key)))
  } catch (cause) {
    // What is no longer there cannot be compared; it is not replaced by something that only claims to be it.
    if (cause instanceof ObjectStoreError && (cause.fault === 'MISSING' || cause.fault === 'DAMAGED')) return false
    throw cause
  } finally {
    await arrived.close()
  }
}

/** Reads no further than to the first difference. */
async function areEqual(one: AsyncGenerator<Uint8Array>, other: AsyncGenerator<Uint8Array>): Promise<boolean> {
  const rest = { one: Buffer.alloc(0), other: Buffer.alloc(0) }
  try {
    for (;;) {
      if (rest.one.length === 0) rest.one = await readNext(one)
      if (rest.other.length === 0) rest.other = await readNext(other)
      const length = Math.min(rest.one.length, rest.other.length)
      if (length === 0) return rest.one.length === rest.other.length
      if (!rest.one.subarray(0, length).equals(rest.other.subarray(0, length))) return false
      rest.one = rest.one.subarray(length)
      rest.other = rest.other.subarray(length)
    }
  } finally {
    await one.return(undefined)
    await other.return(undefined)
  }
}

/** Bytes, or none at the end. */
async function readNext(pieces: AsyncGenerator<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  for (;;) {
    const { done, value } = await pieces.next()
    if (done) return Buffer.alloc(0)
    if (value.length > 0) return Buffer.from(value)
  }
}
