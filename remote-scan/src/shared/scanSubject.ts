import type { Scan, ScanRow, Study } from '@dmp/contract/scan'

/** What a dialog or a screen is about, by what people recognize it: the patient, the study, the images. */
export interface ScanSubject {
  readonly key: string
  readonly patientName: string
  readonly patientID: string
  readonly birthDate?: string | null
  readonly sex?: string | null
  readonly date: string | null
  readonly modality: string
  readonly description: string
  readonly images: number | null
}

export const noName = 'No name'

export const toSubject = (row: ScanRow): ScanSubject => ({
  key: row.seriesUID,
  patientName: row.patientName,
  patientID: row.patientID,
  date: row.acqDate,
  modality: row.modality,
  description: row.seriesDescription,
  images: row.noOfImages,
})

export const subjectOfScan = ({ patient, basic, advanced }: Scan): ScanSubject => ({
  key: advanced.seriesUID,
  patientName: patient.name ?? '',
  patientID: patient.ID ?? '',
  birthDate: patient.birthDate,
  sex: patient.sex,
  date: advanced.studyDate ?? basic.acquisitionDate,
  modality: advanced.modality ?? '',
  description: [basic.studyDescription, basic.seriesDescription].filter(Boolean).join(' · '),
  images: basic.totalSliceCount,
})

export const subjectOfStudy = (study: Study): ScanSubject => ({
  key: study.studyUID,
  patientName: study.patientName,
  patientID: study.patientID,
  birthDate: study.birthDate,
  sex: study.sex,
  date: study.studyDate,
  modality: study.modalities.join(', '),
  description: nameStudy(study),
  images: study.images,
})

/** The study's own description, else that of its series. */
export function nameStudy({ description, series }: Study): string {
  if (description !== '') return description
  const [first, ...others] = [...new Set(series.map(({ seriesDescription }) => seriesDescription).filter(Boolean))]
  if (first === undefined) return ''
  return others.length === 0 ? first : `${first} + ${others.length}`
}

export const imagesText = (images: number | null): string =>
  images === null ? '' : images === 1 ? '1 image' : `${images} images`
