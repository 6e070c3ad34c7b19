import { toImageInstances } from '../imageInstances.ts'
import type { SeriesListRow } from './reading.repository.ts'

/** A series as lists show it (3.12). */
export const toListItem = (row: SeriesListRow, dataStoreID: string) => ({
  studyUID: row.study_uid,
  seriesUID: row.series_uid,
  dataStoreID,
  imageSetID: row.image_set_id,
  patientName: row.patient_name,
  patientID: row.patient_id,
  seriesDescription: row.description,
  source: row.source,
  acqDate: row.acq_date || null,
  noOfImages: row.images,
  imageInstances: toImageInstances(row),
  modality: row.modality,
  compatibleSaas: row.compatible_saas,
  uploadDateTime: row.created_date.toISOString(),
})
