import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Instant, exact, maybe } from './fields.ts'
import { Canary, Kept, RegistryMove } from './release.ts'
import { PartName, ReleaseId } from './remote.ts'

export { activate, contract, getCallShape, getPart, judge, publish, sign, startCanary } from './releaseDoor.ts'
export { addDrawn, getHost } from './releaseDrawn.ts'
export { addMaps, listErrors, reportErrors } from './releaseErrors.ts'
export { getFigures, reportTimes, setBudgets } from './releaseFigures.ts'
export { getNotices, setNotices, switchNotices } from './releaseNotices.ts'
export { endPreviews, getPreview, listPreviews, openPreview, preview } from './releasePreview.ts'
export { report } from './releaseReport.ts'
export { addRound, getQuality, judgeRound } from './releaseRounds.ts'

const Text = v.string('Text.')
const Count = v.number('A number.')

/** The reports of pages about one release in the last 24 hours. */
export const ReleaseFigures = v.object({
  /** Pages that asked for it, whether it could be loaded or not. */
  pages: Count,
  /** Pages that could not load it. */
  failures: Count,
  /** Pages in which an error of it was not caught. */
  errors: Count,
  /** Failures and errors per page, 0 to 1; null where no page told anything. */
  badShare: maybe(Count),
  /** Three of four pages had loaded it after this many milliseconds; null where no page told. */
  loadMsP75: maybe(Count),
  /**
   * Failures that pages told of without anybody who may sign in: shown, and counted for nothing. Absent from servers
   * before contract 1.2.
   */
  strangers: v.optional(Count),
  /** Failures by their cause. */
  faults: v.array(v.object({ fault: Text, pages: Count }), 'A list.'),
})
export type ReleaseFigures = v.InferOutput<typeof ReleaseFigures>

/** One release that people get. */
export const ShownRelease = v.object({
  releaseId: ReleaseId,
  version: Text,
  commit: Text,
  publishedAt: Instant,
  /** The size of all its files, compressed. */
  brotliBytes: Count,
  /**
   * Since when people get it, and who decided it; `automatic` where the server did. Null where the history does not
   * reach so far back.
   */
  since: maybe(Instant),
  by: maybe(Text),
  figures: ReleaseFigures,
  /** Set where no server withdraws it by itself. */
  kept: v.optional(Kept),
})
export type ShownRelease = v.InferOutput<typeof ShownRelease>

export const ShownPart = v.object({
  name: PartName,
  /** The part's name on the screen. */
  title: Text,
  live: ShownRelease,
  /** The release that some people get in its place. */
  canary: maybe(v.object({ ...ShownRelease.entries, percent: Canary.entries.percent, users: Canary.entries.users })),
  /** The release that a rollback would make live; null where there is none. */
  before: maybe(v.object({ releaseId: ReleaseId, version: Text })),
  /**
   * Whether `live` came by a rollback, so that `before` is the release that was taken back. Absent from servers before
   * contract 1.3.
   */
  isRolledBack: v.optional(v.boolean('Yes or no.')),
  /** In a frame of its own, not in everybody's page. Absent from servers before contract 1.12, and of other parts. */
  isGuest: v.optional(v.boolean('Yes or no.')),
})
export type ShownPart = v.InferOutput<typeof ShownPart>

/** When the server takes a release back by itself (docs/operations.md has the settings). */
export const WatchRules = v.object({
  isOn: v.boolean('Yes or no.'),
  minutes: Count,
  pages: Count,
  percent: Count,
  times: Count,
  /** How many organizations must have met failures, where so many use it. Absent from servers before contract 1.2. */
  organizations: v.optional(Count),
})

export const ReleaseStatus = v.object({
  /** Of the registry: each move makes it one larger. */
  version: Count,
  parts: v.array(ShownPart, 'A list.'),
  watch: WatchRules,
})
export type ReleaseStatus = v.InferOutput<typeof ReleaseStatus>

/** The live releases, part by part: host, viewer, then the remotes by name. */
export const status = endpoint({
  method: 'GET',
  path: '/Release/status',
  summary: 'Live releases and canaries, with figures from real pages.',
  needs: may('Release', 'List'),
  answer: ReleaseStatus,
})

/** One move as a screen shows it; what people named in canaries are called stays out of it. */
export const ShownMove = v.object({
  version: Count,
  at: Instant,
  change: RegistryMove.entries.change,
  parts: v.array(PartName, 'A list.'),
  by: Text,
  reason: maybe(Text),
  percent: maybe(Count),
})
export type ShownMove = v.InferOutput<typeof ShownMove>

/** Newest first, at most 200. */
export const history = endpoint({
  method: 'GET',
  path: '/Release/history',
  summary: 'Every move of the release registry, newest first.',
  needs: may('Release', 'List'),
  answer: v.array(ShownMove, 'A list.'),
})

/** The part and its release as the viewer saw them; a change since then is refused with 409 CHANGED_MEANWHILE. */
const seen = { part: PartName, releaseId: ReleaseId }
const reason = v.optional(v.pipe(Text, v.maxLength(500, 'Please use at most 500 characters.')))

/** `releaseId` is the live release, which is taken back. */
export const rollback = endpoint({
  method: 'POST',
  path: '/Release/rollback',
  summary: 'Roll one part back to the release that was live before it.',
  needs: may('Release', 'Rollback'),
  isForMachines: true,
  body: exact({ ...seen, reason }),
})

/** `releaseId` is the canary; without `percent` to the next of 1, 10, 50 and 100, where it is live for everybody. */
export const promoteCanary = endpoint({
  method: 'POST',
  path: '/Release/promoteCanary',
  summary: 'Extend a canary to more users.',
  needs: may('Release', 'Canary'),
  isForMachines: true,
  body: exact({
    ...seen,
    percent: v.optional(
      v.pipe(
        v.number('percent is a number.'),
        v.gtValue(0, 'The share must be above 0.'),
        v.maxValue(100, 'percent ends at 100.'),
      ),
    ),
    reason,
  }),
})

/** `releaseId` is the canary. */
export const stopCanary = endpoint({
  method: 'POST',
  path: '/Release/stopCanary',
  summary: 'Take a canary back.',
  needs: may('Release', 'Canary'),
  isForMachines: true,
  body: exact({ ...seen, reason }),
})

/** `releaseId` is live or a canary. A kept release is not withdrawn by itself; people can still take it back. */
export const keep = endpoint({
  method: 'POST',
  path: '/Release/keep',
  summary: 'Mark a release so that no server withdraws it by itself, or end that.',
  needs: may('Release', 'Update'),
  body: exact({ ...seen, isKept: v.boolean('Yes or no.'), reason }),
})

/** `releaseId` is live. It holds for all releases of the part, and no token of a team says it. */
export const setTrust = endpoint({
  method: 'POST',
  path: '/Release/setTrust',
  summary: 'Let a part run in a frame of its own as a guest, or in everybody’s page.',
  needs: may('Release', 'Update'),
  body: exact({ ...seen, isGuest: v.boolean('Yes or no.'), reason }),
})
