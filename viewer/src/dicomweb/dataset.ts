/** One element of the DICOM JSON model (PS3.18 Annex F). */
export interface Element {
  vr?: string
  Value?: unknown[]
  InlineBinary?: string
  BulkDataURI?: string
}

/** A DICOM JSON object: eight hexadecimal digits → element. */
export type Dataset = Record<string, Element>

export const tag = {
  transferSyntax: '00083002',
  fileTransferSyntax: '00020010',
  sopClassUid: '00080016',
  sopInstanceUid: '00080018',
  studyDate: '00080020',
  modality: '00080060',
  studyDescription: '00081030',
  seriesDescription: '0008103E',
  recommendedFrameRate: '00082144',
  patientName: '00100010',
  patientId: '00100020',
  sliceThickness: '00180050',
  cineRate: '00180040',
  frameTime: '00181063',
  studyUid: '0020000D',
  seriesUid: '0020000E',
  seriesNumber: '00200011',
  instanceNumber: '00200013',
  imagePosition: '00200032',
  imageOrientation: '00200037',
  seriesInstanceCount: '00201209',
  photometric: '00280004',
  samplesPerPixel: '00280002',
  frameCount: '00280008',
  rows: '00280010',
  columns: '00280011',
  bitsAllocated: '00280100',
  pixelPadding: '00280120',
  windowCenter: '00281050',
  windowWidth: '00281051',
  paletteDescriptors: ['00281101', '00281102', '00281103'],
  paletteTables: ['00281201', '00281202', '00281203'],
} as const

/** The first value as text, trimmed; undefined when there is none. */
export function text(dataset: Dataset, key: string): string | undefined {
  const value = dataset[key]?.Value?.[0]
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** All values that are numbers; decimal strings count, as some servers send them so. */
export function numbers(dataset: Dataset, key: string): number[] {
  const values = dataset[key]?.Value ?? []
  return values
    .map((value) => (typeof value === 'string' ? Number.parseFloat(value) : Number(value ?? Number.NaN)))
    .filter(Number.isFinite)
}

export const number = (dataset: Dataset, key: string): number | undefined => numbers(dataset, key)[0]

/** `DOE^JANE^^DR` → `DOE, JANE`: the family name first, as lists in clinics have it. */
export function personName(dataset: Dataset, key: string): string | undefined {
  const value = dataset[key]?.Value?.[0]
  const written =
    typeof value === 'string'
      ? value
      : typeof value === 'object' && value !== null
        ? firstGroup(value as Record<string, unknown>)
        : undefined
  if (written === undefined) return undefined
  const [family = '', given = '', middle = ''] = written
    .split('=')[0]!
    .split('^')
    .map((part) => part.trim())
  const rest = [given, middle].filter((part) => part !== '').join(' ')
  const name = [family, rest].filter((part) => part !== '').join(', ')
  return name === '' ? undefined : name
}

function firstGroup(name: Record<string, unknown>): string | undefined {
  for (const group of ['Alphabetic', 'Ideographic', 'Phonetic']) {
    const value = name[group]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}

/** `20240926` → `2024-09-26`; anything else as it stands. */
export function date(dataset: Dataset, key: string): string | undefined {
  return text(dataset, key)?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
}
