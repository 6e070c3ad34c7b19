import { failureReason } from '@dmp/dicom'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Write } from '../../../db/write.ts'
import type { InstanceRows } from './instanceRows.ts'
import type { IncomingObject, IntakeDependencies, IntakeOutcome, PreparedObject } from './intake.ts'
import { listLost, replaceLost, type StoredRow } from './lostObjects.ts'
import { listCommittedKeys } from './objectKeys.ts'
import { assertWithinQuota, hasQuota, listFitting, QuotaExceeded, toQuotaOutcome, type QuotaSettings } from './quota.ts'

/**
 * Takes in a group of objects: their keys are intended, their rows and the audit row are committed in one transaction,
 * then their bytes are kept. Known objects are recognized, and stored again where the store has lost them; one that
 * differs from the stored one of the same UID is refused, never replaced.
 */
export async function commit(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  group: readonly PreparedObject[],
): Promise<IntakeOutcome[]> {
  const { unique, twins } = splitTwins(group)
  // Known objects need not be sent to the store again.
  const previous = await listStored(
    deps.db,
    incoming.organizationId,
    unique.map((object) => object.ids.sopInstanceUID),
  )
  const replaced = await replaceAndIntend(deps, incoming, unique, group, previous)
  // Those are the objects of their rows now: whatever happens to the rest, they are not discarded.
  const rest = group.filter((object) => !replaced.has(object))
  const newObjects = unique.filter((object) => !previous.has(object.ids.sopInstanceUID))
  const fitting = await listFitting(deps, incoming.organizationId, newObjects)
  const inserted = fitting.length === 0 ? new Set<string>() : await insertAndIntend(deps, incoming, fitting, rest)
  await deps.objects.keep(
    unique.filter((object) => inserted.has(object.ids.sopInstanceUID)).map((object) => object.staged),
  )
  const isInserted = (object: PreparedObject): boolean =>
    inserted.has(object.ids.sopInstanceUID) && !twins.includes(object)
  const otherObjects = rest.filter((object) => !isInserted(object))
  await deps.objects.discard(otherObjects.map((object) => object.staged))
  const current = await listStored(
    deps.db,
    incoming.organizationId,
    otherObjects.map((object) => object.ids.sopInstanceUID),
  )
  const stored = new Map([...previous, ...current])
  return group.map((object) => {
    const isNew = replaced.has(object) || isInserted(object)
    // Neither stored now nor before: there was no room.
    if (!isNew && !stored.has(object.ids.sopInstanceUID) && hasQuota(deps.settings))
      return toQuotaOutcome(deps.settings, object)
    return toOutcome(object, isNew, stored)
  })
}

async function insertAndIntend(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  unique: readonly PreparedObject[],
  group: readonly PreparedObject[],
): Promise<ReadonlySet<string>> {
  try {
    return await intendAndWrite(deps, unique, group, () =>
      retryWhenDeleted(() =>
        deps.write(incoming.context, (write) => insertRows(write, incoming, unique, deps.settings)),
      ),
    )
  } catch (cause) {
    if (cause instanceof NothingNew || cause instanceof QuotaExceeded) return new Set()
    throw cause
  }
}

/** In a transaction of its own, because new objects may not fit while lost ones take no more room than before. */
async function replaceAndIntend(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  unique: readonly PreparedObject[],
  group: readonly PreparedObject[],
  previous: ReadonlyMap<string, StoredRow>,
): Promise<ReadonlySet<PreparedObject>> {
  const lost = await listLost(deps.objects, unique, previous).catch(async (cause: unknown) => {
    await deps.objects.discard(group.map(({ staged }) => staged))
    throw cause
  })
  if (lost.length === 0) return new Set()
  const objects = lost.map(({ object }) => object)
  const uids = await intendAndWrite(deps, objects, group, () =>
    deps.write(incoming.context, (write) => replaceLost(write, incoming, lost)),
  )
  // At once: what follows for the new ones may fail.
  const replaced = objects.filter(({ ids }) => uids.has(ids.sopInstanceUID))
  await deps.objects.keep(replaced.map(({ staged }) => staged))
  return new Set(replaced)
}

/** Intends the objects and writes their rows; when that fails, those without a row are discarded. */
async function intendAndWrite(
  deps: IntakeDependencies,
  objects: readonly PreparedObject[],
  group: readonly PreparedObject[],
  act: () => Promise<ReadonlySet<string>>,
): Promise<ReadonlySet<string>> {
  try {
    await deps.objects.intend(objects)
    return await act()
  } catch (cause) {
    if (cause instanceof NothingNew || cause instanceof QuotaExceeded) throw cause
    // A connection can break after the commit: only objects without a row are discarded. If that cannot be told now,
    // `recoverObjects` will do it.
    const committed = await listCommittedKeys(
      deps.db,
      objects.map((object) => object.key),
    ).catch(() => undefined)
    if (committed) {
      const committedObjects = objects.filter((object) => committed.has(object.key)).map((object) => object.staged)
      await deps.objects.keep(committedObjects)
      await deps.objects.discard(
        group.map((object) => object.staged).filter((staged) => !committedObjects.includes(staged)),
      )
    }
    throw cause
  }
}

const foreignKeyViolation = '23503'

/** The series was deleted between finding it and adding instances to it: add it again. */
async function retryWhenDeleted<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== foreignKeyViolation) throw cause
    return act()
  }
}

/** A request may hold the same instance twice. */
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
  stored: ReadonlyMap<string, StoredRow>,
): IntakeOutcome {
  if (isNew) return { kind: 'stored', ...ids }
  if (stored.get(ids.sopInstanceUID)?.sha256 === staged.sha256) return { kind: 'duplicate', ...ids }
  return {
    kind: 'refused',
    reason: 'CONFLICT',
    sentence: 'A different image with the same ID is already stored. It was not replaced.',
    failureCode: failureReason.duplicateSOPInstance,
    identified: ids,
  }
}

async function listStored(
  db: Db,
  organizationId: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, StoredRow>> {
  if (uids.length === 0) return new Map()
  const rows = await db
    .selectFrom('instances')
    .select(['sop_instance_uid', 'sha256', 'object_key', 'byte_size'])
    .where('organization_id', '=', organizationId)
    .where('sop_instance_uid', 'in', [...uids])
    .execute()
  return new Map(rows.map((row) => [row.sop_instance_uid, row]))
}

/** Ends a transaction in which every object is known already, so that there is nothing to record. */
class NothingNew extends Error {}

async function insertRows(
  { trx, audit }: Write,
  incoming: IncomingObject,
  group: readonly PreparedObject[],
  settings: QuotaSettings,
): Promise<ReadonlySet<string>> {
  const { organizationId } = incoming
  // Every upload inserts in the same order, so that two never deadlock.
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
  await assertWithinQuota(trx, settings, organizationId)
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
  await sql`insert into scan_totals (organization_id, series, instances, byte_size)
    values (${organizationId}, ${newSeries}::int, ${addedRows.length}::bigint, ${bytes}::bigint)
    on conflict (organization_id) do update set series = scan_totals.series + excluded.series,
    instances = scan_totals.instances + excluded.instances,
    byte_size = scan_totals.byte_size + excluded.byte_size`.execute(trx)
}
