import { failureReason } from '@dmp/dicom'
import type { Db } from '../../../db/client.ts'
import { prepared } from '../../../db/prepared.ts'
import type { FoundConflict } from '../conflicts/foundConflict.ts'
import { recordConflicts } from '../conflicts/recordConflicts.ts'
import { discardUnnamed, listNamedKeys } from './discardUnnamed.ts'
import { insertRows, NothingNew, toFoundConflict, type Inserted } from './insertRows.ts'
import {
  toSender,
  toTurn,
  type IncomingObject,
  type IntakeDependencies,
  type IntakeOutcome,
  type PreparedObject,
} from './intake.ts'
import { listLost, replaceLost, type StoredRow } from './lostObjects.ts'
import { listSameDatasets } from './sameDatasets.ts'
import { hasQuota, listFitting, QuotaExceeded, toQuotaOutcome } from './quota.ts'

/**
 * Takes in a group of objects by itself: their keys are intended, their rows and the audit row are committed in one
 * transaction, then their bytes are kept. Known objects are recognized, and stored again where the store has lost them;
 * one that contradicts what is stored is refused, never merged, and listed for administrators.
 */
export async function commitAlone(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  group: readonly PreparedObject[],
): Promise<IntakeOutcome[]> {
  const { unique, twins } = splitTwins(group)
  // Known objects need not be sent to the store again.
  const previous = await orDiscard(deps, incoming, group, () => listStored(deps.db, incoming.organizationId, unique))
  const replaced = await replaceAndIntend(deps, incoming, unique, group, previous)
  // Those are the objects of their rows now: whatever happens to the rest, they are not discarded.
  const rest = group.filter((object) => !replaced.has(object))
  const newObjects = unique.filter((object) => !previous.has(object.ids.sopInstanceUID))
  const fitting = await orDiscard(deps, incoming, rest, () => listFitting(deps, incoming.organizationId, newObjects))
  const { uids, contradictions } =
    fitting.length === 0 ? nothingInserted : await insertAndIntend(deps, incoming, fitting, rest)
  const isInserted = (object: PreparedObject): boolean => uids.has(object.ids.sopInstanceUID) && !twins.includes(object)
  const otherObjects = rest.filter((object) => !isInserted(object))
  await orDiscard(deps, incoming, otherObjects, () =>
    deps.objects.keep(unique.filter((object) => uids.has(object.ids.sopInstanceUID)).map((object) => object.staged)),
  )
  const { stored, sameDatasets, own } = await settleOthers(deps, incoming, otherObjects, previous)
  const conflicts = new Map(contradictions)
  const outcomes = group.map((object): IntakeOutcome => {
    const row = stored.get(object.ids.sopInstanceUID)
    if (replaced.has(object) || isInserted(object) || own.has(object)) return { kind: 'stored', ...object.ids }
    if (row?.sha256 === object.staged.sha256 || sameDatasets.has(object)) return { kind: 'duplicate', ...object.ids }
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
  await recordConflicts(deps, { ...incoming, sender: toSender(incoming), isStored: false }, [...conflicts.values()])
  return outcomes
}

/**
 * What is stored of objects that were not inserted now, and which of them have the data set that is stored. They are
 * discarded, but for those that their rows name: a transaction before this one was committed after all.
 */
async function settleOthers(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  objects: readonly PreparedObject[],
  previous: ReadonlyMap<string, StoredRow>,
) {
  const { organizationId } = incoming
  const settled = await orDiscard(deps, incoming, objects, async () => {
    const named = await listNamedKeys(deps, organizationId, objects)
    const stored = new Map([...previous, ...(await listStored(deps.db, organizationId, objects))])
    const sameDatasets = await listSameDatasets(deps, toTurn(incoming), objects, stored)
    return { stored, own: new Set(objects.filter(({ key }) => named.has(key))), sameDatasets }
  })
  const { own } = settled
  try {
    await deps.objects.keep([...own].map(({ staged }) => staged))
  } finally {
    await deps.objects.discard(objects.filter((object) => !own.has(object)).map(({ staged }) => staged))
  }
  return settled
}

/** What breaks off leaves nothing (P12, P20), but for the bytes that rows name. */
async function orDiscard<T>(
  deps: IntakeDependencies,
  { organizationId }: IncomingObject,
  group: readonly PreparedObject[],
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    await discardUnnamed(deps, organizationId, group)
    throw cause
  }
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
    return await intendAndWrite(deps, incoming, unique, group, () =>
      retryWhenDeleted(() =>
        deps.write(incoming.context, (write) => insertRows(write, [{ incoming, group: unique }], deps.settings)),
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
  const lost = await orDiscard(deps, incoming, group, () => listLost(deps.objects, unique, previous))
  if (lost.length === 0) return new Set()
  const objects = lost.map(({ object }) => object)
  const uids = await intendAndWrite(deps, incoming, objects, group, () =>
    deps.write(incoming.context, (write) => replaceLost(write, incoming, lost)),
  )
  // At once: what follows for the new ones may fail.
  const replaced = new Set(objects.filter(({ ids }) => uids.has(ids.sopInstanceUID)))
  const others = group.filter((object) => !replaced.has(object))
  await orDiscard(deps, incoming, others, () => deps.objects.keep([...replaced].map(({ staged }) => staged)))
  return replaced
}

/** Intends the objects and writes their rows; when that fails, those of the group without a row are discarded. */
async function intendAndWrite<T>(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  objects: readonly PreparedObject[],
  group: readonly PreparedObject[],
  act: () => Promise<T>,
): Promise<T> {
  try {
    // What went with others before is intended already.
    await deps.objects.intend(objects.filter(({ staged }) => staged.key === undefined))
    return await act()
  } catch (cause) {
    if (!(cause instanceof NothingNew || cause instanceof QuotaExceeded))
      await discardUnnamed(deps, incoming.organizationId, group)
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
export function splitTwins(group: readonly PreparedObject[]): { unique: PreparedObject[]; twins: PreparedObject[] } {
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

export async function listStored(
  db: Db,
  organizationId: string,
  objects: readonly PreparedObject[],
): Promise<ReadonlyMap<string, StoredRow>> {
  if (objects.length === 0) return new Map()
  const rows = await findStored(db, [organizationId, objects.map(({ ids }) => ids.sopInstanceUID)])
  return new Map(rows.map((row) => [row.sop_instance_uid, row]))
}

const findStored = prepared<StoredRow & { sop_instance_uid: string }>(`
  select sop_instance_uid, sha256, object_key, byte_size, series_uid, study_uid, transfer_syntax_uid
  from instances where organization_id = $1 and sop_instance_uid = any($2::text[])`)
