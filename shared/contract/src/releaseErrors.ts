import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Instant, atMost, exact, maybe } from './fields.ts'
import { limits } from './limits.ts'
import { FileName } from './release.ts'
import { PartName, ReleaseId } from './remote.ts'
import { longestMessage } from './safeMessage.ts'

const Text = v.string('Text.')
const Count = v.number('A number.')

const place = (most: number) =>
  v.pipe(v.number('A number.'), v.integer('A number.'), v.minValue(1, 'A number.'), v.maxValue(most, 'A number.'))

/** One place of a stack, in a file of the release; line and column count from 1, as browsers write them. */
export const ErrorFrame = exact({
  file: v.pipe(
    FileName,
    v.maxLength(200, () => atMost(200)),
  ),
  line: place(1_000_000),
  column: place(10_000_000),
})
export type ErrorFrame = v.InferOutput<typeof ErrorFrame>

/** Of one error, from the innermost on. */
export const mostFrames = 10
/** In one report. */
export const mostErrors = 5

/**
 * An error that a page did not expect, without addresses, names and what was typed (`toSafeMessage`); who saw it and
 * on which screen stays out of it.
 */
export const PageError = exact({
  part: PartName,
  releaseId: ReleaseId,
  /** The kind of error, such as `TypeError`. */
  name: v.pipe(Text, v.regex(/^[A-Z][A-Za-z]{1,45}$/, 'Text.')),
  message: v.pipe(
    Text,
    v.maxLength(longestMessage, () => atMost(longestMessage)),
  ),
  frames: v.pipe(v.array(ErrorFrame, 'A list.'), v.minLength(1, 'A list.'), v.maxLength(mostFrames, 'A list.')),
})
export type PageError = v.InferOutput<typeof PageError>

/**
 * Sent by pages in the background beside `report`, which alone decides about releases. The server skips what it cannot
 * count.
 */
export const reportErrors = endpoint({
  method: 'POST',
  path: '/Release/reportErrors',
  summary: 'Where errors of releases were thrown on a page, without saying who looked at what.',
  needs: 'nothing',
  bodyLimit: 16_384,
  body: exact({
    errors: v.pipe(
      v.array(PageError, 'A list.'),
      v.minLength(1, 'The report is empty.'),
      v.maxLength(mostErrors, 'A list.'),
    ),
  }),
})

/** A place in the sources of a part; in its script where the release has no map of that. */
export const SourcePlace = v.object({
  file: Text,
  line: Count,
  column: Count,
  /** What stands there; null where the map does not say. */
  name: maybe(Text),
})
export type SourcePlace = v.InferOutput<typeof SourcePlace>

/** Errors of one kind that were thrown at one place, in the last 30 days. */
export const ErrorGroup = v.object({
  id: Text,
  name: Text,
  message: Text,
  /** From the innermost on, as in the newest release that threw it. */
  stack: v.array(SourcePlace, 'A list.'),
  /** How often pages told of it. */
  reports: Count,
  /** The most people whose pages told of it within one day (UTC). */
  people: Count,
  firstDate: Instant,
  lastDate: Instant,
  releases: v.array(v.object({ releaseId: ReleaseId, version: Text, reports: Count }), 'A list.'),
  /** Family and first number of the version, such as `Firefox 145`. */
  browsers: v.array(v.object({ name: Text, reports: Count }), 'A list.'),
})
export type ErrorGroup = v.InferOutput<typeof ErrorGroup>

/** The newest first, at most `limits.errorGroupsPerPart`. */
export const listErrors = endpoint({
  method: 'GET',
  path: '/Release/listErrors',
  summary: 'Errors of one part on pages, grouped by their place in its sources.',
  needs: may('Release', 'Get'),
  isForMachines: true,
  query: exact({ part: PartName }),
  answer: v.array(ErrorGroup, 'A list.'),
})

/** Each map as gzip in base64; sources in it are left out. One that is there stays. */
export const addMaps = endpoint({
  method: 'PUT',
  path: '/Release/addMaps/:part/:releaseId',
  summary: 'Add source maps to a stored release, by which the server names sources in errors; nobody gets them.',
  needs: may('Release', 'Publish'),
  isForMachines: true,
  bodyLimit: limits.releaseBytes,
  params: exact({ part: PartName, releaseId: ReleaseId }),
  body: exact({
    maps: v.pipe(
      v.array(
        exact({
          script: v.pipe(
            FileName,
            v.maxLength(200, () => atMost(200)),
          ),
          map: Text,
        }),
        'A list.',
      ),
      v.minLength(1, 'A list.'),
      v.maxLength(limits.releaseFiles, 'A list.'),
    ),
  }),
})
