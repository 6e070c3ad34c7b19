import { seriesNumber } from '../../server/src/testing/manySeries.ts'
import { send } from './load.ts'
import { pickSeries } from './scanSearches.ts'

/** A key of a search by DICOMweb, with a value that is there and one that no row has. */
export interface QidoKey {
  readonly level: 'studies' | 'series'
  readonly name: string
  readonly value: (i: number) => string
  readonly absent: string
}

const key = (
  level: QidoKey['level'],
  name: string,
  value: (i: number, of: ReturnType<typeof seriesNumber>) => string | number,
  absent: string,
): QidoKey => ({ level, name, value: (i) => String(value(i, seriesNumber(i))), absent })
const toDicomDate = (date: string): string => date.replaceAll('-', '')

/** Every required key of studies and series, and the optional ones. */
export const qidoKeys: readonly QidoKey[] = [
  key('studies', 'StudyDate', (_, { date }) => toDicomDate(date), '19000101'),
  key('studies', 'StudyTime', () => '10-11', '03'),
  key('studies', 'AccessionNumber', (_, { studyNumber }) => `A${studyNumber}`, 'A-0'),
  key('studies', 'ModalitiesInStudy', (_, { modality }) => modality, 'XX'),
  key('studies', 'ReferringPhysicianName', () => 'Refer^An*', 'Nobody^*'),
  key('studies', 'PatientName', (_, { family, given }) => `${family}^${given}`, 'Nobody^Here'),
  key('studies', 'PatientID', (_, { patientId }) => patientId, 'P-0'),
  key('studies', 'StudyInstanceUID', (_, { studyUID }) => studyUID, '1.2.3'),
  key('studies', 'StudyID', (_, { studyNumber }) => `S${studyNumber}`, 'S-0'),
  key('studies', 'StudyDescription', (_, { studyNumber }) => `study ${studyNumber}`, 'nothing'),
  key('studies', 'PatientBirthDate', () => '19500101-19521231', '18000101'),
  key('studies', 'PatientSex', () => 'F', 'X'),
  key('studies', 'IssuerOfPatientID', () => 'Clinic 7', 'Nobody'),
  key('series', 'Modality', (_, { modality }) => modality, 'XX'),
  key('series', 'SeriesInstanceUID', (_, { seriesUID }) => seriesUID, '1.2.3'),
  key('series', 'SeriesNumber', (i) => (i % 4) + 1, '9'),
  key('series', 'PerformedProcedureStepStartDate', (_, { date }) => toDicomDate(date), '19000101'),
  key('series', 'PerformedProcedureStepStartTime', () => '10-11', '03'),
  key('series', 'RequestAttributesSequence.ScheduledProcedureStepID', (i) => `P${i}`, 'P-0'),
  key('series', 'RequestAttributesSequence.RequestedProcedureID', (_, { studyNumber }) => `R${studyNumber}`, 'R-0'),
  key('series', 'SeriesDescription', (_, { description }) => description, 'nothing'),
  key('series', 'SeriesDate', (_, { date }) => toDicomDate(date), '19000101'),
  key('series', 'SeriesTime', () => '10-11', '03'),
  key('series', 'BodyPartExamined', () => 'KNEE', 'XX'),
  key('series', 'Manufacturer', () => 'Maker 3', 'Nobody'),
  key('series', 'ManufacturerModelName', () => 'Model 3', 'Nobody'),
  key('series', 'InstitutionName', () => 'Clinic 3', 'Nobody'),
]

/** The first fifty of a search. */
export function askQido(
  url: string,
  token: string,
  { level, name, value, absent }: QidoKey,
  count: number,
  isThere: boolean,
) {
  return async (nth: number): Promise<void> => {
    const query = new URLSearchParams({ [name]: isThere ? value(pickSeries(nth, count)) : absent, limit: '50' })
    const { status, body } = await send(`${url}/dicom-web/${level}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const rows = status === 200 ? (JSON.parse(body) as unknown[]) : []
    if (status !== 200 || rows.length > 0 !== isThere) throw new Error(`${name}: ${status} ${body.slice(0, 200)}`)
  }
}
