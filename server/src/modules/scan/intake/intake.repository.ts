import { failureReason } from '@dmp/dicom'
import type { Db } from '../../../db/client.ts'
import type { FoundConflict } from '../conflicts/foundConflict.ts'
import { recordConflicts } from '../conflicts/recordConflicts.ts'
import { insertRows, NothingNew, toFoundConflict, type Inserted } from './insertRows.ts'
import type { IncomingObject, IntakeDependencies, IntakeOutcome, PreparedObject } from './intake.ts'
import { listLost, replaceLost, type StoredRow } from './lostObjects.ts'
import { listCommittedKeys } from './objectKeys.ts'
import { hasQuota, listFitting, QuotaExceeded, toQuotaOutcome } from './quota.ts'

/**
 * Takes in a group of objects: their keys are intended, their rows and the audit row are committed in one transaction,
 * then their bytes are kept. Known objects are recognized, and stored again where the store has lost them; one that
 * contradicts what is stored is refused, never merged, and listed for administrators.
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
  const { uids, contradictions } =
    fitting.length === 0 ? nothingInserted : await insertAndIntend(deps, incoming, fitting, rest)
  await deps.objects.keep(unique.filter((object) => uids.has(object.ids.sopInstanceUID)).map((object) => object.staged))
  const isInserted = (object: PreparedObject): boolean => uids.has(object.ids.sopInstanceUID) && !twins.includes(object)
  const otherObjects = rest.filter((object) => !isInserted(object))
  await deps.objects.discard(otherObjects.map((object) => object.staged))
  const current = await listStored(
    deps.db,
    incoming.organizationId,
    otherObjects.map((object) => object.ids.sopInstanceUID),
  )
  const stored = new Map([...previous, ...current])
  const conflicts = new Map(contradictions)
  const outcomes = group.map((object): IntakeOutcome => {
    const row = stored.get(object.ids.sopInstanceUID)
    if (replaced.has(object) || isInserted(object)) return { kind: 'stored', ...object.ids }
    if (row?.sha256 === object.staged.sha256) return { kind: 'duplicate', ...object.ids }
    if (row)
      conflicts.set(
        object,
        toFoundConflict(object, 'OtherContent', { studyUID: row.study_uid, seriesUID: row.series_uid }),
      )
    const conflict = conflicts.get(object) ?? findTwinsConflict(object, contradictions)
    if (conflict) return toRefusal(object, conflict.kind)
    // Neither stored now nor before: there was no room.
    if (hasQuota(deps.settings)) return toQuotaOutcome(deps.settings, object)
    return { kind: 'refused', ...deletedMeanwhile, identified: object.ids }
  })
  await recordConflicts(deps, { ...incoming, isStored: false }, [...conflicts.values()])
  return outcomes
}

const nothingInserted: Inserted = { uids: new Set(), contradictions: new Map() }

/** The same object once more in one request: what was found of the first one holds for it. */
function findTwinsConflict(
  { ids }: PreparedObject,
  contradictions: Inserted['contradictions'],
): FoundConflict | undefined {
  return [...contradictions.values()].find(({ sopInstanceUID }) => sopInstanceUID === ids.sopInstanceUID)
}

async function insertAndIntend(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  unique: readonly PreparedObject[],
  group: readonly PreparedObject[],
): Promise<Inserted> {
  try {
    return await intendAndWrite(deps, unique, group, () =>
      retryWhenDeleted(() =>
        deps.write(incoming.context, (write) => insertRows(write, incoming, unique, deps.settings)),
      ),
    )
  } catch (cause) {
    if (cause instanceof NothingNew) return { ...nothingInserted, contradictions: cause.contradictions }
    if (cause instanceof QuotaExceeded) return nothingInserted
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
async function intendAndWrite<T>(
  deps: IntakeDependencies,
  objects: readonly PreparedObject[],
  group: readonly PreparedObject[],
  act: () => Promise<T>,
): Promise<T> {
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

const forAdministrators = 'Administrators find both under Scans, Conflicts.'
const refusals = {
  OtherPatient: {
    reason: 'OTHER_PATIENT',
    sentence: `This study is stored as another patient's. The image was not stored. ${forAdministrators}`,
    failureCode: failureReason.processingFailure,
  },
  OtherStudy: {
    reason: 'SERIES_OF_OTHER_STUDY',
    sentence: `This series is stored in another study. The image was not stored. ${forAdministrators}`,
    failureCode: failureReason.processingFailure,
  },
  OtherContent: {
    reason: 'CONFLICT',
    sentence: `A different image with the same ID is already stored. It was not replaced. ${forAdministrators}`,
    failureCode: failureReason.duplicateSOPInstance,
  },
} as const

/** Somebody else stored it first, and somebody deleted that before it was looked at. */
const deletedMeanwhile = {
  reason: 'DELETED_MEANWHILE',
  sentence: 'This image was deleted while it arrived once more. Send it again if it is to be kept.',
  failureCode: failureReason.processingFailure,
} as const

/** What the sender is told; it names no patient, because senders write it into logs. */
const toRefusal = ({ ids }: PreparedObject, kind: FoundConflict['kind']): IntakeOutcome => ({
  kind: 'refused',
  ...refusals[kind],
  identified: ids,
})

async function listStored(
  db: Db,
  organizationId: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, StoredRow>> {
  if (uids.length === 0) return new Map()
  const rows = await db
    .selectFrom('instances')
    .select(['sop_instance_uid', 'sha256', 'object_key', 'byte_size', 'series_uid', 'study_uid'])
    .where('organization_id', '=', organizationId)
    .where('sop_instance_uid', 'in', [...uids])
    .execute()
  return new Map(rows.map((row) => [row.sop_instance_uid, row]))
}
