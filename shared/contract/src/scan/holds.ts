import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Instant, Uid, Uuid, atMost, exact, maybe } from '../fields.ts'
import { limits } from '../limits.ts'
import { pageQuery } from '../paging.ts'
import { byId, ofOrganization } from './params.ts'

const Text = v.string('Text.')

/**
 * A study that nobody may delete, also not for good from the bin, until somebody ends the hold. The organization and
 * the provider may each have one in force.
 */
export const LegalHold = v.object({
  id: Uuid,
  organizationId: Uuid,
  studyUID: Text,
  /** Empty where nothing of the study is left but the bin's. */
  patientName: Text,
  studyDescription: Text,
  /** A series of it that has a page; null where it lies in the bin alone. */
  seriesUID: maybe(Text),
  reason: Text,
  heldByUser: Text,
  /** Held by the provider, who alone ends it. */
  isByProvider: v.boolean('Yes or no.'),
  heldDate: Instant,
  endedDate: maybe(Instant),
  endedByUser: maybe(Text),
})
export type LegalHold = v.InferOutput<typeof LegalHold>

/** The reason is shown to everybody who is refused and may know it. */
export const HoldForm = exact({
  reason: v.pipe(
    v.string('The reason must be text.'),
    v.trim(),
    v.nonEmpty('Please say why the study is held.'),
    v.maxLength(limits.holdReasonMaxChars, () => atMost(limits.holdReasonMaxChars)),
  ),
})
export type HoldForm = v.InferOutput<typeof HoldForm>

const sortable = ['heldDate', 'patientName', 'heldByUser'] as const

/** Not in the specification: legal holds that are in force, newest first; those of one study also when they ended. */
export const listHolds = endpoint({
  method: 'GET',
  path: '/Scan/listHolds',
  summary: 'Legal holds of an organization, or of one study also those that have ended.',
  needs: may('Scan', 'Hold'),
  query: exact({ ...pageQuery(sortable), organizationId: v.optional(Uuid), studyUID: v.optional(Uid) }),
  answer: v.array(LegalHold, 'A list.'),
  sortable,
})

/** Not in the specification: from the answer on nobody deletes the study, whose images may lie in the bin. */
export const hold = endpoint({
  method: 'POST',
  path: '/Scan/hold/:organizationId',
  summary: 'Put a study under legal hold: it can neither be deleted nor leave the bin for good.',
  needs: may('Scan', 'Hold'),
  params: ofOrganization,
  body: exact({ ...HoldForm.entries, studyUID: Uid }),
  answer: LegalHold,
})

/** Not in the specification: a hold of the provider is ended by the provider alone. */
export const endHold = endpoint({
  method: 'PUT',
  path: '/Scan/endHold/:id',
  summary: 'End a legal hold.',
  needs: may('Scan', 'Hold'),
  params: byId,
  answer: LegalHold,
})
