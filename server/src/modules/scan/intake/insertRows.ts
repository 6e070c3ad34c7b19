import type { Transaction } from 'kysely'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { ScanChange } from '../../../db/changes.ts'
import type { AuditEntry } from '../../../db/audit.ts'
import type { Write, WriteContext } from '../../../db/write.ts'
import { toConflictSide, type FoundConflict } from '../conflicts/foundConflict.ts'
import { isSamePatient, toPatient } from '../conflicts/patient.ts'
import type { InstanceRows } from './instanceRows.ts'
import type { IntakeRequest, PreparedObject } from './intake.ts'
import { addInstances, addToTotals, findStudiesAndSeries } from './intakeStatements.ts'
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
 * study and series are found or added first, so that whoever adds the same ones at the same time is waited for, and
 * compared with.
 */
export async function insertRows(
  { trx, auditEach, tell }: Write,
  requests: readonly IntakeRequest[],
  settings: QuotaSettings,
): Promise<Inserted> {
  const group = requests.flatMap((request) => request.group)
  const organizationId = requests[0]?.incoming.organizationId ?? ''
  // Every upload inserts in the same order, so that two never deadlock.
  const ordered = [...group].sort((a, b) => (a.ids.sopInstanceUID < b.ids.sopInstanceUID ? -1 : 1))
  const list = () => listKnown(trx, organizationId, ordered)
  const known = await list()
  const { added: newStudies, known: studyRows } = await addMissing(
    ordered,
    ({ ids }) => ids.studyUID,
    known.studies,
    (missing) => addStudies(trx, missing),
    async () => (await list()).studies,
  )
  const ofOtherPatients = listOfOtherPatients(studyRows, ordered)
  const ofPatient = ordered.filter((object) => !ofOtherPatients.has(object))
  const { added: newSeries, known: seriesRows } = await addMissing(
    ofPatient,
    ({ ids }) => ids.seriesUID,
    known.series,
    (missing) => addSeries(trx, missing),
    async () => (await list()).series,
  )
  const ofOtherStudies = listOfOtherStudies(seriesRows, ofPatient)
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
  await auditEach(listUploads(requests, uids, new Set(newStudies.filter((uid) => studies.has(uid)))))
  await tell(
    organizationId,
    totals.map((total) => ({ kind: createdSeries.has(total.seriesUID) ? 'SeriesCreated' : 'SeriesGrown', ...total })),
  )
  return { uids, contradictions }
}

/** What each request added; only a study that was not there before is news. */
function listUploads(
  requests: readonly IntakeRequest[],
  uids: ReadonlySet<string>,
  createdStudies: ReadonlySet<string>,
): { context: WriteContext; entry: AuditEntry }[] {
  return requests.flatMap(({ incoming, group }) => {
    const added = group.filter(({ ids }) => uids.has(ids.sopInstanceUID)).map(({ rows }) => rows.instance)
    if (added.length === 0) return []
    const series = [...new Set(added.map((row) => row.series_uid))].sort()
    const subject = { source: incoming.source, instances: added.length, series }
    const isNews = added.some((row) => createdStudies.has(row.study_uid))
    const { organizationId, context } = incoming
    return [{ context, entry: { event: 'ScansUploaded', organizationId, subject, isNews } }]
  })
}

const listFirst = (ordered: readonly PreparedObject[], key: (object: PreparedObject) => string): PreparedObject[] =>
  [...new Map(ordered.toReversed().map((object) => [key(object), object])).values()].sort((a, b) =>
    key(a) < key(b) ? -1 : 1,
  )

/**
 * Adds what the objects belong to where it is missing: most images come into a series that is there. What somebody else
 * adds at the same time is waited for, and looked at afterwards.
 */
async function addMissing<Row>(
  ordered: readonly PreparedObject[],
  uidOf: (object: PreparedObject) => string,
  known: ReadonlyMap<string, Row>,
  add: (missing: readonly PreparedObject[]) => Promise<string[]>,
  list: () => Promise<ReadonlyMap<string, Row>>,
): Promise<{ added: readonly string[]; known: ReadonlyMap<string, Row> }> {
  const missing = listFirst(ordered, uidOf).filter((object) => !known.has(uidOf(object)))
  if (missing.length === 0) return { added: [], known }
  const added = await add(missing)
  return { added, known: await list() }
}

async function addStudies(trx: Transaction<Tables>, missing: readonly PreparedObject[]): Promise<string[]> {
  const added = await trx
    .insertInto('studies')
    .values(missing.map((object) => object.rows.study))
    .onConflict((on) => on.doNothing())
    .returning('study_uid')
    .execute()
  return added.map((row) => row.study_uid)
}

async function addSeries(trx: Transaction<Tables>, missing: readonly PreparedObject[]): Promise<string[]> {
  const added = await trx
    .insertInto('series')
    .values(missing.map((object) => object.rows.series))
    .onConflict((on) => on.doNothing())
    .returning('series_uid')
    .execute()
  return added.map((row) => row.series_uid)
}

type Patient = ReturnType<typeof toPatient>

/** Of the objects' studies the patient, and of their series the study. */
async function listKnown(
  trx: Transaction<Tables>,
  organizationId: string,
  objects: readonly PreparedObject[],
): Promise<{ readonly studies: ReadonlyMap<string, Patient>; readonly series: ReadonlyMap<string, string> }> {
  const uids = (uidOf: (object: PreparedObject) => string): string[] => [...new Set(objects.map(uidOf))]
  const studyUIDs = uids(({ ids }) => ids.studyUID)
  const rows = await findStudiesAndSeries(trx, [organizationId, studyUIDs, uids(({ ids }) => ids.seriesUID)])
  const studies = new Map<string, Patient>()
  const series = new Map<string, string>()
  for (const { study_uid: studyUID, series_uid: seriesUID, attributes } of rows)
    if (seriesUID === null) studies.set(studyUID, toPatient(attributes))
    else series.set(seriesUID, studyUID)
  return { studies, series }
}

function listOfOtherPatients(
  patients: ReadonlyMap<string, Patient>,
  objects: readonly PreparedObject[],
): Contradictions {
  const contradictions = new Map<PreparedObject, FoundConflict>()
  for (const object of objects) {
    const { studyUID } = object.ids
    const patient = patients.get(studyUID)
    if (patient && !isSamePatient(patient, toPatient(parseAttributes(object.rows.study.attributes))))
      contradictions.set(object, toFoundConflict(object, 'OtherPatient', { studyUID, seriesUID: null }))
  }
  return contradictions
}

function listOfOtherStudies(studies: ReadonlyMap<string, string>, objects: readonly PreparedObject[]): Contradictions {
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
  const sum = (rows: typeof addedRows, field: 'images' | 'byte_size'): number =>
    rows.reduce((total, row) => total + Number(row[field]), 0)
  const bySeries = [...Map.groupBy(addedRows, (row) => row.series_uid)].sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = await addToTotals(trx, [
    organizationId,
    bySeries.map(([uid]) => uid),
    bySeries.map(([, its]) => its.length),
    bySeries.map(([, its]) => sum(its, 'images')),
    newSeries,
    addedRows.length,
    sum(addedRows, 'byte_size'),
  ])
  if (rows.length < bySeries.length) throw new Error('A series is not there any more.')
  return rows.map((row) => ({ studyUID: row.study_uid, seriesUID: row.series_uid, instances: row.instances }))
}
