import { tag } from '@dmp/dicom'
import {
  codeMatch,
  dateMatch,
  modalitiesMatch,
  nameMatch,
  numberMatch,
  requestMatch,
  textMatch,
  timeMatch,
  uidMatch,
  type Matcher,
} from './queryMatchers.ts'

export type QueryLevel = 'studies' | 'series' | 'instances'

/** A matching key of a search (PS3.18 section 10.6.1.2). */
export interface QueryKey {
  /** A tag, or two around a point for an attribute of a sequence. */
  readonly path: string
  readonly level: QueryLevel
  /** Table 10.6.1-5 demands it. */
  readonly isRequired: boolean
  readonly match: Matcher
}

/** The first value of an attribute that the row of a study or series keeps as DICOM JSON. */
const valueOf = (table: 'studies' | 'series', key: string): string => `(${table}.attributes->'${key}'->'Value'->>0)`

const required = (level: QueryLevel, path: string, match: Matcher): QueryKey => ({
  level,
  path,
  match,
  isRequired: true,
})
const optional = (level: QueryLevel, path: string, match: Matcher): QueryKey => ({
  level,
  path,
  match,
  isRequired: false,
})
const ofRequest = (key: string): string => `${tag.RequestAttributesSequence}.${key}`

/** Every matching key; a search at a lower level takes those of the levels above, too. */
export const queryKeys: readonly QueryKey[] = [
  required('studies', tag.StudyDate, dateMatch('studies.study_date', '-')),
  required('studies', tag.StudyTime, timeMatch(valueOf('studies', tag.StudyTime))),
  required('studies', tag.AccessionNumber, textMatch('studies.accession_number')),
  required('studies', tag.ModalitiesInStudy, modalitiesMatch),
  required(
    'studies',
    tag.ReferringPhysicianName,
    nameMatch(`studies.attributes->'${tag.ReferringPhysicianName}'->'Value'->0`),
  ),
  required(
    'studies',
    tag.PatientName,
    nameMatch(`studies.attributes->'${tag.PatientName}'->'Value'->0`, 'studies.patient_name'),
  ),
  required('studies', tag.PatientID, textMatch('studies.patient_id')),
  required('studies', tag.StudyInstanceUID, uidMatch('studies.study_uid')),
  required('studies', tag.StudyID, textMatch(valueOf('studies', tag.StudyID))),
  optional(
    'studies',
    tag.StudyDescription,
    textMatch(`coalesce(${valueOf('studies', tag.StudyDescription)}, '')`, { isAnyCase: true }),
  ),
  optional('studies', tag.PatientBirthDate, dateMatch(valueOf('studies', tag.PatientBirthDate))),
  optional('studies', tag.PatientSex, codeMatch(valueOf('studies', tag.PatientSex))),
  optional('studies', tag.IssuerOfPatientID, textMatch(valueOf('studies', tag.IssuerOfPatientID))),
  required('series', tag.Modality, codeMatch('series.modality')),
  required('series', tag.SeriesInstanceUID, uidMatch('series.series_uid')),
  required('series', tag.SeriesNumber, numberMatch(valueOf('series', tag.SeriesNumber))),
  required(
    'series',
    tag.PerformedProcedureStepStartDate,
    dateMatch(valueOf('series', tag.PerformedProcedureStepStartDate)),
  ),
  required(
    'series',
    tag.PerformedProcedureStepStartTime,
    timeMatch(valueOf('series', tag.PerformedProcedureStepStartTime)),
  ),
  required('series', ofRequest(tag.ScheduledProcedureStepID), requestMatch(tag.ScheduledProcedureStepID)),
  required('series', ofRequest(tag.RequestedProcedureID), requestMatch(tag.RequestedProcedureID)),
  optional('series', tag.SeriesDescription, textMatch('series.description', { isAnyCase: true })),
  optional('series', tag.SeriesDate, dateMatch(valueOf('series', tag.SeriesDate))),
  optional('series', tag.SeriesTime, timeMatch(valueOf('series', tag.SeriesTime))),
  optional('series', tag.BodyPartExamined, codeMatch(valueOf('series', tag.BodyPartExamined))),
  optional('series', tag.Laterality, codeMatch(valueOf('series', tag.Laterality))),
  optional('series', tag.Manufacturer, textMatch(valueOf('series', tag.Manufacturer))),
  optional('series', tag.ManufacturerModelName, textMatch(valueOf('series', tag.ManufacturerModelName))),
  optional('series', tag.InstitutionName, textMatch(valueOf('series', tag.InstitutionName))),
  required('instances', tag.SOPClassUID, uidMatch('instances.sop_class_uid')),
  required('instances', tag.SOPInstanceUID, uidMatch('instances.sop_instance_uid')),
  required('instances', tag.InstanceNumber, numberMatch('instances.instance_number::text')),
]

const above: Readonly<Record<QueryLevel, readonly QueryLevel[]>> = {
  studies: ['studies'],
  series: ['studies', 'series'],
  instances: ['studies', 'series', 'instances'],
}

/** The keys that a search at a level matches. */
export const listQueryKeys = (level: QueryLevel): readonly QueryKey[] =>
  queryKeys.filter((key) => above[level].includes(key.level))
