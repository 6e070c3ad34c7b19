import { tag } from '@dmp/dicom'
import type { ConflictKind, ConflictSide } from '@dmp/contract/scan'
import { date, name, text } from '../../../dicom/attributes.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'

/** One object that contradicts what is stored. */
export interface FoundConflict {
  readonly kind: ConflictKind
  /** The stored side; no series where the conflict is about a whole study. */
  readonly studyUID: string
  readonly seriesUID: string | null
  readonly arrived: ConflictSide
  readonly sopInstanceUID: string
  readonly sha256: string
}

interface SideUIDs {
  readonly studyUID: string
  readonly seriesUID: string | null
}

/** One side as its study's and its series' attributes name it. */
export const toConflictSide = (study: JsonDataset, series: JsonDataset, uids: SideUIDs): ConflictSide => ({
  patientName: name(study, tag.PatientName),
  patientID: text(study, tag.PatientID),
  birthDate: date(study, tag.PatientBirthDate),
  sex: text(study, tag.PatientSex),
  studyUID: uids.studyUID,
  seriesUID: uids.seriesUID,
  studyDate: date(study, tag.StudyDate),
  studyDescription: text(study, tag.StudyDescription),
  accessionNumber: text(study, tag.AccessionNumber),
  modality: text(series, tag.Modality),
  seriesDescription: text(series, tag.SeriesDescription),
})
