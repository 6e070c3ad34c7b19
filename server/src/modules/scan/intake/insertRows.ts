import { sql, type Transaction } from 'kysely'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { ScanChange } from '../../../db/changes.ts'
import type { AuditEntry } from '../../../db/audit.ts'
import type { Write, WriteContext } from '../../../db/write.ts'
import { toConflictSide, type FoundConflict } from '../conflicts/foundConflict.ts'
import { isSamePatient, toPatient } from '../conflicts/patient.ts'
import type { InstanceRows } from './instanceRows.ts'
import type { IntakeRequest, PreparedObject } from './intake.ts'
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
  const { added: newStudies, known: studyRows } = await findOrAdd(
    ordered,
    ({ ids }) => ids.studyUID,
    (uids) => listStudies(trx, organizationId, uids),
    (missing) => addStudies(trx, missing),
  )
  const ofOtherPatients = listOfOtherPatients(studyRows, ordered)
  const ofPatient = ordered.filter((object) => !ofOtherPatients.has(object))
  const { added: newSeries, known: seriesRows } = await findOrAdd(
    ofPatient,
    ({ ids }) => ids.seriesUID,
    (uids) => listSeries(trx, organizationId, uids),
    (missing) => addSeries(trx, missing),
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
 * Looks for what the objects belong to, and adds what is missing: most images come into a series that is there. What
 * somebody else adds at the same time is waited for, and looked at afterwards.
 */
async function findOrAdd<Row>(
  ordered: readonly PreparedObject[],
  uidOf: (object: PreparedObject) => string,
  list: (uids: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
  add: (missing: readonly PreparedObject[]) => Promise<string[]>,
): Promise<{ added: readonly string[]; known: ReadonlyMap<string, Row> }> {
  if (ordered.length === 0) return { added: [], known: new Map() }
  const uids = [...new Set(ordered.map(uidOf))]
  const known = await list(uids)
  const missing = listFirst(ordered, uidOf).filter((object) => !known.has(uidOf(object)))
  if (missing.length === 0) return { added: [], known }
  const added = await add(missing)
  return { added, known: await list(uids) }
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

type Patient = ReturnType<typeof toPatient>

async function listStudies(
  trx: Transaction<Tables>,
  organizationId: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, Patient>> {
  const studies = await trx
    .selectFrom('studies')
    .select(['study_uid', 'attributes'])
    .where('organization_id', '=', organizationId)
    .where('study_uid', 'in', [...uids])
    .execute()
  return new Map(studies.map((row) => [row.study_uid, toPatient(row.attributes)]))
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

/** The study of each series. */
async function listSeries(
  trx: Transaction<Tables>,
  organizationId: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const series = await trx
    .selectFrom('series')
    .select(['series_uid', 'study_uid'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', [...uids])
    .execute()
  return new Map(series.map((row) => [row.series_uid, row.study_uid]))
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
