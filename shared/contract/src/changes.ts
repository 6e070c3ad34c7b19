import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { exact, Instant, maybe, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { wholeNumber } from './paging.ts'

const Text = v.string('Text.')

/**
 * What may become of a series. Grown: more instances arrived. Quiet: nothing arrived for as long as the server's
 * settings say. Reduced: single instances were deleted. Shared: a link opens it. Transferred: a copy arrived elsewhere.
 */
export const changeKinds = [
  'SeriesCreated',
  'SeriesGrown',
  'SeriesQuiet',
  'SeriesReduced',
  'SeriesShared',
  'SeriesTransferred',
  'SeriesDeleted',
] as const
const unknownKind = () => `This is not a kind of change: ${changeKinds.join(', ')}.`
export const ChangeKind = v.picklist(changeKinds, unknownKind)
export type ChangeKind = v.InferOutput<typeof ChangeKind>

/** One change of one series. It names nobody; who needs more asks DICOMweb for the series. */
export const Change = v.object({
  /** What `since` takes to go on behind this change. */
  cursor: Text,
  kind: ChangeKind,
  date: Instant,
  studyUID: Text,
  seriesUID: Text,
  /** How many instances the series had then. */
  instances: v.number('A number.'),
  /** Null once the series is deleted, as is where it came from. */
  modality: maybe(Text),
  source: maybe(Text),
})
export type Change = v.InferOutput<typeof Change>

export const ChangePage = v.object({
  changes: v.array(Change, 'A list.'),
  /** Where to go on, whether or not there are changes on this page. */
  next: Text,
  /** Whether there is a further page already. */
  hasMore: v.boolean('True or false.'),
})
export type ChangePage = v.InferOutput<typeof ChangePage>

const since = () => 'Give the next of an earlier answer, or a date and time such as 2026-05-05T08:00:00Z.'
const page = () => `A page has 1 to ${limits.maxPageSize} changes.`
const longest = () => `Wait for 0 to ${limits.changesWaitSeconds} seconds.`

/**
 * What became of the scans of an organization, in the order in which it came true, each change once. Without `since`
 * there are no changes, only where they go on from now.
 */
export const list = endpoint({
  method: 'GET',
  path: '/Changes',
  summary: 'What became of the scans of an organization, in order; waits for news if asked to.',
  needs: may('Scan', 'List'),
  isForMachines: true,
  refusals: [410],
  query: exact({
    since: v.optional(
      v.pipe(
        v.string(since),
        v.maxLength(40, since),
        v.regex(/^(?:\d{1,15}|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))$/, since),
        v.check((text) => /^\d+$/.test(text) || !Number.isNaN(Date.parse(text)), since),
      ),
    ),
    /** Only these kinds, with commas between them. */
    kinds: v.optional(
      v.pipe(
        v.string(unknownKind),
        v.maxLength(200, unknownKind),
        v.transform((text) => text.split(',')),
        v.array(ChangeKind, unknownKind),
      ),
    ),
    pageSize: v.optional(
      v.pipe(wholeNumber('pageSize', /^\d{1,9}$/, page), v.minValue(1, page), v.maxValue(limits.maxPageSize, page)),
      limits.changesPageSize,
    ),
    /** Seconds for which an answer without changes may be held back until there is one. */
    wait: v.optional(
      v.pipe(
        wholeNumber('wait', /^\d{1,9}$/, longest),
        v.minValue(0, longest),
        v.maxValue(limits.changesWaitSeconds, longest),
      ),
      0,
    ),
    /** The provider's staff name one; everybody else has their own. */
    organizationId: v.optional(Uuid),
  }),
  answer: ChangePage,
})
