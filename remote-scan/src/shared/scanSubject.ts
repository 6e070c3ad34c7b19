import type { Scan, ScanRow, Study } from '@dmp/contract/scan'
import { unsaidModalities } from '@dmp/dicom/modalities'
import { formatDate } from '@dmp/kit/screen'
import { countOf, countOfRow, type ImageCount } from './counts.ts'

/** What a dialog or a screen is about, by what people recognize it: the patient, the study, the images. */
export interface ScanSubject {
  readonly key: string
  readonly patientName: string
  /** In the script of its own language, where it has one beside that name. */
  readonly nativeName?: string | undefined
  readonly patientID: string
  readonly birthDate?: string | null
  readonly sex?: string | null
  /** As people read it; '' when it is not known. */
  readonly date: string
  readonly modality: string
  readonly description: string
  readonly count: ImageCount
}

export const noNameText = (): string => 'No name'

export const toSubject = (row: ScanRow): ScanSubject => ({
  key: row.seriesUID,
  patientName: row.patientName,
  patientID: row.patientID,
  date: formatDate(row.acqDate, 'short'),
  modality: unsaidModalities([row.modality], row.seriesDescription),
  description: row.seriesDescription,
  count: countOfRow(row),
})

export function subjectOfScan({ patient, basic, advanced, imageInstances }: Scan): ScanSubject {
  const description = [basic.studyDescription, basic.seriesDescription].filter(Boolean).join(' · ')
  return {
    key: advanced.seriesUID,
    patientName: patient.name ?? '',
    nativeName: patient.nativeName,
    patientID: patient.ID ?? '',
    birthDate: patient.birthDate,
    sex: patient.sex,
    date: formatDate(advanced.studyDate ?? basic.acquisitionDate, 'short'),
    modality: unsaidModalities([advanced.modality ?? ''], description),
    description,
    count: { frames: basic.totalSliceCount, imageInstances: imageInstances ?? basic.totalSliceCount },
  }
}

export const subjectOfStudy = (study: Study): ScanSubject => ({
  key: study.studyUID,
  patientName: study.patientName,
  nativeName: study.nativeName,
  patientID: study.patientID,
  birthDate: study.birthDate,
  sex: study.sex,
  date: formatDate(study.studyDate, 'short'),
  modality: unsaidModalities(study.modalities, nameStudy(study)),
  description: nameStudy(study),
  count: countOf(study),
})

/** The study's own description, else that of its series. */
export function nameStudy({ description, series }: Study): string {
  if (description !== '') return description
  const [first, ...others] = [...new Set(series.map(({ seriesDescription }) => seriesDescription).filter(Boolean))]
  if (first === undefined) return ''
  return others.length === 0 ? first : `${first} + ${others.length}`
}

const bornOnText = (birthDate: string): string => `born ${birthDate}`

/** What stands after a name: "born 1950-11-02", in the form of the page's language. */
export const toBornText = (birthDate: string): string => bornOnText(formatDate(birthDate, 'short'))
