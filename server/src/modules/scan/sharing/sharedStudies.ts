import type { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { sql } from 'kysely'
import { date, name, text } from '../../../dicom/attributes.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import type { Db } from '../../../db/client.ts'
import { toImageInstances } from '../imageInstances.ts'

interface SharedRow {
  readonly study_uid: string
  readonly study_date: string
  readonly study: JsonDataset
  readonly series_uid: string
  readonly modality: string
  readonly description: string
  readonly images: number
  readonly instances: number
  readonly patient_id: string
}

/** What a link opens, study by study. */
export async function listSharedStudies(db: Db, shareId: string): Promise<scan.SharedStudy[]> {
  const { rows } = await sql<SharedRow>`${selectSeries}
    join shared_series shared on shared.organization_id = series.organization_id
      and shared.series_uid = series.series_uid
    where shared.share_id = ${shareId} ${inOrder}`.execute(db)
  return groupByStudy(rows)
}

/** The studies of these series, with all series that they have: what can be shared together. */
export async function listShareableStudies(
  db: Db,
  organizationId: string,
  seriesUIDs: readonly string[],
): Promise<scan.SharedStudy[]> {
  const { rows } = await sql<SharedRow>`${selectSeries}
    where series.organization_id = ${organizationId} and series.study_uid in (select chosen.study_uid from series chosen
      where chosen.organization_id = ${organizationId} and chosen.series_uid = any(${[...seriesUIDs]}::text[]))
    ${inOrder} limit ${mostListed}`.execute(db)
  return groupByStudy(rows)
}

/** A study of more series is shared from its first ones, and from those that were chosen in a list. */
const mostListed = 1000

const selectSeries = sql`select series.study_uid, studies.study_date, studies.attributes as study, series.series_uid,
    series.modality, series.description, series.images, series.instances,
    series.patient_id
  from series join studies
    on studies.organization_id = series.organization_id and studies.study_uid = series.study_uid`

const inOrder = sql`order by studies.study_date desc, series.study_uid,
  nullif(regexp_replace(coalesce(series.attributes->${tag.SeriesNumber}->'Value'->>0, ''), '\\D', '', 'g'), '')::numeric
    nulls last, series.series_uid`

const sexes: Readonly<Record<string, string>> = { F: 'Female', M: 'Male', O: 'Other' }

function groupByStudy(rows: readonly SharedRow[]): scan.SharedStudy[] {
  const studies = new Map<string, scan.SharedStudy>()
  for (const { study_uid: studyUID, study, ...row } of rows) {
    const sex = text(study, tag.PatientSex)
    const group = studies.get(studyUID) ?? {
      studyUID,
      description: text(study, tag.StudyDescription) ?? '',
      studyDate: row.study_date,
      patientName: name(study, tag.PatientName) ?? '',
      patientID: row.patient_id,
      birthDate: date(study, tag.PatientBirthDate),
      sex: sex && (sexes[sex] ?? sex),
      series: [],
    }
    group.series.push({
      seriesUID: row.series_uid,
      modality: row.modality,
      description: row.description,
      images: row.images,
      imageInstances: toImageInstances(row),
    })
    studies.set(studyUID, group)
  }
  return [...studies.values()]
}

const personKey = ({ patientID, patientName }: scan.SharedStudy): string => JSON.stringify([patientID, patientName])

/**
 * What may be said before the link is opened: how many patients there are, and nothing of who they are (P25). Days of
 * studies are for whoever could open it at once; a password or a code comes before them.
 */
export function toAnonymousStudies(
  studies: readonly scan.SharedStudy[],
  isProtected: boolean,
): scan.SharedScan['studies'] {
  const persons = [...new Set(studies.map(personKey))]
  return studies.map((study) => ({
    description: study.description,
    patient: persons.indexOf(personKey(study)) + 1,
    studyDate: isProtected ? '' : study.studyDate,
    modalities: [...new Set(study.series.map(({ modality }) => modality).filter((modality) => modality !== ''))],
    series: study.series.length,
    images: study.series.reduce((sum, { images }) => sum + images, 0),
    imageInstances: study.series.reduce((sum, { imageInstances = 0 }) => sum + imageInstances, 0),
  }))
}

/** Names and ids of the patients, as they are stored. */
export async function listSharedPatients(
  db: Db,
  organizationId: string,
  seriesUIDs: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('series')
    .select(['patient_name', 'patient_id'])
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', [...seriesUIDs])
    .execute()
  return rows.flatMap((row) => [row.patient_name, row.patient_id])
}
