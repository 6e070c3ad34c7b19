import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import { toConflictSide, type FoundConflict } from './foundConflict.ts'
import { isSamePatient, toPatient } from './patient.ts'
import { recordConflicts } from './recordConflicts.ts'

/** Series at a time, so that a database that does one thing after the other stays quick for everybody. */
const batchSize = 500
const request = { id: 'search for conflicts', ip: 'this server' } as const

type SearchDependencies = Pick<Dependencies, 'db' | 'write' | 'log'>

/**
 * Lists what servers of earlier versions merged: series of another patient than their study, and series with objects of
 * several studies. Each organization is looked through once; what arrives since then is judged as it arrives.
 */
export async function findStoredConflicts(deps: SearchDependencies): Promise<void> {
  const organizations = await deps.db
    .selectFrom('organizations')
    .select('id')
    .where('id', 'not in', deps.db.selectFrom('scan_conflict_searches').select('organization_id'))
    .orderBy('id')
    .execute()
  for (const { id } of organizations) {
    const found = await searchOrganization(deps, id)
    if (found > 0) deps.log.warn({ organizationId: id, objects: found }, 'stored scans contradict each other')
    await deps.db
      .insertInto('scan_conflict_searches')
      .values({ organization_id: id })
      .onConflict((on) => on.doNothing())
      .execute()
  }
}

async function searchOrganization(deps: SearchDependencies, organizationId: string): Promise<number> {
  let found = 0
  let last = ''
  for (;;) {
    const series = await deps.db
      .selectFrom('series')
      .select('series_uid')
      .where('organization_id', '=', organizationId)
      .where('series_uid', '>', last)
      .orderBy('series_uid')
      .limit(batchSize)
      .execute()
    if (series.length === 0) return found
    const uids = series.map((row) => row.series_uid)
    last = uids.at(-1) ?? ''
    const conflicts = [
      ...(await listOtherPatients(deps.db, organizationId, uids)),
      ...(await listOtherStudies(deps.db, organizationId, uids)),
    ]
    const origin = { organizationId, source: 'Stored before', sender: null, isStored: true, context: { request } }
    if (conflicts.length > 0) await recordConflicts(deps, origin, conflicts)
    found += conflicts.length
  }
}

/** Series that name another patient than their study. */
async function listOtherPatients(
  db: Db,
  organizationId: string,
  seriesUIDs: readonly string[],
): Promise<FoundConflict[]> {
  const { rows } = await sql<SeriesRow>`
    select s.series_uid, s.study_uid, s.patient_name, s.patient_id, s.attributes, t.attributes as study_attributes
    from series s join studies t on t.organization_id = s.organization_id and t.study_uid = s.study_uid
    where s.organization_id = ${organizationId} and s.series_uid = any(${seriesUIDs}::text[])
      and (s.patient_id <> t.patient_id or s.patient_id = '')`.execute(db)
  const others = new Map(rows.filter(isOfOtherPatient).map((row) => [row.series_uid, row]))
  if (others.size === 0) return []
  const instances = await db
    .selectFrom('instances')
    .select(['sop_instance_uid', 'sha256', 'series_uid'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', [...others.keys()])
    .execute()
  return instances.flatMap(({ sop_instance_uid, sha256, series_uid }) => {
    const series = others.get(series_uid)
    return series ? [{ ...toPatientConflict(series), sopInstanceUID: sop_instance_uid, sha256 }] : []
  })
}

interface SeriesRow {
  readonly series_uid: string
  readonly study_uid: string
  readonly patient_name: string
  readonly patient_id: string
  readonly attributes: JsonDataset
  readonly study_attributes: JsonDataset
}

function isOfOtherPatient({ study_attributes, patient_id, patient_name }: SeriesRow): boolean {
  // The rows of a series hold no more of its patient.
  const ofSeries = { id: patient_id, issuer: '', name: patient_name, birthDate: '', sex: '' }
  return !isSamePatient(toPatient(study_attributes), ofSeries)
}

const toPatientConflict = (row: SeriesRow) => ({
  kind: 'OtherPatient' as const,
  studyUID: row.study_uid,
  seriesUID: null,
  arrived: {
    ...toConflictSide({}, row.attributes, { studyUID: row.study_uid, seriesUID: row.series_uid }),
    patientName: row.patient_name || null,
    patientID: row.patient_id || null,
  },
})

interface InstanceRow {
  readonly sop_instance_uid: string
  readonly sha256: string
  readonly series_uid: string
  readonly home_study_uid: string
  readonly attributes: JsonDataset
  readonly study_uid: string
  readonly study_attributes: JsonDataset | null
}

/** Objects that name another study than the one that holds their series. */
async function listOtherStudies(
  db: Db,
  organizationId: string,
  seriesUIDs: readonly string[],
): Promise<FoundConflict[]> {
  const { rows } = await sql<InstanceRow>`
    select i.sop_instance_uid, i.sha256, s.series_uid, s.study_uid as home_study_uid, s.attributes, i.study_uid,
      t.attributes as study_attributes
    from series s
      join instances i on i.organization_id = s.organization_id and i.series_uid = s.series_uid
      left join studies t on t.organization_id = i.organization_id and t.study_uid = i.study_uid
    where s.organization_id = ${organizationId} and s.series_uid = any(${seriesUIDs}::text[])
      and i.study_uid <> s.study_uid`.execute(db)
  return rows.map((row) => ({
    kind: 'OtherStudy',
    studyUID: row.home_study_uid,
    seriesUID: row.series_uid,
    arrived: toConflictSide(row.study_attributes ?? {}, row.attributes, {
      studyUID: row.study_uid,
      seriesUID: row.series_uid,
    }),
    sopInstanceUID: row.sop_instance_uid,
    sha256: row.sha256,
  }))
}
