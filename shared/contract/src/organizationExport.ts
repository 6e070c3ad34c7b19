/** Everything of an organization in one archive, for its administrator. */
import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Instant, Password, Uuid, exact, maybe } from './fields.ts'

const Text = v.string('Text.')
const Count = v.number('A number.')

/** `Ended` by somebody, `Expired` by itself: either way the archive is gone. */
export const exportStates = ['Waiting', 'Running', 'Ready', 'Failed', 'Ended', 'Expired'] as const
export type ExportState = (typeof exportStates)[number]

/** Why it failed or ended: by a person, or for one of these facts. */
export const exportReasons = ['Person', 'RightLost', 'Replaced', 'Damaged', 'Deleted', 'Interrupted'] as const
export type ExportReason = (typeof exportReasons)[number]

export const OrganizationExport = v.object({
  id: Uuid,
  state: v.picklist(exportStates, 'A state.'),
  createdBy: Text,
  createdDate: Instant,
  /** Of the scans; how many of them were read and found right so far. */
  objects: Count,
  objectsDone: Count,
  /** Of the archive, once it is ready. */
  bytes: maybe(Count),
  readyDate: maybe(Instant),
  /** When the archive goes. */
  expiresDate: maybe(Instant),
  reason: maybe(v.picklist(exportReasons, 'A reason.')),
  /** The person, where it was one. */
  endedBy: maybe(Text),
})
export type OrganizationExport = v.InferOutput<typeof OrganizationExport>

export const isExportOpen = ({ state }: Pick<OrganizationExport, 'state'>): boolean =>
  state === 'Waiting' || state === 'Running'

const ExportList = v.array(OrganizationExport, 'A list.')
const byId = exact({ id: Uuid })

export const listExports = endpoint({
  method: 'GET',
  path: '/Organization/listExports',
  summary: 'The last exports of an organization, the newest first, at most 10.',
  needs: may('Organization', 'Export'),
  query: byId,
  answer: ExportList,
})

/** The person's own password: an open session alone must not take everything along. */
export const ExportConfirmation = exact({ password: Password })
export type ExportConfirmation = v.InferOutput<typeof ExportConfirmation>

export const startExport = endpoint({
  method: 'POST',
  path: '/Organization/startExport/:id',
  summary: 'Prepare an archive of everything that an organization has; an earlier archive gives way to it.',
  needs: may('Organization', 'Export'),
  params: byId,
  body: ExportConfirmation,
  answer: ExportList,
  renews: listExports,
})

export const endExport = endpoint({
  method: 'PUT',
  path: '/Organization/endExport/:id',
  summary: 'Stop an export that is under way, or remove the archive of one that is ready.',
  needs: may('Organization', 'Export'),
  params: byId,
  body: exact({ exportId: Uuid }),
  answer: ExportList,
  renews: listExports,
})

/** The address is for this person and session alone, for a day; it answers Range requests. */
export const downloadExport = endpoint({
  method: 'POST',
  path: '/Organization/downloadExport/:id',
  summary: 'An address at which the archive of an export can be downloaded, also in pieces, for a day.',
  needs: may('Organization', 'Export'),
  params: byId,
  body: exact({ exportId: Uuid, ...ExportConfirmation.entries }),
  answer: v.object({ downloadUrl: Text }),
})
