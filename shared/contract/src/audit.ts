import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Instant, Uid, Uuid, exact, maybe } from './fields.ts'
import { SearchTerm, pageQuery } from './paging.ts'

export * from './alerts.ts'

const Text = v.string('Text.')

/** Somebody that an event is about, as people know them; only for people who may see the person. */
const AuditedPerson = v.object({ id: Uuid, fullName: Text, email: Text })

/** One recorded event: actor, object, time and address. Never a patient's name (only ids and names of fields). */
export const AuditRow = v.object({
  id: Uuid,
  at: Instant,
  /** Kind of the event, such as ScanViewed. */
  event: Text,
  outcome: v.picklist(['success', 'refused'], 'The outcome can be success or refused.'),
  /** Full name of the user; null without a signed-in user. */
  actor: maybe(Text),
  actorEmail: maybe(Text),
  organization: maybe(Text),
  /** Whom it was done to, by their name of today. A server of the version before leaves it out. */
  affected: v.optional(maybe(AuditedPerson)),
  /** The object of the event, one line per field. */
  subject: v.array(v.object({ key: Text, value: Text }), 'A list.'),
  address: Text,
})
export type AuditRow = v.InferOutput<typeof AuditRow>

/** The row with its place in the hash chain. */
export const AuditDetail = v.object({
  ...AuditRow.entries,
  requestId: Text,
  /** Place in the chain of its organization, from 1. */
  position: v.number('A number.'),
  hash: Text,
  previousHash: Text,
  /**
   * Whether this row still hashes to `hash` and follows the previous row; false means that the table was tampered
   * with.
   */
  isIntact: v.boolean('Yes or no.'),
})
export type AuditDetail = v.InferOutput<typeof AuditDetail>

/** A scan that an event is about, as people know it; only for people who may see the scan. */
const AuditedScan = v.object({
  organizationId: Uuid,
  studyUID: Text,
  patientName: Text,
  description: Text,
  modalities: v.array(Text, 'A list.'),
})

/** An event with the first of the scans that it is about; null where that is gone, or there is none. */
export const Activity = v.object({ ...AuditRow.entries, scan: maybe(AuditedScan) })
export type Activity = v.InferOutput<typeof Activity>

const sortable = ['at', 'event', 'outcome', 'actor', 'organization', 'address'] as const

/** Filters of the list, all optional. `from` and `to` are instants, `to` exclusive. */
const filters = {
  event: v.optional(v.pipe(v.string('The event must be text.'), v.maxLength(100, 'This is not an event.'))),
  outcome: v.optional(v.picklist(['success', 'refused'], 'The outcome can be success or refused.')),
  from: v.optional(Instant),
  to: v.optional(Instant),
  /** Pages through lists are most of the events, and seldom what somebody looks for. */
  lists: v.optional(v.picklist(['hidden'], 'The lists can be hidden.')),
  /** Only events in which somebody opened or downloaded a scan. */
  opened: v.optional(v.picklist(['only'], 'Write only, or leave it out.')),
  /** Only events of this person. */
  actorId: v.optional(Uuid),
  /** Only events about this person, whoever did it. */
  affectedId: v.optional(Uuid),
  /** Only events about this study or one of its series; with `organizationId`. */
  studyUID: v.optional(Uid),
  organizationId: v.optional(Uuid),
  /** With `studyUID`: about any study of its patient. */
  isPatient: v.optional(v.picklist(['true'], 'Write true, or leave it out.')),
}

/** Newest first unless sorted otherwise. Viewers see events of their own organization, the provider's staff see all. */
export const list = endpoint({
  method: 'GET',
  path: '/Audit/list',
  summary: 'Recorded events that the viewer may see.',
  needs: may('Audit', 'List'),
  query: exact({ ...pageQuery(sortable), ...filters }),
  answer: v.array(AuditRow, 'A list.'),
  sortable,
})

/**
 * The same events with the names of scans, for people who look after a patient or a colleague: newest first, never
 * views of lists. It shows patients, so that it is recorded as a look at scans.
 */
export const listActivity = endpoint({
  method: 'GET',
  path: '/Audit/listActivity',
  summary: 'Who did what with the scans of a study or a patient, or what a person did, or what was done to one.',
  needs: may('Audit', 'List'),
  query: exact({ ...pageQuery(['at']), ...filters }),
  answer: v.array(Activity, 'A list.'),
  sortable: ['at'],
})

/** Kinds of events that the list can be narrowed to. */
export const listEvents = endpoint({
  method: 'GET',
  path: '/Audit/listEvents',
  summary: 'Kinds of recorded events.',
  needs: may('Audit', 'List'),
  answer: v.array(Text, 'A list.'),
})

export const get = endpoint({
  method: 'GET',
  path: '/Audit/get',
  summary: 'One recorded event with its place in the hash chain.',
  needs: may('Audit', 'Get'),
  query: exact({ id: Uuid }),
  answer: AuditDetail,
})

/** At most 100,000 rows, newest first; the export itself is recorded. */
export const exportRows = endpoint({
  method: 'POST',
  path: '/Audit/export',
  summary: 'All recorded events of the filters, for a file; the export is recorded.',
  needs: may('Audit', 'Export'),
  body: exact({ ...filters, search: v.optional(SearchTerm) }),
  answer: v.array(AuditRow, 'A list.'),
})

/** One place at which a chain is broken, in sentences. */
const ChainBreak = v.object({
  organization: Text,
  /** Place in the chain, from 1. */
  position: v.number('A number.'),
  text: Text,
  advice: Text,
})

/** One walk over the audit chains that the viewer may check, with its verdict. */
export const AuditCheck = v.object({
  /** `stopped` where the walk ended without a verdict, or the verdict was tampered with. */
  state: v.picklist(['running', 'stopped', 'intact', 'broken'], 'A state.'),
  /** Whether it was over the chains of all organizations. */
  isWhole: v.boolean('Yes or no.'),
  requestedAt: Instant,
  /** Full name of the user. */
  requestedBy: maybe(Text),
  finishedAt: maybe(Instant),
  /** Records that were walked, so far while it is running. */
  rows: v.number('A number.'),
  chains: v.number('A number.'),
  /** Heads, written earlier outside of the database, that the chains were compared with. */
  heads: v.number('A number.'),
  breakCount: v.number('A number.'),
  /** The first breaks. */
  breaks: v.array(ChainBreak, 'A list.'),
})
export type AuditCheck = v.InferOutput<typeof AuditCheck>

/** Null where the chains of the viewer were never checked. */
const LastCheck = v.object({ check: maybe(AuditCheck) })

/** Provider's administrators see the check of all chains, others that of their organization's chain. */
export const getLastCheck = endpoint({
  method: 'GET',
  path: '/Audit/getLastCheck',
  summary: 'When the audit chains were last checked, by whom, and the verdict.',
  needs: may('Audit', 'Check'),
  answer: LastCheck,
})

/** The walk goes on in the background; where one is on its way, no second is begun. */
export const check = endpoint({
  method: 'POST',
  path: '/Audit/check',
  summary: 'Check every record of the audit chains in the background; the check is recorded.',
  needs: may('Audit', 'Check'),
  answer: LastCheck,
  renews: getLastCheck,
})
