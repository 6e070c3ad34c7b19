import { isUid, tag } from '@dmp/dicom'
import { dimseLimits, OperationRefused, ProtocolFault, status, type Message } from '@dmp/dimse'
import { keyLimits, readDataset } from '../../dicom/readDataset.ts'
import type { JsonDataset, JsonElement, JsonName } from '../../dicom/jsonModel.ts'
import { DicomRefusal } from '../../dicom/refusal.ts'
import type { QidoQuery } from '../dicomweb/qidoQuery.ts'
import type { QueryLevel } from '../dicomweb/queryKeys.ts'
import type { UidPath } from '../dicomweb/scope.ts'
import { isPatientRoot } from './presentation.ts'

/** The data set of a request, which is read whole: it holds no object. */
export async function readBytes({ data }: Message, mostBytes: number): Promise<Buffer> {
  if (!data) throw new OperationRefused(status.identifierMismatch, 'The request has no identifier.')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of data) {
    bytes += piece.length
    if (bytes > mostBytes) throw new ProtocolFault('notSpecified', 'The identifier is too long.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** The keys of a search or of a retrieval (PS3.4 section C.4). */
export async function readIdentifier(message: Message): Promise<JsonDataset> {
  const bytes = await readBytes(message, dimseLimits.keysBytes)
  return orRefuse(readDataset(bytes, message.context.transferSyntax, keyLimits))
}

/** A data set that cannot be read is refused with its reason. */
export async function orRefuse<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (cause) {
    if (cause instanceof DicomRefusal) throw new OperationRefused(status.identifierMismatch, cause.message)
    throw cause
  }
}

/** Patients have no rows of their own: they are found, and fetched, by their studies. */
const levels: Readonly<Record<string, QueryLevel>> = {
  PATIENT: 'studies',
  STUDY: 'studies',
  SERIES: 'series',
  IMAGE: 'instances',
}

const firstText = ({ Value = [] }: JsonElement): string => String(Value[0] ?? '')

interface Level {
  readonly name: string
  readonly level: QueryLevel
}

export function readLevel(identifier: JsonDataset, abstractSyntax: string): Level {
  const name = firstText(identifier[tag.QueryRetrieveLevel] ?? { vr: 'CS' }).trim()
  const level = Object.hasOwn(levels, name) ? levels[name] : undefined
  if (!level || (name === 'PATIENT' && !isPatientRoot(abstractSyntax)))
    throw new OperationRefused(status.identifierMismatch, 'The information model has no such level.')
  return { name, level }
}

const ofPatient: ReadonlySet<string> = new Set([
  tag.PatientName,
  tag.PatientID,
  tag.IssuerOfPatientID,
  tag.PatientBirthDate,
  tag.PatientSex,
])

/** At the level of patients, what else is asked for is answered empty; what else is to be matched is refused. */
export function keepPatientKeys(identifier: JsonDataset): JsonDataset {
  const entries = listKeys(identifier).filter(([key]) => !ofPatient.has(key))
  if (entries.some(([, { Value = [] }]) => Value.length > 0))
    throw new OperationRefused(status.identifierMismatch, 'A key is not one of the level PATIENT.')
  return keepPatientRow(identifier)
}

export const keepPatientRow = (row: JsonDataset): JsonDataset =>
  Object.fromEntries(Object.entries(row).filter(([key]) => ofPatient.has(key)))

/** Whose study it is: two rows of one patient have the same. */
export const toPatientKey = (row: JsonDataset): string =>
  JSON.stringify([tag.PatientID, tag.IssuerOfPatientID].map((key) => row[key]?.Value?.[0] ?? '')) +
  // Who has no number is told apart by name and birth date.
  (row[tag.PatientID]?.Value?.[0] ? '' : JSON.stringify([row[tag.PatientName], row[tag.PatientBirthDate]]))

/** The one patient whose studies are to be sent (PS3.4 section C.4.2.1.4). */
export function readPatientId(identifier: JsonDataset): string {
  const { Value = [] } = identifier[tag.PatientID] ?? {}
  const id = String(Value[0] ?? '').trim()
  if (id === '' || Value.length > 1)
    throw new OperationRefused(status.identifierMismatch, 'The identifier does not name one patient by an ID.')
  return id
}

/** Attributes of an identifier that are no keys. */
const noKeys: ReadonlySet<string> = new Set([
  tag.QueryRetrieveLevel,
  tag.SpecificCharacterSet,
  tag.TimezoneOffsetFromUTC,
  tag.RetrieveAETitle,
  tag.InstanceAvailability,
])

function toValue({ vr, Value = [] }: JsonElement): string {
  if (vr !== 'PN') return Value.map((value) => String(value ?? '')).join('\\')
  const { Alphabetic = '', Ideographic = '', Phonetic = '' } = (Value[0] ?? {}) as JsonName
  return [Alphabetic, Ideographic, Phonetic].join('=').replace(/={1,2}$/, '')
}

const longestValue = 4000

/** The keys of a search, as QIDO-RS has them: the same conditions, and the same refusals. */
export function toQuery(identifier: JsonDataset, page: Pick<QidoQuery, 'limit' | 'offset'>): QidoQuery {
  const keys = new Map<string, string>()
  const add = (path: string, element: JsonElement): void => {
    const value = toValue(element)
    if (value.length > longestValue)
      throw new OperationRefused(status.identifierMismatch, 'A value of the identifier is too long.')
    if (value !== '' && value !== '*') keys.set(path, value)
  }
  for (const [key, element] of listKeys(identifier)) {
    if (element.vr !== 'SQ') add(key, element)
    else
      for (const [inner, each] of Object.entries((element.Value?.[0] ?? {}) as JsonDataset))
        add(`${key}.${inner}`, each)
  }
  return { ...page, keys, includes: listIncludes(identifier), isFuzzy: false }
}

const listKeys = (identifier: JsonDataset): [string, JsonElement][] =>
  Object.entries(identifier).filter(([key]) => !noKeys.has(key))

/** What the rows of the index hold, or what an answer counts, is there without a look at the images. */
const held: ReadonlySet<string> = new Set([
  tag.StudyDate,
  tag.StudyTime,
  tag.AccessionNumber,
  tag.ModalitiesInStudy,
  tag.ReferringPhysicianName,
  tag.PatientName,
  tag.PatientID,
  tag.PatientBirthDate,
  tag.PatientSex,
  tag.StudyInstanceUID,
  tag.StudyID,
  tag.StudyDescription,
  tag.NumberOfStudyRelatedSeries,
  tag.NumberOfStudyRelatedInstances,
  tag.Modality,
  tag.SeriesInstanceUID,
  tag.SeriesNumber,
  tag.SeriesDescription,
  tag.NumberOfSeriesRelatedInstances,
  tag.SOPInstanceUID,
  tag.SOPClassUID,
  tag.InstanceNumber,
])

/** Keys without a value ask for the attribute, whatever it is. */
const listIncludes = (identifier: JsonDataset): string[] =>
  listKeys(identifier).flatMap(([key]) => (held.has(key) ? [] : [key]))

/** What is answered of a row: what was asked for, empty where it has none, and where it can be fetched. */
export function toAnswer(identifier: JsonDataset, row: JsonDataset, level: string, retrieveTitle: string): JsonDataset {
  const answer: Record<string, JsonElement> = {
    [tag.QueryRetrieveLevel]: { vr: 'CS', Value: [level] },
    [tag.RetrieveAETitle]: { vr: 'AE', Value: [retrieveTitle] },
    [tag.InstanceAvailability]: { vr: 'CS', Value: ['ONLINE'] },
  }
  for (const [key, { vr }] of listKeys(identifier)) answer[key] = row[key] ?? { vr }
  return answer
}

export const mostUids = 1000

function listUids(identifier: JsonDataset, key: string): string[] {
  // Whoever names one twice gets it once.
  const uids = [...new Set((identifier[key]?.Value ?? []).map((value) => String(value ?? '').trim()).filter(Boolean))]
  if (uids.length > mostUids)
    throw new OperationRefused(status.identifierMismatch, `Ask for at most ${mostUids} UIDs at a time.`)
  // They stand in the record of who fetched what.
  if (!uids.every(isUid)) throw new OperationRefused(status.identifierMismatch, 'What should be a UID is none.')
  return uids
}

/** What is to be sent (PS3.4 section C.4.2.1.4): the UIDs of the level, within the ones above it. */
export function toPaths(identifier: JsonDataset, { level }: Level): UidPath[] {
  const studies = listUids(identifier, tag.StudyInstanceUID)
  const series = listUids(identifier, tag.SeriesInstanceUID)
  const instances = listUids(identifier, tag.SOPInstanceUID)
  const wanted = { studies, series, instances }[level]
  if (wanted.length === 0)
    throw new OperationRefused(status.identifierMismatch, 'The identifier has no UID of its level.')
  if (level === 'studies') return studies.map((study) => ({ study }))
  // Where several are named above, the UID of the level alone says which one is meant: it is unique.
  const above = studies.length === 1 && studies[0] !== undefined ? { study: studies[0] } : {}
  if (level === 'series') return series.map((uid) => ({ ...above, series: uid }))
  const within = series.length === 1 && series[0] !== undefined ? { ...above, series: series[0] } : above
  return instances.map((instance) => ({ ...within, instance }))
}
