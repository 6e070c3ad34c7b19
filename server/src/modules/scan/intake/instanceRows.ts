import { randomBytes } from 'node:crypto'
import { tag } from '@dmp/dicom'
import type { Insertable } from 'kysely'
import { date, name, nameSpellings, number, text } from '../../../dicom/attributes.ts'
import { pickTags, type JsonName, type JsonValue } from '../../../dicom/jsonModel.ts'
import type { ReadObject } from '../../../dicom/readerTasks.ts'
import type { DataKey } from '../../../outside/encryption/dataKey.ts'
import type { StagedObject } from '../../../outside/objectStore.ts'
import { listCompatibleSaas } from './saasByModality.ts'
import { sealHeader } from './sealedHeaders.ts'
import { acquisitionDateTags, findAcquisitionDate } from '../reading/acquisitionDate.ts'
import type { InstanceTable, SeriesTable, StudyTable } from '../../../db/tables/scan.ts'

/** The rows that the database stores of an object. */

/** Attributes that QIDO-RS returns of a study and of a series (PS3.18 tables 10.6.3-3 to 10.6.3-5). */
const studyTags = [
  tag.SpecificCharacterSet,
  tag.StudyDate,
  tag.StudyTime,
  tag.AccessionNumber,
  tag.ReferringPhysicianName,
  tag.TimezoneOffsetFromUTC,
  tag.StudyDescription,
  tag.PatientName,
  tag.PatientID,
  tag.IssuerOfPatientID,
  tag.PatientBirthDate,
  tag.PatientSex,
  tag.StudyInstanceUID,
  tag.StudyID,
]
const seriesTags = [
  tag.SpecificCharacterSet,
  tag.Modality,
  tag.SeriesDescription,
  tag.SeriesDescriptionCodeSequence,
  tag.SeriesDate,
  tag.SeriesTime,
  tag.Manufacturer,
  tag.InstitutionName,
  tag.ManufacturerModelName,
  tag.BodyPartExamined,
  tag.SeriesInstanceUID,
  tag.SeriesNumber,
  tag.Laterality,
  tag.PerformedProcedureStepStartDate,
  tag.PerformedProcedureStepStartTime,
  tag.RequestAttributesSequence,
]

/** Every attribute that the rows are made of. */
export const rowTags: readonly string[] = [...studyTags, ...seriesTags, ...acquisitionDateTags, tag.InstanceNumber]

/** The shape of dataStoreID and imageSetID. */
export const createImageSetID = (): string => randomBytes(16).toString('hex')

const toAlphabeticName = (value: JsonValue | undefined): string =>
  value && typeof value === 'object' && 'Alphabetic' in value ? ((value as JsonName).Alphabetic ?? '') : ''

function toStudyRow(organizationId: string, { attributes: header, studyUID }: ReadObject): Insertable<StudyTable> {
  return {
    organization_id: organizationId,
    study_uid: studyUID,
    patient_id: text(header, tag.PatientID) ?? '',
    patient_name: toAlphabeticName(header[tag.PatientName]?.Value?.[0]),
    study_date: date(header, tag.StudyDate) ?? '',
    accession_number: text(header, tag.AccessionNumber) ?? '',
    attributes: JSON.stringify(pickTags(header, studyTags)),
  }
}

interface Sent {
  readonly source: string
  /** The name of the machine that sent it. */
  readonly sender: string | null
}

function toSeriesRow(
  organizationId: string,
  { source, sender }: Sent,
  { attributes: header, seriesUID, studyUID }: ReadObject,
): Insertable<SeriesTable> {
  const modality = text(header, tag.Modality) ?? ''
  const searchable = {
    patient: name(header, tag.PatientName) ?? '',
    id: text(header, tag.PatientID) ?? '',
    series: text(header, tag.SeriesDescription) ?? '',
    study: text(header, tag.StudyDescription) ?? '',
  }
  const acqDate = findAcquisitionDate(header) ?? ''
  const compatibleSaas = listCompatibleSaas(modality)
  return {
    organization_id: organizationId,
    series_uid: seriesUID,
    study_uid: studyUID,
    image_set_id: createImageSetID(),
    patient_name: searchable.patient,
    patient_id: searchable.id,
    modality,
    description: searchable.series,
    source,
    sender,
    acq_date: acqDate,
    compatible_saas: compatibleSaas,
    attributes: JSON.stringify(pickTags(header, seriesTags)),
    // One line per value, so that a search never matches across two of them; UIDs have indexes of their own.
    search_words: [
      searchable.patient,
      nameSpellings(header, tag.PatientName),
      searchable.id,
      searchable.series,
      searchable.study,
      acqDate,
      modality,
      source,
      text(header, tag.AccessionNumber) ?? '',
      text(header, tag.BodyPartExamined) ?? '',
      compatibleSaas.join(' '),
    ].join('\n'),
  }
}

function toInstanceRow(
  organizationId: string,
  object: ReadObject,
  staged: StagedObject,
  objectKey: string,
  dataKey: DataKey | undefined,
): Insertable<InstanceTable> {
  return {
    organization_id: organizationId,
    sop_instance_uid: object.sopInstanceUID,
    series_uid: object.seriesUID,
    study_uid: object.studyUID,
    sop_class_uid: object.sopClassUID,
    transfer_syntax_uid: object.transferSyntaxUID,
    instance_number: Math.max(
      -2_147_483_648,
      Math.min(2_147_483_647, Math.trunc(number(object.attributes, tag.InstanceNumber) ?? 0)),
    ),
    images: object.images,
    sha256: staged.sha256,
    byte_size: staged.size,
    object_key: objectKey,
    header: sealHeader(object.header, { organizationId, sopInstanceUID: object.sopInstanceUID }, dataKey),
    key_id: dataKey?.id ?? null,
  }
}

export interface InstanceRows {
  readonly study: Insertable<StudyTable>
  readonly series: Insertable<SeriesTable>
  readonly instance: Insertable<InstanceTable>
}

export function toInstanceRows(
  incoming: Sent & { readonly organizationId: string },
  object: ReadObject,
  staged: StagedObject,
  objectKey: string,
  dataKey?: DataKey,
): InstanceRows {
  const { organizationId } = incoming
  return {
    study: toStudyRow(organizationId, object),
    series: toSeriesRow(organizationId, incoming, object),
    instance: toInstanceRow(organizationId, object, staged, objectKey, dataKey),
  }
}
