import { sql, type Transaction } from 'kysely'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { ScanChange } from '../../../db/changes.ts'
import type { Write } from '../../../db/write.ts'
import { toConflictSide, type FoundConflict } from '../conflicts/foundConflict.ts'
import { isSamePatient, toPatient } from '../conflicts/patient.ts'
import type { InstanceRows } from './instanceRows.ts'
import type { IncomingObject, PreparedObject } from './intake.ts'
import { assertWithinQuota, type QuotaSettings } from './quota.ts'

export type Contradictions = ReadonlyMap<PreparedObject, FoundConflict>

export interface Inserted {
  /** SOP Instance UIDs of the rows. */
  readonly uids: ReadonlySet<string>
  readonly contradictions: Contradictions
}

/** Ends a transaction that adds nothing: every object is known, or contradicts what is stored. */
export class NothingNew extends Error {
  readonly contradictions: Contradictions

  constructor(contradictions: Contradictions) {
    super('Nothing new.')
    this.contradictions = contradictions
  }
}

const parseAttributes = (json: string): JsonDataset => JSON.parse(json) as JsonDataset

export function toFoundConflict(
  { ids, staged, rows }: PreparedObject,
  kind: FoundConflict['kind'],
  stored: { readonly studyUID: string; readonly seriesUID: string | null },
): FoundConflict {
  const arrived = toConflictSide(parseAttributes(rows.study.attributes), parseAttributes(rows.series.attributes), ids)
  return { kind, ...stored, arrived, sopInstanceUID: ids.sopInstanceUID, sha256: staged.sha256 }
}

/**
 * Adds the rows of objects, of those that contradict no stored study and series (docs/decisions/0055-conflicts.md):
 * study and series are added first, so that whoever adds the same ones at the same time is waited for, and compared
 * with.
 */
export async function insertRows(
  { trx, audit, tell }: Write,
  incoming: IncomingObject,
  group: readonly PreparedObject[],
  settings: QuotaSettings,
): Promise<Inserted> {
  const { organizationId } = incoming
  // Every upload inserts in the same order, so that two never deadlock.
  const ordered = [...group].sort((a, b) => (a.ids.sopInstanceUID < b.ids.sopInstanceUID ? -1 : 1))
  const newStudies = await addStudies(trx, ordered)
  const ofOtherPatients = await listOfOtherPatients(trx, organizationId, ordered)
  const ofPatient = ordered.filter((object) => !ofOtherPatients.has(object))
  const newSeries = await addSeries(trx, ofPatient)
  const ofOtherStudies = await listOfOtherStudies(trx, organizationId, ofPatient)
  const contradictions = new Map([...ofOtherPatients, ...ofOtherStudies])
  const rows = ordered.filter((object) => !contradictions.has(object)).map((object) => object.rows.instance)
  const uids = await addInstances(trx, rows)
  const addedRows = rows.filter((row) => uids.has(row.sop_instance_uid))
  if (addedRows.length === 0) throw new NothingNew(contradictions)
  const series = [...new Set(addedRows.map((row) => row.series_uid))]
  const studies = new Set(addedRows.map((row) => row.study_uid))
  await removeEmpty(trx, organizationId, {
    series: newSeries.filter((uid) => !series.includes(uid)),
    studies: newStudies.filter((uid) => !studies.has(uid)),
  })
  const createdSeries = new Set(newSeries.filter((uid) => series.includes(uid)))
  const totals = await updateTotals(trx, organizationId, createdSeries.size, addedRows)
  await assertWithinQuota(trx, settings, organizationId)
  await audit({
    event: 'ScansUploaded',
    organizationId,
    subject: { source: incoming.source, instances: addedRows.length, series },
  })
  await tell(
    organizationId,
    totals.map((total) => ({ kind: createdSeries.has(total.seriesUID) ? 'SeriesCreated' : 'SeriesGrown', ...total })),
  )
  return { uids, contradictions }
}

const listFirst = (ordered: readonly PreparedObject[], key: (object: PreparedObject) => string): PreparedObject[] =>
  [...new Map(ordered.toReversed().map((object) => [key(object), object])).values()].sort((a, b) =>
    key(a) < key(b) ? -1 : 1,
  )

async function addStudies(trx: Transaction<Tables>, ordered: readonly PreparedObject[]): Promise<string[]> {
  const added = await trx
    .insertInto('studies')
    .values(listFirst(ordered, (object) => object.ids.studyUID).map((object) => object.rows.study))
    .onConflict((on) => on.doNothing())
    .returning('study_uid')
    .execute()
  return added.map((row) => row.study_uid)
}

async function addSeries(trx: Transaction<Tables>, ordered: readonly PreparedObject[]): Promise<string[]> {
  if (ordered.length === 0) return []
  const added = await trx
    .insertInto('series')
    .values(listFirst(ordered, (object) => object.ids.seriesUID).map((object) => object.rows.series))
    .onConflict((on) => on.doNothing())
    .returning('series_uid')
    .execute()
  return added.map((row) => row.series_uid)
}

async function addInstances(
  trx: Transaction<Tables>,
  rows: readonly InstanceRows['instance'][],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const added = await trx
    .insertInto('instances')
    .values([...rows])
    .onConflict((on) => on.doNothing())
    .returning('sop_instance_uid')
    .execute()
  return new Set(added.map((row) => row.sop_instance_uid))
}

async function listOfOtherPatients(
  trx: Transaction<Tables>,
  organizationId: string,
  objects: readonly PreparedObject[],
): Promise<Contradictions> {
  const studies = await trx
    .selectFrom('studies')
    .select(['study_uid', 'attributes'])
    .where('organization_id', '=', organizationId)
    .where('study_uid', 'in', [...new Set(objects.map(({ ids }) => ids.studyUID))])
    .execute()
  const patients = new Map(studies.map((row) => [row.study_uid, toPatient(row.attributes)]))
  const contradictions = new Map<PreparedObject, FoundConflict>()
  for (const object of objects) {
    const { studyUID } = object.ids
    const patient = patients.get(studyUID)
    if (patient && !isSamePatient(patient, toPatient(parseAttributes(object.rows.study.attributes))))
      contradictions.set(object, toFoundConflict(object, 'OtherPatient', { studyUID, seriesUID: null }))
  }
  return contradictions
}

async function listOfOtherStudies(
  trx: Transaction<Tables>,
  organizationId: string,
  objects: readonly PreparedObject[],
): Promise<Contradictions> {
  if (objects.length === 0) return new Map()
  const series = await trx
    .selectFrom('series')
    .select(['series_uid', 'study_uid'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', [...new Set(objects.map(({ ids }) => ids.seriesUID))])
    .execute()
  const studies = new Map(series.map((row) => [row.series_uid, row.study_uid]))
  const contradictions = new Map<PreparedObject, FoundConflict>()
  for (const object of objects) {
    const { studyUID, seriesUID } = object.ids
    const storedStudyUID = studies.get(seriesUID)
    if (storedStudyUID !== undefined && storedStudyUID !== studyUID)
      contradictions.set(object, toFoundConflict(object, 'OtherStudy', { studyUID: storedStudyUID, seriesUID }))
  }
  return contradictions
}

/** Studies and series that were added for objects which were then not taken: they would count as empty ones. */
async function removeEmpty(
  trx: Transaction<Tables>,
  organizationId: string,
  { series, studies }: { series: readonly string[]; studies: readonly string[] },
): Promise<void> {
  if (series.length > 0)
    await trx
      .deleteFrom('series')
      .where('organization_id', '=', organizationId)
      .where('series_uid', 'in', [...series])
      .execute()
  if (studies.length > 0)
    await trx
      .deleteFrom('studies')
      .where('organization_id', '=', organizationId)
      .where('study_uid', 'in', [...studies])
      .execute()
}

/** Returns the series as they are by now. */
async function updateTotals(
  trx: Transaction<Tables>,
  organizationId: string,
  newSeries: number,
  addedRows: readonly InstanceRows['instance'][],
): Promise<Omit<ScanChange, 'kind'>[]> {
  const totals: Omit<ScanChange, 'kind'>[] = []
  for (const seriesUID of [...new Set(addedRows.map((row) => row.series_uid))].sort()) {
    const seriesRows = addedRows.filter((row) => row.series_uid === seriesUID)
    const images = seriesRows.reduce((sum, row) => sum + row.images, 0)
    const { study_uid: studyUID, instances } = await trx
      .updateTable('series')
      .set({ instances: sql`instances + ${seriesRows.length}::int`, images: sql`images + ${images}::int` })
      .where('organization_id', '=', organizationId)
      .where('series_uid', '=', seriesUID)
      .returning(['study_uid', 'instances'])
      .executeTakeFirstOrThrow()
    totals.push({ studyUID, seriesUID, instances })
  }
  const bytes = addedRows.reduce((sum, row) => sum + row.byte_size, 0)
  await sql`insert into scan_totals (organization_id, series, instances, byte_size)
    values (${organizationId}, ${newSeries}::int, ${addedRows.length}::bigint, ${bytes}::bigint)
    on conflict (organization_id) do update set series = scan_totals.series + excluded.series,
    instances = scan_totals.instances + excluded.instances,
    byte_size = scan_totals.byte_size + excluded.byte_size`.execute(trx)
  return totals
}
