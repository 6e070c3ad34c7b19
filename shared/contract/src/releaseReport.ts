import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { exact } from './fields.ts'
import { PartName, ReleaseId } from './remote.ts'

/**
 * Why a release could not be loaded (see `RemoteError` in the host), `unready`: it was loaded and never drew, or
 * `hang`: the page could not act any more while it began, which the tab's next page tells.
 */
export const loadFaults = [
  'http',
  'network',
  'timeout',
  'integrity',
  'evaluation',
  'chunk',
  'module',
  'contract',
  'unready',
  'hang',
] as const
export type LoadFault = (typeof loadFaults)[number]

/** A page's report about a release: it loaded, it failed to load, or it threw an uncaught error. */
export const observationKinds = ['loaded', ...loadFaults, 'error'] as const
export type ObservationKind = (typeof observationKinds)[number]

/** More than a page has to report at once. */
const maxObservations = 40

/**
 * One observation of a release by a page. It has no address, no message and no name, so it does not say who looked at
 * what.
 */
export const Observation = exact({
  part: PartName,
  releaseId: ReleaseId,
  what: v.picklist(observationKinds, `An observation is one of: ${observationKinds.join(', ')}.`),
  /** How long loading took, in milliseconds. */
  ms: v.optional(
    v.pipe(
      v.number('The time must be a number.'),
      v.integer('The time must be in whole milliseconds.'),
      v.minValue(0, 'Times are not negative.'),
      v.maxValue(600_000, 'This time is too long.'),
    ),
  ),
})
export type Observation = v.InferOutput<typeof Observation>

/**
 * Sent by pages in the background, even while they are being left. The server skips what it cannot count, because a
 * page has no use for an answer.
 */
export const report = endpoint({
  method: 'POST',
  path: '/Release/report',
  summary: 'What a page saw of the releases that it is made of, without saying who looked at what.',
  needs: 'nothing',
  bodyLimit: 8192,
  body: exact({
    seen: v.pipe(
      v.array(Observation, 'A list.'),
      v.minLength(1, 'The report is empty.'),
      v.maxLength(maxObservations, `A report has at most ${maxObservations} observations.`),
    ),
  }),
})

/** @deprecated since 1.1: `observationKinds`. */
export const sightings = observationKinds
/** @deprecated since 1.1: `Observation`. */
export const Seen = Observation
/** @deprecated since 1.1: `Observation`. */
export type Seen = Observation
/** @deprecated since 1.1: `ObservationKind`. */
export type Sighting = ObservationKind
