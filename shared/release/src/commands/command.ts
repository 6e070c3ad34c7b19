import path from 'node:path'
import { build } from '@dmp/build/build'
import { listParts } from '@dmp/build/workspace'
import type { Registry, Release, ReleaseRef, Snapshot } from '@dmp/contract/release'
import { toIncompatibilities } from '../preflight/preflight.ts'
import { partsOf, ReleaseRefused, checkCompatibility, replaceReleases, type Author } from '../move.ts'
import { publish } from '../publish.ts'
import { sourceCommit } from '../publishAll.ts'
import { readRegistry, readRelease, readSnapshot, StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'
import { formatVerdict, type Verdict } from '../preflight/verdicts.ts'

/** What would be live if the release became so, for trying it in a browser first. */
export interface Candidate {
  readonly store: ReleaseStore
  readonly snapshot: Snapshot
  /** The releases that are not live yet. */
  readonly changed: readonly ReleaseRef[]
  readonly by: string
  /** Tried even where it was tried before. */
  readonly isAfresh: boolean
}

/** Tries a candidate: what it declares, its files, and its journeys in a browser. */
export type Preflight = (candidate: Candidate) => Promise<Verdict>

/** What was typed, and what the command works on. */
export interface CommandOptions {
  readonly part: string | undefined
  readonly store: ReleaseStore
  readonly author: Author
  readonly percent: number | undefined
  readonly users: readonly string[]
  readonly isStop: boolean
  readonly isPromote: boolean
  readonly releaseId: string | undefined
  readonly preflight: Preflight | undefined
  /** Why it goes live untried; for emergencies. */
  readonly unchecked: string | undefined
}

/** What a command answers: one value for pipelines, one text for people. */
export interface CommandResult {
  readonly json: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface Command {
  /** As it is typed. */
  readonly usage: string
  readonly about: string
  run(words: CommandOptions): Promise<CommandResult>
}

/** A release in a few words. */
export function summarize({ name, releaseId, files, commit, publishedAt, declaration }: Release) {
  return {
    name,
    releaseId,
    version: declaration?.version ?? '',
    commit,
    publishedAt,
    files: files.length,
    brotliBytes: files.reduce((sum, { brotli }) => sum + brotli, 0),
  }
}

/** The release that the command is about: the one named with `--release`, else this checkout's, built and published. */
export async function getRelease({ part, store, releaseId }: CommandOptions): Promise<Release> {
  const found = listParts().find(({ name }) => name === part)
  if (found === undefined)
    throw new StoreError(
      `Name a part: ${listParts()
        .map(({ name }) => name)
        .join(', ')}.`,
    )
  if (releaseId !== undefined) return readRelease(store, found.name, releaseId)
  await build({ only: [found.name] })
  return publish(store, path.join(found.folder, 'dist'), { commit: sourceCommit() })
}

/** What was seen of a release, for a command's answer. */
export interface FitReport {
  readonly verdict: Verdict | null
  readonly text: string
}

/**
 * Throws `Refused` when the release could not become live now. Where it was tried before beside the very same releases, that
 * verdict counts, unless `isAfresh`.
 */
export async function assertFits(
  { store, preflight, author, unchecked }: CommandOptions,
  { name, releaseId }: ReleaseRef,
  isAfresh = false,
): Promise<FitReport> {
  const { live } = await getLive(store)
  if (!isAfresh && partsOf(live).some((ref) => ref.name === name && ref.releaseId === releaseId))
    return { verdict: null, text: 'Nothing to try: it is what is live.' }
  const snapshot = replaceReleases(live, [{ name, releaseId }])
  if (preflight === undefined || unchecked !== undefined) {
    const found = await checkCompatibility(store, snapshot)
    if (found.length > 0) throw new ReleaseRefused(found)
    return { verdict: null, text: `Not tried in a browser${unchecked === undefined ? '' : `: ${unchecked}`}.` }
  }
  const verdict = await preflight({ store, snapshot, changed: [{ name, releaseId }], by: author.by, isAfresh })
  if (!verdict.passed) throw new ReleaseRefused(toIncompatibilities(verdict), { verdict, text: formatVerdict(verdict) })
  return { verdict, text: formatVerdict(verdict) }
}

/** Who moves the registry and why; a release that was not tried says so in the history. */
export function toAuthor({ author, unchecked }: CommandOptions): Author {
  return unchecked === undefined
    ? author
    : { ...author, reason: [author.reason, `unchecked: ${unchecked}`].filter(Boolean).join('; ') }
}

/** The registry, and the snapshot that is live. */
export async function getLive(store: ReleaseStore): Promise<{ registry: Registry; live: Snapshot }> {
  const registry = await readRegistry(store)
  if (registry === undefined) throw new StoreError('Nothing is live in this store yet. Run npm run build first.')
  return { registry, live: await readSnapshot(store, registry.live) }
}

/** What a move of the registry left, for pipelines. */
export const summarizeMove = ({ version, live, canaries = [], history }: Registry) => ({
  version,
  snapshot: live,
  move: history[0] ?? null,
  canaries,
})
