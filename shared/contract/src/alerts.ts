import * as v from 'valibot'
import { AlertRuleName } from './alertRules.ts'
import { endpoint, may } from './endpoint.ts'
import { Instant, Uuid, atMost, exact, maybe } from './fields.ts'
import { limits } from './limits.ts'
import { pageQuery } from './paging.ts'

const Text = v.string('Text.')

/** Somebody looked at patients in a way that an administrator wants to know of. It names no patient. */
export const AccessAlert = v.object({
  id: Uuid,
  rule: AlertRuleName,
  organizationId: Uuid,
  organization: Text,
  userId: Uuid,
  /** Full name of the person whom it is about. */
  person: Text,
  personEmail: Text,
  /** Different patients, so far. */
  patients: v.number('A number.'),
  /** The first and the last of the openings that it counts. */
  firstDate: Instant,
  lastDate: Instant,
  raisedDate: Instant,
  acknowledgedDate: maybe(Instant),
  /** Full name of whoever looked into it. */
  acknowledgedBy: maybe(Text),
  note: maybe(Text),
})
export type AccessAlert = v.InferOutput<typeof AccessAlert>

const alertsSortable = ['raisedDate', 'rule', 'person', 'patients', 'organization'] as const

/** Newest first unless sorted otherwise. Nobody sees those about themselves, unless nobody else could. */
export const listAlerts = endpoint({
  method: 'GET',
  path: '/Audit/listAlerts',
  summary: 'Alerts about how patients were looked at.',
  needs: may('Audit', 'List'),
  query: exact({
    ...pageQuery(alertsSortable),
    state: v.optional(v.picklist(['open', 'acknowledged'], 'The state can be open or acknowledged.')),
  }),
  answer: v.array(AccessAlert, 'A list.'),
  sortable: alertsSortable,
})

export const getAlert = endpoint({
  method: 'GET',
  path: '/Audit/getAlert',
  summary: 'One alert about how patients were looked at.',
  needs: may('Audit', 'List'),
  query: exact({ id: Uuid }),
  answer: AccessAlert,
})

/** What somebody found out; it stays with the alert. */
export const AlertNote = exact({
  note: v.pipe(
    v.string('The note must be text.'),
    v.trim(),
    v.maxLength(limits.alertNoteMaxChars, () => atMost(limits.alertNoteMaxChars)),
  ),
})
export type AlertNote = v.InferOutput<typeof AlertNote>

/** Once: who looked into it, and what was found, is not written over. */
export const acknowledgeAlert = endpoint({
  method: 'PUT',
  path: '/Audit/acknowledgeAlert/:id',
  summary: 'Say that an alert was looked into, with a note.',
  needs: may('Audit', 'List'),
  params: exact({ id: Uuid }),
  body: AlertNote,
  answer: AccessAlert,
  renews: getAlert,
})
