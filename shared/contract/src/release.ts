import * as v from 'valibot'
import { Override } from './override.ts'
import { Declaration, PartName, ReleaseId, VersionRange } from './remote.ts'

export const SnapshotId = v.pipe(
  v.string('The snapshot must be text.'),
  v.regex(/^[0-9a-f]{16}$/, 'A snapshot is named by 16 hexadecimal digits.'),
)
const Integrity = v.pipe(
  v.string('The integrity must be text.'),
  v.regex(/^sha384-[A-Za-z0-9+/]{64}$/, 'Integrity is a sha384 value.'),
)
const Bytes = v.pipe(
  v.number('Sizes are numbers of bytes.'),
  v.integer('Sizes are whole bytes.'),
  v.minValue(0, 'Sizes are not negative.'),
)
const Instant = v.pipe(v.string('The instant must be text.'), v.isoTimestamp('The instant must be in ISO 8601 format.'))
export const FileName = v.pipe(
  v.string('The file must be text.'),
  v.regex(
    /^[A-Za-z0-9_@-][A-Za-z0-9_.@-]*(?:\/[A-Za-z0-9_@-][A-Za-z0-9_.@-]*)*$/,
    'A file is named by a relative path without dots as segments.',
  ),
)

/** One file of a release: its hash, and its size as it is and as it travels. */
export const ReleaseFile = v.strictObject({
  path: FileName,
  integrity: Integrity,
  bytes: Bytes,
  gzip: Bytes,
  brotli: Bytes,
})
export type ReleaseFile = v.InferOutput<typeof ReleaseFile>

/** A build's description of itself, beside its files (`dist/build.json`). */
export const BuildRecord = v.strictObject({
  name: PartName,
  /** Absent for the viewer, which owns no route of the host. */
  declaration: v.optional(Declaration),
  /** The script that starts the part: the host's main script or the remote's container. */
  entry: FileName,
  /** Further files that the page needs at once (host: styles; loaded as tags). */
  initial: v.array(FileName, 'initial is a list.'),
  /**
   * Files by module: for a remote per exposed module (`./App`) and per screen that comes apart from it
   * (`./App/worklist`, by its segment of the address), for the host per lazily loaded shared module (`@dmp/kit/table`).
   */
  chunks: v.record(v.string('A chunk group is named by text.'), v.array(FileName, 'chunks are lists.')),
  /**
   * Per exposed module: the lazily loaded shared modules that it takes from the host, so that the page can load them
   * at once.
   */
  uses: v.record(
    v.string('An exposed module is named by text.'),
    v.array(v.string('A shared module is named by text.'), 'uses are lists.'),
  ),
  /** Shared modules that a host provides to remotes: module → version. Empty for remotes. */
  provides: v.record(v.string('A module is named by text.'), v.string('A version is text.')),
  /** Shared modules that a remote takes from the host: module → range. Empty for the host. */
  consumes: v.record(v.string('A module is named by text.'), VersionRange),
})
export type BuildRecord = v.InferOutput<typeof BuildRecord>

/** One immutable, content-addressed build of a part (`release.json`). */
export const Release = v.strictObject({
  ...BuildRecord.entries,
  releaseId: ReleaseId,
  files: v.array(ReleaseFile, 'files is a list.'),
  /** The source commit it was first published from, and whether the tree had changes. */
  commit: v.string('The commit must be text.'),
  publishedAt: Instant,
})
export type Release = v.InferOutput<typeof Release>

export const ReleaseRef = v.strictObject({
  name: PartName,
  releaseId: ReleaseId,
  /** The release that a page falls back to when this one cannot be loaded. */
  previous: v.optional(ReleaseId),
})
export type ReleaseRef = v.InferOutput<typeof ReleaseRef>

/** The exact release of the host and of every remote. Named by its content, never changed. */
export const Snapshot = v.strictObject({
  host: ReleaseRef,
  remotes: v.array(ReleaseRef, 'remotes is a list.'),
  viewer: v.optional(ReleaseRef),
  /** The parts that run in a frame of their own, whatever their releases declare; some may not be live yet. */
  guests: v.optional(v.array(PartName, 'guests is a list.')),
})
export type Snapshot = v.InferOutput<typeof Snapshot>

const Change = v.picklist(
  ['activate', 'rollback', 'canary', 'promote', 'stop'],
  'A change is activate, rollback, canary, promote or stop.',
)

/** A release of one part that some people get in place of the live one. */
export const Canary = v.strictObject({
  name: PartName,
  releaseId: ReleaseId,
  /** Share of users, 0 to 100. Users at a lower share keep the canary at a higher one. */
  percent: v.pipe(
    v.number('percent is a number.'),
    v.minValue(0, 'percent starts at 0.'),
    v.maxValue(100, 'percent ends at 100.'),
  ),
  /** Email addresses of people who get the canary whatever the share. */
  users: v.array(v.string('A user is text.'), 'users is a list.'),
})
export type Canary = v.InferOutput<typeof Canary>

/** The mark of a release that the server does not withdraw by itself. */
export const Kept = v.strictObject({
  by: v.string('The author must be text.'),
  at: Instant,
  reason: v.optional(v.string('The reason must be text.')),
})
export type Kept = v.InferOutput<typeof Kept>

/** One move of the registry's pointer. */
export const RegistryMove = v.strictObject({
  version: Bytes,
  snapshot: SnapshotId,
  change: Change,
  /** The parts that the move changed. */
  parts: v.array(PartName, 'parts is a list.'),
  by: v.string('The author must be text.'),
  at: Instant,
  reason: v.optional(v.string('The reason must be text.')),
  /** The canary as the move left it, or as it was when the move stopped it. */
  canary: v.optional(Canary),
  /** The hash of the move before (`hashMove` of the release package). Absent from servers before contract 1.11. */
  previous: v.optional(v.string('Text.')),
})
export type RegistryMove = v.InferOutput<typeof RegistryMove>

/**
 * The only document that changes: the live snapshot, and who gets a newer one. Replaced by compare-and-set on
 * `version`.
 */
export const Registry = v.strictObject({
  version: Bytes,
  live: SnapshotId,
  /** At most one of each part. */
  canaries: v.optional(v.array(Canary, 'canaries is a list.')),
  /** Newest first. */
  history: v.array(RegistryMove, 'history is a list.'),
})
export type Registry = v.InferOutput<typeof Registry>

/** Where a page gets one release of a remote from. */
export const RemoteSource = v.strictObject({
  releaseId: ReleaseId,
  /** URL path of the container script. */
  entry: v.string('The entry must be text.'),
  integrity: Integrity,
  /** The languages besides English that the release has texts for (`texts/de.json`). */
  languages: v.optional(v.array(v.string('A language is text.'), 'languages is a list.')),
})
export type RemoteSource = v.InferOutput<typeof RemoteSource>

/**
 * A snapshot inside the page (`#dmp-snapshot`): everything that the host needs to load remotes without another
 * request.
 */
export const PageSnapshot = v.strictObject({
  id: SnapshotId,
  host: ReleaseId,
  remotes: v.array(
    v.strictObject({
      ...RemoteSource.entries,
      declaration: Declaration,
      previous: v.optional(RemoteSource),
      /** Present where the part runs in a frame of its own: the calls that the page makes for it. */
      guest: v.optional(v.strictObject({ calls: v.array(v.string('Must be text.'), 'calls is a list.') })),
    }),
    'remotes is a list.',
  ),
  /**
   * Files that have their address from an earlier release, because they are the same there: by part and by that
   * release, their names without the hash that a build gave them (`749.js`, `texts/de.json`).
   */
  since: v.optional(
    v.record(PartName, v.record(ReleaseId, v.array(v.string('The file must be text.'), 'files is a list.'))),
  ),
  /** The overrides of this browser. */
  overrides: v.optional(v.array(Override, 'overrides is a list.')),
  /** The server of release files, if it is not the page's own. */
  releases: v.optional(v.string('The address must be text.')),
})
export type PageSnapshot = v.InferOutput<typeof PageSnapshot>
export type RemoteOnPage = PageSnapshot['remotes'][number]
