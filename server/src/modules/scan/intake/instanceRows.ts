import { randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Insertable } from 'kysely'
import { date, name, nameSpellings, number, text } from '../../../dicom/attributes.ts'
import { picked, type JsonDataset, type JsonName, type JsonValue } from '../../../dicom/jsonModel.ts'
import { imageShape } from '../../../dicom/pixelCheck.ts'
import type { Instance } from '../../../dicom/read.ts'
import type { StagedObject } from '../../../outside/objectStore.ts'
import { compatibleSaas } from './compatibleSaas.ts'
import { acquisitionDate } from '../reading/scan.entities.ts'
import type { InstanceTable, SeriesTable, StudyTable } from '../../../db/tables/scan.ts'

/** What the database keeps of an object. */

/** QIDO-RS answers these of a study and of a series (PS3.18 tables 10.6.3-3 to 10.6.3-5). */
const studyTags = [
  '00080005',
  '00080020',
  '00080030',
  '00080050',
  '00080090',
  '00080201',
  '00081030',
  '00100010',
  '00100020',
  '00100021',
  '00100030',
  '00100040',
  '0020000D',
  '00200010',
]
const seriesTags = [
  '00080005',
  '00080060',
  '0008103E',
  '0008103F',
  '00080021',
  '00080031',
  '00080070',
  '00080080',
  '00081090',
  '00180015',
  '0020000E',
  '00200011',
  '00200060',
  '00400244',
  '00400245',
  '00400275',
]

const packedHeader = (header: JsonDataset): Uint8Array => deflateRawSync(JSON.stringify(header), { level: 4 })
export const unpackedHeader = (bytes: Uint8Array): JsonDataset =>
  JSON.parse(inflateRawSync(bytes).toString('utf8')) as JsonDataset

/** dataStoreID and imageSetID have this shape. */
export const createImageSetID = (): string => randomBytes(16).toString('hex')

const alphabetic = (value: JsonValue | undefined): string =>
  value && typeof value === 'object' && 'Alphabetic' in value ? ((value as JsonName).Alphabetic ?? '') : ''

function studyRow(organizationId: string, { header, studyUID }: Instance): Insertable<StudyTable> {
  return {
    organization_id: organizationId,
    study_uid: studyUID,
    patient_id: text(header, '00100020') ?? '',
    patient_name: alphabetic(header['00100010']?.Value?.[0]),
    study_date: date(header, '00080020') ?? '',
    accession_number: text(header, '00080050') ?? '',
    attributes: JSON.stringify(picked(header, studyTags)),
  }
}

function seriesRow(
  organizationId: string,
  source: string,
  { header, seriesUID, studyUID }: Instance,
): Insertable<SeriesTable> {
  const modality = text(header, '00080060') ?? ''
  const described = {
    patient: name(header, '00100010') ?? '',
    id: text(header, '00100020') ?? '',
    series: text(header, '0008103E') ?? '',
    study: text(header, '00081030') ?? '',
  }
  const acqDate = acquisitionDate(header) ?? ''
  const saas = compatibleSaas(modality)
  return {
    organization_id: organizationId,
    series_uid: seriesUID,
    study_uid: studyUID,
    image_set_id: createImageSetID(),
    patient_name: described.patient,
    patient_id: described.id,
    modality,
    description: described.series,
    source,
    acq_date: acqDate,
    compatible_saas: saas,
    attributes: JSON.stringify(picked(header, seriesTags)),
    // One line per value, so that a search never matches across two of them; UIDs have indexes of their own.
    search_words: [
      described.patient,
      nameSpellings(header, '00100010'),
      described.id,
      described.series,
      described.study,
      acqDate,
      modality,
      source,
      text(header, '00080050') ?? '',
      text(header, '00180015') ?? '',
      saas.join(' '),
    ].join('\n'),
  }
}

function instanceRow(
  organizationId: string,
  instance: Instance,
  staged: StagedObject,
  objectKey: string,
): Insertable<InstanceTable> {
  const { header, part10 } = instance
  return {
    organization_id: organizationId,
    sop_instance_uid: instance.sopInstanceUID,
    series_uid: instance.seriesUID,
    study_uid: instance.studyUID,
    sop_class_uid: instance.sopClassUID,
    transfer_syntax_uid: part10.transferSyntax.uid,
    instance_number: Math.max(-2_147_483_648, Math.min(2_147_483_647, Math.trunc(number(header, '00200013') ?? 0))),
    images: part10.pixelData ? imageShape(header).frames : 0,
    sha256: staged.sha256,
    byte_size: staged.size,
    object_key: objectKey,
    header: packedHeader(header),
  }
}

export interface InstanceRows {
  readonly study: Insertable<StudyTable>
  readonly series: Insertable<SeriesTable>
  readonly instance: Insertable<InstanceTable>
}

export function toInstanceRows(
  arrival: { organizationId: string; source: string },
  instance: Instance,
  staged: StagedObject,
  objectKey: string,
): InstanceRows {
  const { organizationId, source } = arrival
  return {
    study: studyRow(organizationId, instance),
    series: seriesRow(organizationId, source, instance),
    instance: instanceRow(organizationId, instance, staged, objectKey),
  }
}
