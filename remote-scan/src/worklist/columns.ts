import type { Sort } from './worklistState.ts'

export const columnKeys = [
  'patientID',
  'born',
  'study',
  'modality',
  'studyDate',
  'images',
  'received',
  'bodyPart',
  'source',
  'accession',
  'saas',
  'status',
] as const
export type ColumnKey = (typeof columnKeys)[number]

/** In this order; on a narrow page the last ones are left out first (`studyTable.css`). */
export const defaultColumns: readonly ColumnKey[] = [
  'patientID',
  'study',
  'modality',
  'studyDate',
  'images',
  'received',
  'status',
  'born',
]

interface ColumnKind {
  readonly title: string
  readonly sort?: Sort
  /** px at least; what is left over goes to the patient and the study. */
  readonly width: number
}

export const columns: Readonly<Record<ColumnKey, ColumnKind>> = {
  patientID: { title: 'Patient ID', sort: 'patientID', width: 120 },
  born: { title: 'Born', width: 128 },
  study: { title: 'Study', sort: 'description', width: 160 },
  modality: { title: 'Modality', width: 76 },
  studyDate: { title: 'Study date', sort: 'studyDate', width: 108 },
  images: { title: 'Images', width: 66 },
  received: { title: 'Received', sort: 'arrivedDate', width: 148 },
  bodyPart: { title: 'Body part', width: 110 },
  source: { title: 'Source', width: 90 },
  accession: { title: 'Accession', width: 110 },
  saas: { title: 'Compatible SaaS', width: 150 },
  status: { title: 'Status', width: 116 },
}
