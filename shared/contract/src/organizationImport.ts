/** An exported archive, taken into an organization by its administrator. */
import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Instant, Password, Uuid, exact, maybe } from './fields.ts'

const Text = v.string('Text.')
const Count = v.number('A number.')

/** `Ended` by somebody, `Expired` by itself: either way the archive is gone, and what was stored stays. */
export const importStates = ['Uploading', 'Waiting', 'Running', 'Done', 'Failed', 'Ended', 'Expired'] as const
export type ImportState = (typeof importStates)[number]

/** Why it failed or ended: by a person, or for one of these facts. */
export const importReasons = [
  'Person',
  'RightLost',
  'Unreadable',
  'Unsafe',
  'NotAnExport',
  'NotWhole',
  'Interrupted',
] as const
export type ImportReason = (typeof importReasons)[number]

/** Beside the scans. */
export const importRecordKinds = ['people', 'complaints', 'links', 'audit', 'imported'] as const

const ImportRefusal = v.object({
  /** The code of an upload's refusal. */
  reason: Text,
  sentence: Text,
  count: Count,
  /** The first few, as they are called in the archive. */
  examples: v.array(Text, 'A list.'),
})
export type ImportRefusal = v.InferOutput<typeof ImportRefusal>

const ImportedRecords = v.object({
  kind: v.picklist(importRecordKinds, 'A kind of record.'),
  added: Count,
  present: Count,
  refused: Count,
  /** Why, once each. */
  sentences: v.array(Text, 'A list.'),
})
export type ImportedRecords = v.InferOutput<typeof ImportedRecords>

export const OrganizationImport = v.object({
  id: Uuid,
  state: v.picklist(importStates, 'A state.'),
  createdBy: Text,
  createdDate: Instant,
  /** Of the archive, and how many of them have arrived. */
  bytes: Count,
  bytesArrived: Count,
  /** Where whoever started it sends the archive by tus, while it is uploaded. */
  uploadUrl: maybe(Text),
  /** What the archive says it is of, once it was looked at. */
  from: maybe(Text),
  /** Objects of the archive; those that were stored, that were there already, and that were refused so far. */
  objects: Count,
  stored: Count,
  present: Count,
  refused: Count,
  refusals: v.array(ImportRefusal, 'A list.'),
  records: v.array(ImportedRecords, 'A list.'),
  reason: maybe(v.picklist(importReasons, 'A reason.')),
  /** Names of files that it failed for, the first few. */
  files: v.array(Text, 'A list.'),
  /** The person, where it was one. */
  endedBy: maybe(Text),
  endedDate: maybe(Instant),
})
export type OrganizationImport = v.InferOutput<typeof OrganizationImport>

export const isImportOpen = ({ state }: Pick<OrganizationImport, 'state'>): boolean =>
  state === 'Uploading' || state === 'Waiting' || state === 'Running'

const ImportList = v.array(OrganizationImport, 'A list.')
const byId = exact({ id: Uuid })

export const listImports = endpoint({
  method: 'GET',
  path: '/Organization/listImports',
  summary: 'The last imports into an organization, the newest first, at most 10.',
  needs: may('Organization', 'Import'),
  query: byId,
  answer: ImportList,
})

/** The length of the archive, and the person's own password: an open session alone must not bring a stock along. */
export const ImportDraft = exact({
  bytes: v.pipe(Count, v.safeInteger('A whole number.'), v.minValue(1, 'The file is empty.')),
  password: Password,
})
export type ImportDraft = v.InferOutput<typeof ImportDraft>

export const startImport = endpoint({
  method: 'POST',
  path: '/Organization/startImport/:id',
  summary: 'Make room for an exported archive (zip); its bytes follow at `uploadUrl`, then it is taken in.',
  needs: may('Organization', 'Import'),
  params: byId,
  body: ImportDraft,
  answer: ImportList,
  renews: listImports,
  refusals: [413, 507],
})

export const endImport = endpoint({
  method: 'PUT',
  path: '/Organization/endImport/:id',
  summary: 'Stop an import. What is stored already stays.',
  needs: may('Organization', 'Import'),
  params: byId,
  body: exact({ importId: Uuid }),
  answer: ImportList,
  renews: listImports,
})
