import { formatDate, tag } from '@dmp/dicom'
import { date, text } from '../../../dicom/attributes.ts'
import { dummyDate } from '../../../dicom/dummies.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'

const dateTags = [tag.AcquisitionDate, tag.ContentDate, tag.SeriesDate, tag.StudyDate]
export const acquisitionDateTags: readonly string[] = [tag.AcquisitionDateTime, ...dateTags]

/** The date of the images, or the next best; a dummy of the de-identification does not count. */
export function findAcquisitionDate(header: JsonDataset): string | null {
  const dates = [formatDate(text(header, tag.AcquisitionDateTime)), ...dateTags.map((tag) => date(header, tag))]
  return dates.find((candidate) => candidate !== null && candidate !== dummyDate) ?? null
}
