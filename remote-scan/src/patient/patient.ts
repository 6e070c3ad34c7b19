import type { Study } from '@dmp/contract/scan'
import { countOf, sumImages } from '../shared/counts.ts'
import type { ScanSubject } from '../shared/scanSubject.ts'

interface StudyPage {
  readonly rows: readonly Study[]
  readonly total?: number | undefined
}

/**
 * The studies of the patient of a study. A server that does not know the filter answers with everybody's, which must
 * not stand here as one patient's.
 */
export function studiesOfPatient({ rows, total = rows.length }: StudyPage, studyUID: string): Study[] {
  const [newest] = rows
  // Of more studies than a page has, the one that was asked for may be an older one; without an ID, all of them may be
  // of different people.
  const isOlder =
    total > rows.length && newest?.patientID !== '' && rows.every(({ patientID }) => patientID === newest?.patientID)
  const asked = rows.find((row) => row.studyUID === studyUID) ?? (isOlder ? newest : undefined)
  return rows.filter((row) => row === asked || (asked?.patientID && row.patientID === asked.patientID))
}

const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

const differs = (values: readonly (string | null)[]): boolean => new Set(values.filter(Boolean)).size > 1

/** One ID that stands for different people, as when two hospitals count from 1. */
export const mayBeSeveral = (studies: readonly Study[]): boolean =>
  differs(studies.map(({ patientName }) => foldName(patientName))) ||
  differs(studies.map(({ birthDate }) => birthDate)) ||
  differs(studies.map(({ sex }) => sex))

/** The patient by the newest study, with the years and the images of all. */
export function subjectOfPatient(studies: readonly Study[], newest: Study): ScanSubject {
  const years = studies.flatMap(({ studyDate }) => studyDate?.slice(0, 4) ?? []).toSorted()
  const [first, last] = [years[0], years.at(-1)]
  return {
    key: newest.patientID || newest.studyUID,
    patientName: newest.patientName,
    nativeName: newest.nativeName,
    patientID: newest.patientID,
    birthDate: newest.birthDate,
    sex: newest.sex,
    date: first === undefined || first === last ? (first ?? '') : `${first}–${last}`,
    modality: [...new Set(studies.flatMap(({ modalities }) => modalities))].join(', '),
    description: '',
    count: sumImages(studies.map(countOf)),
  }
}
