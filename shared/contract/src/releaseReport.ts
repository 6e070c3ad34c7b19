import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { exact } from './fields.ts'
import { PartName, ReleaseId } from './remote.ts'

/** Why a release could not be loaded (`RemoteError` of the host tells them apart). */
export const loadFaults = [
  'http',
  'network',
  'timeout',
  'integrity',
  'evaluation',
  'chunk',
  'module',
  'contract',
] as const
export type LoadFault = (typeof loadFaults)[number]

/** The kinds of report on a release: it was loaded, it could not be loaded, or it raised an uncaught error. */
export const sightings = ['loaded', ...loadFaults, 'error'] as const
export type Sighting = (typeof sightings)[number]

/** More than one page reports at once: each of its parts once per kind. */
const most = 40

/**
 * One report of a page on one release. It has no address, message or name, so that it does not reveal who viewed
 * what.
 */
export const Seen = exact({
  part: PartName,
  releaseId: ReleaseId,
  what: v.picklist(sightings, `A page sees one of: ${sightings.join(', ')}.`),
  /** How long loading took, in milliseconds. */
  ms: v.optional(
    v.pipe(
      v.number('Give the time as a number.'),
      v.integer('Give the time in whole milliseconds.'),
      v.minValue(0, 'Times are not negative.'),
      v.maxValue(600_000, 'Nobody waits for that long.'),
    ),
  ),
})
export type Seen = v.InferOutput<typeof Seen>

/**
 * Pages send it in the background, even while they close. The server ignores reports that it cannot count, because a
 * page has no use for an error.
 */
export const report = endpoint({
  method: 'POST',
  path: '/Release/report',
  summary: 'What a page saw of the releases that it is made of, without saying who looked at what.',
  needs: 'nothing',
  bodyLimit: 8192,
  body: exact({
    seen: v.pipe(
      v.array(Seen, 'A list.'),
      v.minLength(1, 'There is nothing in it.'),
      v.maxLength(most, `A page says at most ${most} things at once.`),
    ),
  }),
})
