import { may } from '@dmp/contract'
import { formatDate } from '@dmp/dicom'
import type { FastifyInstance } from 'fastify'
import { behindWalls } from '../../core/access.ts'
import { notFound } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import { listSeriesOf, listStudies, type StudyRow } from '../scan/reading/studies.repository.ts'
import { getScope, parseUidPath } from './scope.ts'

/** The newest; somebody who wants the others has the patient's page. */
const mostPriors = 100

/** Of these a thumbnail shows nothing. */
export const withoutPictures = ['SR', 'PR', 'KO', 'SEG', 'RTSTRUCT', 'RTPLAN', 'REG', 'DOC', 'AU', 'ECG']

/**
 * For an open image viewer: the other studies of the patient of a study, as the patient's page groups them, the newest
 * first. Only for who may list the organization's scans; below the root of a share link there is no such address. The
 * study stands in it, not the patient (P23).
 */
export function registerPriors(app: FastifyInstance, deps: Dependencies, recordAccess: RecordAccess): void {
  const config = { limit: 'DICOMweb', access: behindWalls(may('Scan', 'List'), 'token or launch cookie') } as const
  app.get('/launch/priors/:study', { config }, async (request) => {
    const scope = await getScope(deps, request, 'List')
    const { study = '' } = parseUidPath(request, scope)
    const { organizationId } = scope.store
    await recordAccess(scope.context, {
      event: 'ScansQueried',
      organizationId,
      subject: { page: 1, isSearch: true, patientOf: study },
    })
    const query = { patientOf: study, sort: 'studyDate', direction: 'desc', page: 1, pageSize: mostPriors } as const
    const { rows, total } = await listStudies(deps.db, scope.store, scope.viewer.userId, query)
    if (rows.length === 0) throw notFound()
    const others = rows.filter(({ study_uid }) => study_uid !== study)
    const series = await listSeriesOf(
      deps.db,
      scope.store,
      others.map(({ study_uid }) => study_uid),
    )
    const picturesOf = new Map(
      series
        .filter(({ modality }) => !withoutPictures.includes(modality))
        .toReversed()
        .map(({ study_uid, series_uid }) => [study_uid, series_uid]),
    )
    return {
      data: others.map((row) => toPrior(row, picturesOf.get(row.study_uid) ?? null)),
      /** Others that are not in the list, and the page that leads to them. */
      more: total - 1 - others.length,
      patientPage: `/scan/patient/${organizationId}/${study}`,
    }
  })
}

const toPrior = (row: StudyRow, pictureSeriesUID: string | null) => ({
  studyUID: row.study_uid,
  studyDate: row.study_date || null,
  description: row.description,
  modalities: row.modalities,
  bodyParts: row.body_parts,
  images: row.images,
  // One ID may stand for different people, as when two hospitals count from 1: the viewer compares.
  patientName: row.patient_name,
  birthDate: formatDate(row.birth_date),
  sex: row.sex,
  /** The first series with pictures, for a thumbnail. */
  pictureSeriesUID,
})
