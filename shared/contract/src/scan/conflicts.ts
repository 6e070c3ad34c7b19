import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Instant, Uuid, exact, maybe } from '../fields.ts'
import { pageQuery } from '../paging.ts'
import { byId } from './params.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')

/**
 * The ways in which an object contradicts what is stored: it names another patient than its study, its series belongs
 * to another study, or an object with its UID has other bytes.
 */
export const conflictKinds = ['OtherPatient', 'OtherStudy', 'OtherContent'] as const
export const ConflictKind = v.picklist(conflictKinds, 'A kind of conflict.')
export type ConflictKind = v.InferOutput<typeof ConflictKind>

/** One of the two sides, as its objects name it; dates YYYY-MM-DD. */
export const ConflictSide = v.object({
  patientName: maybe(Text),
  patientID: maybe(Text),
  birthDate: maybe(Text),
  sex: maybe(Text),
  studyUID: Text,
  /** Null where the conflict is about a whole study. */
  seriesUID: maybe(Text),
  studyDate: maybe(Text),
  studyDescription: maybe(Text),
  accessionNumber: maybe(Text),
  modality: maybe(Text),
  seriesDescription: maybe(Text),
})
export type ConflictSide = v.InferOutput<typeof ConflictSide>

/** A contradiction between what is stored and what arrived. */
export const Conflict = v.object({
  id: Uuid,
  organizationId: Uuid,
  kind: ConflictKind,
  /** Whether both sides are stored, from a time when they were not told apart; otherwise what arrived was refused. */
  isStored: v.boolean('Yes or no.'),
  /** How many objects contradict. */
  objects: Numeric,
  /** One of them. */
  instanceUID: Text,
  stored: ConflictSide,
  arrived: ConflictSide,
  source: Text,
  /** The person, or whoever answers for the machine. */
  sentByUser: maybe(Text),
  /** The API token or DICOM partner that sent it, by its name then; null where a person did, absent where unsaid. */
  sender: v.optional(maybe(Text)),
  createdDate: Instant,
  /** When the last of the objects arrived. */
  lastDate: Instant,
  settledDate: maybe(Instant),
  settledByUser: maybe(Text),
})
export type Conflict = v.InferOutput<typeof Conflict>

const sortable = ['lastDate', 'kind', 'patientName', 'arrivedPatientName', 'objects'] as const

/** Not in the specification: what contradicts what is stored, newest first. */
export const listConflicts = endpoint({
  method: 'GET',
  path: '/Scan/listConflicts',
  summary: 'Objects that contradict stored ones, both sides; with state=open those that nobody has settled.',
  needs: may('Scan', 'ListConflicts'),
  query: exact({
    ...pageQuery(sortable),
    organizationId: v.optional(Uuid),
    state: v.optional(v.picklist(['open', 'settled'], 'The state can be open or settled.')),
  }),
  answer: v.array(Conflict, 'A list.'),
  sortable,
})

/** Not in the specification: somebody has looked after it. A further object that contradicts opens it again. */
export const settleConflict = endpoint({
  method: 'PUT',
  path: '/Scan/settleConflict/:id',
  summary: 'Mark a conflict as settled; it changes nothing that is stored.',
  needs: may('Scan', 'SettleConflict'),
  params: byId,
  answer: Conflict,
})
