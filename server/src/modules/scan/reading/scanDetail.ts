import type { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { date, items, name, nativeName, number, readableTime, text, texts, time } from '../../../dicom/attributes.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import { listCompatibleSaas } from '../intake/saasByModality.ts'
import { acquisitionDateTags, findAcquisitionDate } from './acquisitionDate.ts'

/** The detail of a scan (3.12, 3.13), read from the header of one of its instances. */

/** Enhanced objects keep geometry in functional groups; the groups of the first frame stand for the series. */
function findFunctionalGroup(header: JsonDataset, group: string): JsonDataset | undefined {
  return (
    items(items(header, tag.SharedFunctionalGroupsSequence)[0] ?? {}, group)[0] ??
    items(items(header, tag.PerFrameFunctionalGroupsSequence)[0] ?? {}, group)[0]
  )
}

const dayMs = 86_400_000
const ageUnits: Record<string, string> = { D: 'day', W: 'week', M: 'month', Y: 'year' }
const formatCount = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

function findAcquisitionTime(header: JsonDataset): string | null {
  return (
    readableTime(text(header, tag.AcquisitionDateTime)?.slice(8) ?? null) ??
    time(header, tag.AcquisitionTime) ??
    time(header, tag.ContentTime) ??
    time(header, tag.SeriesTime) ??
    time(header, tag.StudyTime)
  )
}

/** The stated age (`045Y`), otherwise the time from birth to acquisition. */
export function formatPatientAge(header: JsonDataset): string | null {
  const statedAge = /^(\d{1,3})([DWMY])$/.exec(text(header, tag.PatientAge) ?? '')
  if (statedAge) return formatCount(Number(statedAge[1]), ageUnits[statedAge[2] ?? ''] ?? 'year')
  const birth = date(header, tag.PatientBirthDate)
  const acquisition = findAcquisitionDate(header)
  if (!birth || !acquisition || acquisition < birth) return null
  const [bornYear = 0, bornMonth = 0, bornDay = 0] = birth.split('-').map(Number)
  const [year = 0, month = 0, day = 0] = acquisition.split('-').map(Number)
  const years = year - bornYear - (month < bornMonth || (month === bornMonth && day < bornDay) ? 1 : 0)
  return years > 1
    ? formatCount(years, 'year')
    : formatCount(Math.floor((Date.parse(acquisition) - Date.parse(birth)) / (30.44 * dayMs)), 'month')
}

/** The stated index, otherwise weight over height squared; null for impossible sizes. */
export function computeBodyMassIndex(header: JsonDataset): number | null {
  const statedIndex = number(header, tag.PatientBodyMassIndex)
  if (statedIndex !== null && statedIndex > 0) return Math.round(statedIndex * 10) / 10
  const weight = number(header, tag.PatientWeight)
  const height = number(header, tag.PatientSize)
  if (weight === null || height === null || weight <= 0 || height < 0.2 || height > 2.8) return null
  return Math.round((weight / height ** 2) * 10) / 10
}

export interface StoredSeries {
  readonly organizationId: string
  readonly dataStoreID: string
  readonly imageSetID: string
  readonly images: number
  readonly uploadDate: Date
}

const sexes: Record<string, string> = { F: 'Female', M: 'Male', O: 'Other' }

function toPatient(header: JsonDataset): scan.Scan['patient'] {
  const sex = text(header, tag.PatientSex)
  const native = nativeName(header, tag.PatientName)
  return {
    ID: text(header, tag.PatientID),
    name: name(header, tag.PatientName),
    ...(native !== undefined && { nativeName: native }),
    birthDate: date(header, tag.PatientBirthDate),
    age: formatPatientAge(header),
    sex: sex && (sexes[sex] ?? sex),
    ethnicity: text(header, tag.EthnicGroup),
    weight: number(header, tag.PatientWeight),
    height: number(header, tag.PatientSize),
    BMI: computeBodyMassIndex(header),
    referringPhysician: name(header, tag.ReferringPhysicianName),
    requestingPhysician: name(header, tag.RequestingPhysician),
    accessionNumber: text(header, tag.AccessionNumber),
  }
}

const inMillimeters = (spacing: string | null): string | null => spacing && `${spacing} mm`

function toAdvanced(header: JsonDataset, stored: StoredSeries): scan.Scan['advanced'] {
  const measures = findFunctionalGroup(header, tag.PixelMeasuresSequence) ?? {}
  return {
    studyUID: text(header, tag.StudyInstanceUID) ?? '',
    seriesUID: text(header, tag.SeriesInstanceUID) ?? '',
    seriesDate: date(header, tag.SeriesDate),
    seriesTime: time(header, tag.SeriesTime),
    studyDate: date(header, tag.StudyDate),
    pixelSpacing: inMillimeters(
      texts(header, tag.PixelSpacing, ' × ') ??
        texts(measures, tag.PixelSpacing, ' × ') ??
        texts(header, tag.ImagerPixelSpacing, ' × '),
    ),
    columns: number(header, tag.Columns),
    rows: number(header, tag.Rows),
    laterality: text(header, tag.Laterality) ?? text(header, tag.ImageLaterality),
    deviceSerialNumber: text(header, tag.DeviceSerialNumber),
    manufacturer: text(header, tag.Manufacturer),
    manufacturerModelName: text(header, tag.ManufacturerModelName),
    uploadDateTime: stored.uploadDate.toISOString(),
    modality: text(header, tag.Modality),
    dataStoreID: stored.dataStoreID,
    imageSetID: stored.imageSetID,
  }
}

/** Attributes that the detail is made of. */
export const detailTags: readonly string[] = [
  ...acquisitionDateTags,
  tag.AccessionNumber,
  tag.AcquisitionDateTime,
  tag.AcquisitionTime,
  tag.BodyPartExamined,
  tag.Columns,
  tag.ContentTime,
  tag.DeviceSerialNumber,
  tag.EthnicGroup,
  tag.ImageLaterality,
  tag.ImagerPixelSpacing,
  tag.InstitutionName,
  tag.Laterality,
  tag.Manufacturer,
  tag.ManufacturerModelName,
  tag.Modality,
  tag.PatientAge,
  tag.PatientBirthDate,
  tag.PatientBodyMassIndex,
  tag.PatientID,
  tag.PatientName,
  tag.PatientSex,
  tag.PatientSize,
  tag.PatientWeight,
  tag.PixelSpacing,
  tag.ReferringPhysicianName,
  tag.RequestingPhysician,
  tag.Rows,
  tag.SeriesDate,
  tag.SeriesDescription,
  tag.SeriesInstanceUID,
  tag.SeriesTime,
  tag.SliceThickness,
  tag.StudyDate,
  tag.StudyDescription,
  tag.StudyInstanceUID,
  tag.StudyTime,
  tag.SharedFunctionalGroupsSequence,
  tag.PerFrameFunctionalGroupsSequence,
]

/** Everything that the detail shows (3.13). */
export function toScan(header: JsonDataset, tags: scan.Scan['tags'], stored: StoredSeries): scan.Scan {
  const measures = findFunctionalGroup(header, tag.PixelMeasuresSequence) ?? {}
  return {
    organizationId: stored.organizationId,
    basic: {
      institutionName: text(header, tag.InstitutionName),
      bodyPartExamined: text(header, tag.BodyPartExamined),
      totalSliceCount: stored.images,
      sliceThickness: number(header, tag.SliceThickness) ?? number(measures, tag.SliceThickness),
      acquisitionDate: findAcquisitionDate(header),
      acquisitionTime: findAcquisitionTime(header),
      studyDescription: text(header, tag.StudyDescription),
      seriesDescription: text(header, tag.SeriesDescription),
      compatibleSaas: listCompatibleSaas(text(header, tag.Modality) ?? ''),
    },
    patient: toPatient(header),
    advanced: toAdvanced(header, stored),
    tags,
  }
}
