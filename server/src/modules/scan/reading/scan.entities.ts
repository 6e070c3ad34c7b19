import type { scan } from '@dmp/contract'
import { date, items, name, number, readableDate, readableTime, text, texts, time } from '../../../dicom/attributes.ts'
import { dummyDate } from '../../../dicom/deidentify.ts'
import { keywordOf } from '../../../dicom/dictionary.ts'
import type { JsonDataset, JsonElement, JsonName } from '../../../dicom/jsonModel.ts'
import { withoutPadding } from '../../../dicom/padding.ts'
import { compatibleSaas } from '../intake/compatibleSaas.ts'

/** What clauses 3.12 and 3.13 show of a scan, out of the header of one of its instances. */

/** Frames of enhanced objects keep geometry in functional groups; those of the first frame stand for the series. */
function functionalGroup(header: JsonDataset, group: string): JsonDataset | undefined {
  return items(items(header, '52009229')[0] ?? {}, group)[0] ?? items(items(header, '52009230')[0] ?? {}, group)[0]
}

const DAY_MS = 86_400_000
const ageUnits: Record<string, string> = { D: 'day', W: 'week', M: 'month', Y: 'year' }
const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** The date of the pictures, or the next best; a dummy of the de-identification is none. */
export function acquisitionDate(header: JsonDataset): string | null {
  const dates = [
    readableDate(text(header, '0008002A')),
    ...['00080022', '00080023', '00080021', '00080020'].map((tag) => date(header, tag)),
  ]
  return dates.find((one) => one !== null && one !== dummyDate) ?? null
}

function acquisitionTime(header: JsonDataset): string | null {
  return (
    readableTime(text(header, '0008002A')?.slice(8) ?? null) ??
    time(header, '00080032') ??
    time(header, '00080033') ??
    time(header, '00080031') ??
    time(header, '00080030')
  )
}

/** As stated (`045Y`), else counted from birth to acquisition. */
export function patientAge(header: JsonDataset): string | null {
  const stated = /^(\d{1,3})([DWMY])$/.exec(text(header, '00101010') ?? '')
  if (stated) return counted(Number(stated[1]), ageUnits[stated[2] ?? ''] ?? 'year')
  const birth = date(header, '00100030')
  const then = acquisitionDate(header)
  if (!birth || !then || then < birth) return null
  const [bornYear = 0, bornMonth = 0, bornDay = 0] = birth.split('-').map(Number)
  const [year = 0, month = 0, day = 0] = then.split('-').map(Number)
  const years = year - bornYear - (month < bornMonth || (month === bornMonth && day < bornDay) ? 1 : 0)
  return years > 1
    ? counted(years, 'year')
    : counted(Math.floor((Date.parse(then) - Date.parse(birth)) / (30.44 * DAY_MS)), 'month')
}

/** As stated, else weight over height squared; null for impossible sizes. */
export function bodyMassIndex(header: JsonDataset): number | null {
  const stated = number(header, '00101022')
  if (stated !== null && stated > 0) return Math.round(stated * 10) / 10
  const weight = number(header, '00101030')
  const height = number(header, '00101020')
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

function patient(header: JsonDataset): scan.Scan['patient'] {
  const sex = text(header, '00100040')
  return {
    ID: text(header, '00100020'),
    name: name(header, '00100010'),
    birthDate: date(header, '00100030'),
    age: patientAge(header),
    sex: sex && (sexes[sex] ?? sex),
    ethnicity: text(header, '00102160'),
    weight: number(header, '00101030'),
    height: number(header, '00101020'),
    BMI: bodyMassIndex(header),
    referringPhysician: name(header, '00080090'),
    requestingPhysician: name(header, '00321032'),
    accessionNumber: text(header, '00080050'),
  }
}

function advanced(header: JsonDataset, stored: StoredSeries): scan.Scan['advanced'] {
  const measures = functionalGroup(header, '00289110') ?? {}
  return {
    studyUID: text(header, '0020000D') ?? '',
    seriesUID: text(header, '0020000E') ?? '',
    seriesDate: date(header, '00080021'),
    seriesTime: time(header, '00080031'),
    studyDate: date(header, '00080020'),
    pixelSpacing:
      texts(header, '00280030', ' × ') ?? texts(measures, '00280030', ' × ') ?? texts(header, '00181164', ' × '),
    columns: number(header, '00280011'),
    rows: number(header, '00280010'),
    laterality: text(header, '00200060') ?? text(header, '00200062'),
    deviceSerialNumber: text(header, '00181000'),
    manufacturer: text(header, '00080070'),
    manufacturerModelName: text(header, '00081090'),
    uploadDateTime: stored.uploadDate.toISOString(),
    modality: text(header, '00080060'),
    dataStoreID: stored.dataStoreID,
    imageSetID: stored.imageSetID,
  }
}

/** 3.13 */
export function toScan(header: JsonDataset, stored: StoredSeries): scan.Scan {
  const measures = functionalGroup(header, '00289110') ?? {}
  return {
    organizationId: stored.organizationId,
    basic: {
      institutionName: text(header, '00080080'),
      bodyPartExamined: text(header, '00180015'),
      totalSliceCount: stored.images,
      sliceThickness: number(header, '00180050') ?? number(measures, '00180050'),
      acquisitionDate: acquisitionDate(header),
      acquisitionTime: acquisitionTime(header),
      studyDescription: text(header, '00081030'),
      seriesDescription: text(header, '0008103E'),
      compatibleSaas: compatibleSaas(text(header, '00080060') ?? ''),
    },
    patient: patient(header),
    advanced: advanced(header, stored),
    tags: tagList(header),
  }
}

const MAX_VALUE_CHARS = 1024
const readableTag = (tag: string): string => `(${tag.slice(0, 4)},${tag.slice(4)})`

function shown(element: JsonElement): string {
  if (element.BulkDataURI) return '(binary, kept with the object)'
  if (element.InlineBinary !== undefined) {
    const bytes = Buffer.from(element.InlineBinary, 'base64')
    const words = withoutPadding(bytes.toString('latin1'))
    return /^[\x20-\x7e]{1,512}$/.test(words) ? words : `(binary, ${bytes.length} bytes)`
  }
  const values = (element.Value ?? []).map((value) =>
    value === null ? '' : typeof value === 'object' ? Object.values(value as JsonName).join(' = ') : String(value),
  )
  const joined = values.join(' \\ ')
  return joined.length > MAX_VALUE_CHARS ? `${joined.slice(0, MAX_VALUE_CHARS)}…` : joined
}

/** Every tag of the header, items of sequences included: `(0008,1140)[1] (0008,1150) ReferencedSOPClassUID`. */
export function tagList(header: JsonDataset, prefix = ''): scan.Scan['tags'] {
  return Object.entries(header).flatMap(([tag, element]) => {
    const key = `${prefix}${readableTag(tag)} ${keywordOf(tag) ?? 'Private'}`
    if (element.vr !== 'SQ') return [{ key, value: shown(element) }]
    const children = items(header, tag)
    const own = { key, value: counted(children.length, 'item') }
    return [own, ...children.flatMap((item, index) => tagList(item, `${prefix}${readableTag(tag)}[${index + 1}] `))]
  })
}
