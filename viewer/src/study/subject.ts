import { formatDate, tag, type JsonDataset } from '@dmp/dicom'
import { personName, text } from '../dicomweb/dataset.ts'

/** Whose images these are, and of which study: as far as the objects say it, which de-identification may have cut. */
export interface Subject {
  readonly patientName: string | undefined
  readonly patientId: string | undefined
  /** `YYYY-MM-DD`; as it stands where it is no date. */
  readonly birthDate: string | undefined
  /** As DICOM has it: F, M or O. */
  readonly sex: string | undefined
  /** As the date of birth. */
  readonly studyDate: string | undefined
  readonly studyDescription: string | undefined
}

const sexTexts: Readonly<Record<string, string>> = { F: 'Female', M: 'Male', O: 'Other' }

/** The word for a sex as DICOM has it; what is none of its own stands as it is written. */
export const sexText = (sex: string): string => sexTexts[sex.toUpperCase()] ?? sex

export function readSubject(header: JsonDataset): Subject {
  const date = (key: string): string | undefined => {
    const written = text(header, key)
    return formatDate(written ?? null) ?? written
  }
  return {
    patientName: personName(header, tag.PatientName),
    patientId: text(header, tag.PatientID),
    birthDate: date(tag.PatientBirthDate),
    sex: text(header, tag.PatientSex),
    studyDate: date(tag.StudyDate),
    studyDescription: text(header, tag.StudyDescription),
  }
}
