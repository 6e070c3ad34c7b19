import { tag } from '@dmp/dicom'
import { date, name, text } from '../../../dicom/attributes.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import { keepValues } from '../../../dicom/keptValues.ts'

/** What objects say about whose they are; empty where they do not say it. */
export interface Patient {
  readonly id: string
  readonly issuer: string
  readonly name: string
  readonly birthDate: string
  /** M or F: other values (O, U) say that nobody knew, and contradict nothing. */
  readonly sex: string
}

const patientTags = [tag.PatientID, tag.IssuerOfPatientID, tag.PatientName, tag.PatientBirthDate, tag.PatientSex]

/** As rows keep it: servers of earlier versions kept values that are cut now. */
export function toPatient(header: JsonDataset): Patient {
  const kept = keepValues(header, patientTags)
  const sex = (text(kept, tag.PatientSex) ?? '').trim().toUpperCase()
  return {
    id: (text(kept, tag.PatientID) ?? '').trim(),
    issuer: (text(kept, tag.IssuerOfPatientID) ?? '').trim(),
    name: name(kept, tag.PatientName) ?? '',
    birthDate: date(kept, tag.PatientBirthDate) ?? '',
    sex: ['M', 'F'].includes(sex) ? sex : '',
  }
}

// Spelling is no identity: Doe^Jane, DOE^JANE^^ and "Doe, Jane" are one name.
const toComparable = (value: string): string =>
  value
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** A fact that one of the two does not tell contradicts nothing. */
const areContradicting = (one: string, other: string): boolean => {
  const [first, second] = [toComparable(one), toComparable(other)]
  return first !== '' && second !== '' && first !== second
}

/** One fact is a typing error, a marriage or a correction; two at once under one ID are two people. */
const factsOfAnother = 2

/**
 * Whether two objects can be of one patient (docs/decisions/0164-one-id-two-people.md). Where both have a patient ID,
 * the IDs decide, but for an ID that was given twice or typed wrongly: under it, two of name, birth date and sex are
 * others. Without IDs, a name or a birth date of its own is another patient.
 */
export function isSamePatient(one: Patient, other: Patient): boolean {
  const hasOtherName = areContradicting(one.name, other.name)
  const hasOtherBirthDate = areContradicting(one.birthDate, other.birthDate)
  if (one.id === '' || other.id === '') return !hasOtherName && !hasOtherBirthDate
  if (one.id !== other.id || areContradicting(one.issuer, other.issuer)) return false
  const others = [hasOtherName, hasOtherBirthDate, areContradicting(one.sex, other.sex)].filter(Boolean)
  return others.length < factsOfAnother
}
