import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Write, WriteContext, Writer } from '../../../db/write.ts'
import { DicomRefusal, type RefusalReason } from '../../../dicom/refusal.ts'
import { readInstance, type Instance } from '../../../dicom/read.ts'
import { ObjectStoreError, type ObjectStore, type StagedObject } from '../../../outside/objectStore.ts'
import { toInstanceRows, type InstanceRows } from './instanceRows.ts'
import { keysWithRows, objectKey } from './objectKeys.ts'

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
  | ({ readonly kind: 'accepted' | 'duplicate' } & Identified)
  | {
      readonly kind: 'refused'
      readonly reason: RefusalReason | 'CONFLICT' | 'OTHER_STUDY'
      readonly sentence: string
      readonly failureCode: number
      readonly identified?: Identified
    }

export interface IntakeDependencies {
  readonly db: Db
  readonly write: Writer
  readonly objects: ObjectStore
}

/**
 * An object that was read and found good, waiting for its rows to be committed. Its header is packed already, so that a
 * group stays small.
 */
export interface Prepared {
  readonly staged: StagedObject
  readonly key: string
  readonly ids: Identified
  readonly rows: InstanceRows
}

const DUPLICATE_INSTANCE = 0x0111
const NOT_OF_THIS_STUDY = 0xa900

const identified = ({ sopClassUID, sopInstanceUID, studyUID, seriesUID }: Instance): Identified => ({
  sopClassUID,
  sopInstanceUID,
  studyUID,
  seriesUID,
})

export function refused(cause: DicomRefusal): IntakeOutcome {
  return { kind: 'refused', reason: cause.reason, sentence: cause.message, failureCode: cause.failureCode }
}

/** Stages and reads one object; a refused one leaves nothing behind (P12). Other faults are thrown. */
export async function prepare(
  objects: ObjectStore,
  arrival: IncomingObject,
  content: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
): Promise<Prepared | IntakeOutcome> {
  let staged: StagedObject
  try {
    staged = await objects.stage(content, { maxBytes })
  } catch (cause) {
    if (cause instanceof ObjectStoreError && cause.fault === 'TOO_LARGE')
      return refused(new DicomRefusal('TOO_LARGE', 'The object is larger than is allowed.'))
    throw cause
  }
  try {
    const source = await staged.open()
    const instance = await readInstance(source).finally(() => source.close())
    const ids = identified(instance)
    if (arrival.onlyStudyUID === undefined || instance.studyUID === arrival.onlyStudyUID) {
      const key = objectKey(objects, arrival.organizationId, ids, staged.sha256)
      return { staged, key, ids, rows: toInstanceRows(arrival, instance, staged, key) }
    }
    await objects.discard([staged])
    return {
      kind: 'refused',
      reason: 'OTHER_STUDY',
      sentence: 'The object belongs to another study than the one addressed.',
      failureCode: NOT_OF_THIS_STUDY,
      identified: ids,
    }
  } catch (cause) {
    await objects.discard([staged])
    if (cause instanceof DicomRefusal) return refused(cause)
    throw cause
  }
}

export const isPrepared = (value: Prepared | IntakeOutcome): value is Prepared => 'staged' in value

/**
 * Takes a group of objects in: their keys are intended, their rows and the audit row committed in one transaction, then
 * they are kept. Known objects are recognised; an object that differs from a known one of the same UID is refused,
 * never replaced.
 */
export async function commit(
  deps: IntakeDependencies,
  arrival: IncomingObject,
  group: readonly Prepared[],
): Promise<IntakeOutcome[]> {
  const { unique, twins } = withoutTwins(group)
  // What is known already need not be sent to the store again.
  const before = await hashesOf(
    deps.db,
    arrival.organizationId,
    unique.map((one) => one.ids.sopInstanceUID),
  )
  const fresh = unique.filter((one) => !before.has(one.ids.sopInstanceUID))
  const inserted = fresh.length === 0 ? new Set<string>() : await insertAndIntend(deps, arrival, fresh, group)
  await deps.objects.keep(unique.filter((one) => inserted.has(one.ids.sopInstanceUID)).map((one) => one.staged))
  const others = [...unique.filter((one) => !inserted.has(one.ids.sopInstanceUID)), ...twins]
  await deps.objects.discard(others.map((one) => one.staged))
  const after = await hashesOf(
    deps.db,
    arrival.organizationId,
    others.map((one) => one.ids.sopInstanceUID),
  )
  const known = new Map([...before, ...after])
  return group.map((one) => outcome(one, inserted.has(one.ids.sopInstanceUID) && !twins.includes(one), known))
}

async function insertAndIntend(
  deps: IntakeDependencies,
  arrival: IncomingObject,
  unique: readonly Prepared[],
  group: readonly Prepared[],
): Promise<ReadonlySet<string>> {
  try {
    await deps.objects.intend(unique)
    return await againWhenDeleted(() => deps.write(arrival.context, (write) => insert(write, arrival, unique)))
  } catch (cause) {
    if (cause instanceof NothingNew) return new Set()
    // A connection can break after the commit: only what has no row is discarded. If nobody can tell now,
    // `recoverObjects` will.
    const committed = await keysWithRows(
      deps.db,
      unique.map((one) => one.key),
    ).catch(() => undefined)
    if (committed) {
      const left = unique.filter((one) => committed.has(one.key)).map((one) => one.staged)
      await deps.objects.keep(left)
      await deps.objects.discard(group.map((one) => one.staged).filter((staged) => !left.includes(staged)))
    }
    throw cause
  }
}

const FOREIGN_KEY_VIOLATION = '23503'

/** The series was deleted between finding it and putting instances into it: then it is made anew. */
async function againWhenDeleted<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== FOREIGN_KEY_VIOLATION) throw cause
    return act()
  }
}

/** A request may bring the same instance twice. */
function withoutTwins(group: readonly Prepared[]): { unique: Prepared[]; twins: Prepared[] } {
  const seen = new Set<string>()
  const unique: Prepared[] = []
  const twins: Prepared[] = []
  for (const one of group) {
    ;(seen.has(one.ids.sopInstanceUID) ? twins : unique).push(one)
    seen.add(one.ids.sopInstanceUID)
  }
  return { unique, twins }
}

function outcome({ ids, staged }: Prepared, isNew: boolean, known: ReadonlyMap<string, string>): IntakeOutcome {
  if (isNew) return { kind: 'accepted', ...ids }
  if (known.get(ids.sopInstanceUID) === staged.sha256) return { kind: 'duplicate', ...ids }
  return {
    kind: 'refused',
    reason: 'CONFLICT',
    sentence: 'Another object with the same SOP instance UID is already there. Nothing was replaced.',
    failureCode: DUPLICATE_INSTANCE,
    identified: ids,
  }
}

async function hashesOf(db: Db, organizationId: string, uids: readonly string[]): Promise<ReadonlyMap<string, string>> {
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

async function insert(
  { trx, audit }: Write,
  arrival: IncomingObject,
  group: readonly Prepared[],
): Promise<ReadonlySet<string>> {
  const { organizationId } = arrival
  // One order for everybody, so that two uploads never wait for each other in a circle.
  const ordered = [...group].sort((a, b) => (a.ids.sopInstanceUID < b.ids.sopInstanceUID ? -1 : 1))
  const firstOf = (key: (one: Prepared) => string) =>
    [...new Map(ordered.toReversed().map((one) => [key(one), one])).values()].sort((a, b) => (key(a) < key(b) ? -1 : 1))
  await trx
    .insertInto('studies')
    .values(firstOf((one) => one.ids.studyUID).map((one) => one.rows.study))
    .onConflict((on) => on.doNothing())
    .execute()
  const newSeries = await trx
    .insertInto('series')
    .values(firstOf((one) => one.ids.seriesUID).map((one) => one.rows.series))
    .onConflict((on) => on.doNothing())
    .returning('series_uid')
    .execute()
  const rows = ordered.map((one) => one.rows.instance)
  const taken = await trx
    .insertInto('instances')
    .values(rows)
    .onConflict((on) => on.doNothing())
    .returning('sop_instance_uid')
    .execute()
  const inserted = new Set(taken.map((row) => row.sop_instance_uid))
  const added = rows.filter((row) => inserted.has(row.sop_instance_uid))
  if (added.length === 0) throw new NothingNew()
  await count(trx, organizationId, newSeries.length, added)
  const series = [...new Set(added.map((row) => row.series_uid))]
  await audit({
    event: 'ScansUploaded',
    organizationId,
    subject: { source: arrival.source, instances: added.length, series },
  })
  return inserted
}

async function count(
  trx: Transaction<Tables>,
  organizationId: string,
  newSeries: number,
  added: InstanceRows['instance'][],
): Promise<void> {
  for (const seriesUID of [...new Set(added.map((row) => row.series_uid))].sort()) {
    const mine = added.filter((row) => row.series_uid === seriesUID)
    const images = mine.reduce((sum, row) => sum + row.images, 0)
    await trx
      .updateTable('series')
      .set({ instances: sql`instances + ${mine.length}::int`, images: sql`images + ${images}::int` })
      .where('organization_id', '=', organizationId)
      .where('series_uid', '=', seriesUID)
      .execute()
  }
  const bytes = added.reduce((sum, row) => sum + row.byte_size, 0)
  await sql`insert into scan_totals (organization_id, series, instances, byte_size) values (${organizationId},
  ${newSeries}::int, ${added.length}::bigint, ${bytes}::bigint)
    on conflict (organization_id) do update set series = scan_totals.series + excluded.series, instances =
    scan_totals.instances + excluded.instances,
    byte_size = scan_totals.byte_size + excluded.byte_size`.execute(trx)
}
