import { findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import type { Turn } from '../../../core/fairTurns.ts'
import { forEachInLanes } from '../../../core/semaphore.ts'
import { readRanges } from '../../../dicom/byteSource.ts'
import { ReadingTooCostly } from '../../../dicom/objectReader.ts'
import { DicomRefusal } from '../../../dicom/refusal.ts'
import { withoutMeta } from '../../../dicom/withoutMeta.ts'
import { ObjectStoreError, type ObjectStore, type OpenObject } from '../../../outside/objectStore.ts'
import type { IntakeDependencies, PreparedObject } from './intake.ts'
import type { StoredRow } from './lostObjects.ts'

const atOnce = 4

type Comparing = Pick<IntakeDependencies, 'objects' | 'reader'>

/**
 * Those of the objects that are known with other bytes, but say the same: each program on the way writes the file meta
 * information anew (PS3.10 section 7.1), and many write the data set in another of the forms that DICOM leaves open.
 */
export async function listSameDatasets(
  deps: Comparing,
  turn: Turn,
  sent: readonly PreparedObject[],
  stored: ReadonlyMap<string, StoredRow>,
): Promise<ReadonlySet<PreparedObject>> {
  const same = new Set<PreparedObject>()
  await forEachInLanes(atOnce, sent, async (object) => {
    const row = stored.get(object.ids.sopInstanceUID)
    if (!row || row.sha256 === object.staged.sha256) return
    if (await saysTheSame(deps, turn, object, row)) same.add(object)
  })
  return same
}

async function saysTheSame(deps: Comparing, turn: Turn, object: PreparedObject, row: StoredRow): Promise<boolean> {
  const syntax = object.rows.instance.transfer_syntax_uid
  const arrived = await object.staged.open()
  try {
    if (syntax === row.transfer_syntax_uid && (await hasDatasetOf(deps.objects, arrived, row))) return true
    return (
      isComparable(syntax) && isComparable(row.transfer_syntax_uid) && (await hasDigestsOf(deps, turn, arrived, row))
    )
  } catch (cause) {
    // What is no longer there cannot be compared; it is not replaced by something that only claims to be it.
    if (cause instanceof ObjectStoreError && (cause.fault === 'MISSING' || cause.fault === 'DAMAGED')) return false
    // What cannot be read within the bounds is another object, as it was before this was looked at.
    if (cause instanceof DicomRefusal || cause instanceof ReadingTooCostly) return false
    throw cause
  } finally {
    await arrived.close()
  }
}

async function hasDatasetOf(objects: ObjectStore, arrived: OpenObject, row: StoredRow): Promise<boolean> {
  const bytes = readRanges(arrived, [{ offset: 0, length: arrived.size }])
  return areEqual(withoutMeta(bytes), withoutMeta(await objects.read(row.object_key)))
}

/** Deflated objects are unpacked whole before anything of them is known. */
const isComparable = (syntax: string): boolean => findTransferSyntax(syntax)?.isDeflated === false

async function hasDigestsOf(
  { objects, reader }: Comparing,
  turn: Turn,
  arrived: OpenObject,
  row: StoredRow,
): Promise<boolean> {
  const stored = await objects.open(row.object_key)
  try {
    for (const part of ['header', 'pixels'] as const) {
      const one = await reader.runStored('digest', { part }, { turn, source: arrived })
      const other = await reader.runStored('digest', { part }, { turn, source: stored })
      if (one === undefined || one !== other) return false
    }
    return true
  } finally {
    await stored.close()
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
