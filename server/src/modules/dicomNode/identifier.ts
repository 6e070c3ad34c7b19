import { tag } from '@dmp/dicom'
import { readDataset } from '../../dicom/readDataset.ts'
import type { JsonDataset, JsonElement, JsonName } from '../../dicom/jsonModel.ts'
import { DicomRefusal } from '../../dicom/refusal.ts'
import type { Message } from '../../outside/dimse/association.ts'
import { ProtocolFault } from '../../outside/dimse/faults.ts'
import { dimseLimits } from '../../outside/dimse/limits.ts'
import type { QidoQuery } from '../dicomweb/qidoQuery.ts'
import type { QueryLevel } from '../dicomweb/queryKeys.ts'
import type { UidPath } from '../dicomweb/scope.ts'
import { OperationRefused, status } from './statuses.ts'

/** The data set of a request (PS3.4 section C.4), which is read whole: it holds keys, never an object. */
export async function readIdentifier({ context, data }: Message): Promise<JsonDataset> {
  if (!data) throw new OperationRefused(status.identifierMismatch, 'The request has no identifier.')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of data) {
    bytes += piece.length
    if (bytes > dimseLimits.identifierBytes) throw new ProtocolFault('notSpecified', 'The identifier is too long.')
    pieces.push(piece)
  }
  try {
    return await readDataset(Buffer.concat(pieces), context.transferSyntax)
  } catch (cause) {
    if (cause instanceof DicomRefusal) throw new OperationRefused(status.identifierMismatch, cause.message)
    throw cause
  }
}

const levels: Readonly<Record<string, QueryLevel>> = { STUDY: 'studies', SERIES: 'series', IMAGE: 'instances' }

const firstText = ({ Value = [] }: JsonElement): string => String(Value[0] ?? '')

export function readLevel(identifier: JsonDataset): { readonly name: string; readonly level: QueryLevel } {
  const name = firstText(identifier[tag.QueryRetrieveLevel] ?? { vr: 'CS' }).trim()
  const level = Object.hasOwn(levels, name) ? levels[name] : undefined
  if (!level) throw new OperationRefused(status.identifierMismatch, 'The level is none of STUDY, SERIES and IMAGE.')
  return { name, level }
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

const mostUids = 1000

function listUids(identifier: JsonDataset, key: string): string[] {
  const uids = (identifier[key]?.Value ?? []).map((value) => String(value ?? '').trim()).filter(Boolean)
  if (uids.length > mostUids)
    throw new OperationRefused(status.identifierMismatch, `Ask for at most ${mostUids} UIDs at a time.`)
  return uids
}

/** What is to be sent (PS3.4 section C.4.2.1.4): the UIDs of the level, within the ones above it. */
export function toPaths(identifier: JsonDataset): UidPath[] {
  const { level } = readLevel(identifier)
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
