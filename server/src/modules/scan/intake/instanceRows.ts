import { randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { tag } from '@dmp/dicom'
import type { Insertable } from 'kysely'
import { date, name, nameSpellings, number, text } from '../../../dicom/attributes.ts'
import { pickTags, type JsonDataset, type JsonName, type JsonValue } from '../../../dicom/jsonModel.ts'
import { readImageShape } from '../../../dicom/pixelCheck.ts'
import type { Instance } from '../../../dicom/instance.ts'
import type { DataKey } from '../../../outside/encryption/dataKey.ts'
import type { StagedObject } from '../../../outside/objectStore.ts'
import { listCompatibleSaas } from './saasByModality.ts'
import { sealHeader } from './sealedHeaders.ts'
import { findAcquisitionDate } from '../reading/scanDetail.ts'
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

const packHeader = (header: JsonDataset): Uint8Array => deflateRawSync(JSON.stringify(header), { level: 4 })
export const unpackHeader = (bytes: Uint8Array): JsonDataset =>
  JSON.parse(inflateRawSync(bytes).toString('utf8')) as JsonDataset

/** The shape of dataStoreID and imageSetID. */
export const createImageSetID = (): string => randomBytes(16).toString('hex')

const toAlphabeticName = (value: JsonValue | undefined): string =>
  value && typeof value === 'object' && 'Alphabetic' in value ? ((value as JsonName).Alphabetic ?? '') : ''

function toStudyRow(organizationId: string, { header, studyUID }: Instance): Insertable<StudyTable> {
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

function toSeriesRow(
  organizationId: string,
  source: string,
  { header, seriesUID, studyUID }: Instance,
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
  instance: Instance,
  staged: StagedObject,
  objectKey: string,
  dataKey: DataKey | undefined,
): Insertable<InstanceTable> {
  const { header, part10 } = instance
  return {
    organization_id: organizationId,
    sop_instance_uid: instance.sopInstanceUID,
    series_uid: instance.seriesUID,
    study_uid: instance.studyUID,
    sop_class_uid: instance.sopClassUID,
    transfer_syntax_uid: part10.transferSyntax.uid,
    instance_number: Math.max(
      -2_147_483_648,
      Math.min(2_147_483_647, Math.trunc(number(header, tag.InstanceNumber) ?? 0)),
    ),
    images: part10.pixelData ? readImageShape(header).frames : 0,
    sha256: staged.sha256,
    byte_size: staged.size,
    object_key: objectKey,
    header: sealHeader(packHeader(header), { organizationId, sopInstanceUID: instance.sopInstanceUID }, dataKey),
    key_id: dataKey?.id ?? null,
  }
}

export interface InstanceRows {
  readonly study: Insertable<StudyTable>
  readonly series: Insertable<SeriesTable>
  readonly instance: Insertable<InstanceTable>
}

export function toInstanceRows(
  incoming: { organizationId: string; source: string },
  instance: Instance,
  staged: StagedObject,
  objectKey: string,
  dataKey?: DataKey,
): InstanceRows {
  const { organizationId, source } = incoming
  return {
    study: toStudyRow(organizationId, instance),
    series: toSeriesRow(organizationId, source, instance),
    instance: toInstanceRow(organizationId, instance, staged, objectKey, dataKey),
  }
}
