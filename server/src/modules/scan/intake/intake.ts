import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Write, WriteContext, Writer } from '../../../db/write.ts'
import { DicomRefusal, type RefusalReason } from '../../../dicom/refusal.ts'
import { readInstance, type Instance } from '../../../dicom/instance.ts'
import { ObjectStoreError, type ObjectStore, type StagedObject } from '../../../outside/objectStore.ts'
import { toInstanceRows, type InstanceRows } from './instanceRows.ts'
import { listCommittedKeys, createObjectKey } from './objectKeys.ts'

/** Where objects go and how they came; `source` is what the list shows (3.12). */
export interface IncomingObject {
  readonly organizationId: string
  readonly source: string
  readonly context: WriteContext
  /** STOW-RS into one study. */
  readonly onlyStudyUID?: string
}

export interface Identified {
  readonly sopClassUID: string
  readonly sopInstanceUID: string
  readonly studyUID: string
  readonly seriesUID: string
}

export type IntakeOutcome =
  | ({ readonly kind: 'stored' | 'duplicate' } & Identified)
  | {
      readonly kind: 'refused'
      readonly reason: RefusalReason | 'CONFLICT' | 'OTHER_STUDY'
      readonly sentence: string
      readonly failureCode: number
      readonly toIdentity?: Identified
    }

export interface IntakeDependencies {
  readonly db: Db
  readonly write: Writer
  readonly objects: ObjectStore
}

/** An object that was read and found good, waiting for its rows to be committed. Its header is packed already, so that a group stays small. */
export interface PreparedObject {
  readonly staged: StagedObject
  readonly key: string
  readonly ids: Identified
  readonly rows: InstanceRows
}

const DUPLICATE_INSTANCE = 0x0111
const NOT_OF_THIS_STUDY = 0xa900

const toIdentity = ({ sopClassUID, sopInstanceUID, studyUID, seriesUID }: Instance): Identified => ({
  sopClassUID,
  sopInstanceUID,
  studyUID,
  seriesUID,
})

export function toRefused(cause: DicomRefusal): IntakeOutcome {
  return { kind: 'refused', reason: cause.reason, sentence: cause.message, failureCode: cause.failureCode }
}

/** Stages and reads one object; a refused one leaves nothing behind (P12). Other faults are thrown. */
export async function prepare(
  objects: ObjectStore,
  incoming: IncomingObject,
  content: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
): Promise<PreparedObject | IntakeOutcome> {
  let staged: StagedObject
  try {
    staged = await objects.stage(content, { maxBytes })
  } catch (cause) {
    if (cause instanceof ObjectStoreError && cause.fault === 'TOO_LARGE')
      return toRefused(new DicomRefusal('TOO_LARGE', 'The object is larger than is allowed.'))
    throw cause
  }
  try {
    const source = await staged.open()
    const instance = await readInstance(source).finally(() => source.close())
    const ids = toIdentity(instance)
    if (incoming.onlyStudyUID === undefined || instance.studyUID === incoming.onlyStudyUID) {
      const key = createObjectKey(objects, incoming.organizationId, ids, staged.sha256)
      return { staged, key, ids, rows: toInstanceRows(incoming, instance, staged, key) }
    }
    await objects.discard([staged])
    return {
      kind: 'refused',
      reason: 'OTHER_STUDY',
      sentence: 'The object belongs to another study than the one addressed.',
      failureCode: NOT_OF_THIS_STUDY,
      toIdentity: ids,
    }
  } catch (cause) {
    await objects.discard([staged])
    if (cause instanceof DicomRefusal) return toRefused(cause)
    throw cause
  }
}

export const isPrepared = (value: PreparedObject | IntakeOutcome): value is PreparedObject => 'staged' in value

/**
 * Takes a group of objects in: their keys are intended, their rows and the audit row committed in one transaction, then they are kept.
 * Known objects are recognised; an object that differs from a known one of the same UID is refused, never replaced.
 */
export async function commit(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  group: readonly PreparedObject[],
): Promise<IntakeOutcome[]> {
  const { unique, twins } = splitTwins(group)
  // What is known already need not be sent to the store again.
  const previousHashes = await listHashes(
    deps.db,
    incoming.organizationId,
    unique.map((object) => object.ids.sopInstanceUID),
  )
  const newObjects = unique.filter((object) => !previousHashes.has(object.ids.sopInstanceUID))
  const inserted =
    newObjects.length === 0 ? new Set<string>() : await insertAndIntend(deps, incoming, newObjects, group)
  await deps.objects.keep(
    unique.filter((object) => inserted.has(object.ids.sopInstanceUID)).map((object) => object.staged),
  )
  const otherObjects = [...unique.filter((object) => !inserted.has(object.ids.sopInstanceUID)), ...twins]
  await deps.objects.discard(otherObjects.map((object) => object.staged))
  const currentHashes = await listHashes(
    deps.db,
    incoming.organizationId,
    otherObjects.map((object) => object.ids.sopInstanceUID),
  )
  const storedHashes = new Map([...previousHashes, ...currentHashes])
  return group.map((object) =>
    toOutcome(object, inserted.has(object.ids.sopInstanceUID) && !twins.includes(object), storedHashes),
  )
}

async function insertAndIntend(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  unique: readonly PreparedObject[],
  group: readonly PreparedObject[],
): Promise<ReadonlySet<string>> {
  try {
    await deps.objects.intend(unique)
    return await retryWhenDeleted(() => deps.write(incoming.context, (write) => insertRows(write, incoming, unique)))
  } catch (cause) {
    if (cause instanceof NothingNew) return new Set()
    // A connection can break after the commit: only what has no row is discarded. If nobody can tell now, `recoverObjects` will.
    const committed = await listCommittedKeys(
      deps.db,
      unique.map((object) => object.key),
    ).catch(() => undefined)
    if (committed) {
      const committedObjects = unique.filter((object) => committed.has(object.key)).map((object) => object.staged)
      await deps.objects.keep(committedObjects)
      await deps.objects.discard(
        group.map((object) => object.staged).filter((staged) => !committedObjects.includes(staged)),
      )
    }
    throw cause
  }
}

const foreignKeyViolation = '23503'

/** The series was deleted between finding it and putting instances into it: then it is made anew. */
async function retryWhenDeleted<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== foreignKeyViolation) throw cause
    return act()
  }
}

/** A request may bring the same instance twice. */
function splitTwins(group: readonly PreparedObject[]): { unique: PreparedObject[]; twins: PreparedObject[] } {
  const seenUIDs = new Set<string>()
  const unique: PreparedObject[] = []
  const twins: PreparedObject[] = []
  for (const object of group) {
    ;(seenUIDs.has(object.ids.sopInstanceUID) ? twins : unique).push(object)
    seenUIDs.add(object.ids.sopInstanceUID)
  }
  return { unique, twins }
}

function toOutcome(
  { ids, staged }: PreparedObject,
  isNew: boolean,
  storedHashes: ReadonlyMap<string, string>,
): IntakeOutcome {
  if (isNew) return { kind: 'stored', ...ids }
  if (storedHashes.get(ids.sopInstanceUID) === staged.sha256) return { kind: 'duplicate', ...ids }
  return {
    kind: 'refused',
    reason: 'CONFLICT',
    sentence: 'Another object with the same SOP instance UID is already there. Nothing was replaced.',
    failureCode: DUPLICATE_INSTANCE,
    toIdentity: ids,
  }
}

async function listHashes(
  db: Db,
  organizationId: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uids.length === 0) return new Map()
  const rows = await db
    .selectFrom('instances')
    .select(['sop_instance_uid', 'sha256'])
    .where('organization_id', '=', organizationId)
    .where('sop_instance_uid', 'in', [...uids])
    .execute()
  return new Map(rows.map((row) => [row.sop_instance_uid, row.sha256]))
}

/** Ends the transaction of a group of which everything is known already: there is nothing to record. */
class NothingNew extends Error {}

async function insertRows(
  { trx, audit }: Write,
  incoming: IncomingObject,
  group: readonly PreparedObject[],
): Promise<ReadonlySet<string>> {
  const { organizationId } = incoming
  // One order for everybody, so that two uploads never wait for each other in a circle.
  const ordered = [...group].sort((a, b) => (a.ids.sopInstanceUID < b.ids.sopInstanceUID ? -1 : 1))
  const listFirst = (key: (object: PreparedObject) => string) =>
    [...new Map(ordered.toReversed().map((object) => [key(object), object])).values()].sort((a, b) =>
      key(a) < key(b) ? -1 : 1,
    )
  await trx
    .insertInto('studies')
    .values(listFirst((object) => object.ids.studyUID).map((object) => object.rows.study))
    .onConflict((on) => on.doNothing())
    .execute()
  const newSeries = await trx
    .insertInto('series')
    .values(listFirst((object) => object.ids.seriesUID).map((object) => object.rows.series))
    .onConflict((on) => on.doNothing())
    .returning('series_uid')
    .execute()
  const rows = ordered.map((object) => object.rows.instance)
  const insertedRows = await trx
    .insertInto('instances')
    .values(rows)
    .onConflict((on) => on.doNothing())
    .returning('sop_instance_uid')
    .execute()
  const inserted = new Set(insertedRows.map((row) => row.sop_instance_uid))
  const addedRows = rows.filter((row) => inserted.has(row.sop_instance_uid))
  if (addedRows.length === 0) throw new NothingNew()
  await updateTotals(trx, organizationId, newSeries.length, addedRows)
  const series = [...new Set(addedRows.map((row) => row.series_uid))]
  await audit({
    event: 'ScansUploaded',
    organizationId,
    subject: { source: incoming.source, instances: addedRows.length, series },
  })
  return inserted
}

async function updateTotals(
  trx: Transaction<Tables>,
  organizationId: string,
  newSeries: number,
  addedRows: InstanceRows['instance'][],
): Promise<void> {
  for (const seriesUID of [...new Set(addedRows.map((row) => row.series_uid))].sort()) {
    const seriesRows = addedRows.filter((row) => row.series_uid === seriesUID)
    const images = seriesRows.reduce((sum, row) => sum + row.images, 0)
    await trx
      .updateTable('series')
      .set({ instances: sql`instances + ${seriesRows.length}::int`, images: sql`images + ${images}::int` })
      .where('organization_id', '=', organizationId)
      .where('series_uid', '=', seriesUID)
      .execute()
  }
  const bytes = addedRows.reduce((sum, row) => sum + row.byte_size, 0)
  await sql`insert into scan_totals (organization_id, series, instances, byte_size) values (${organizationId}, ${newSeries}::int, ${addedRows.length}::bigint, ${bytes}::bigint)
    on conflict (organization_id) do update set series = scan_totals.series + excluded.series, instances = scan_totals.instances + excluded.instances,
    byte_size = scan_totals.byte_size + excluded.byte_size`.execute(trx)
}
