import path from 'node:path'
import { build } from '@dmp/build/build'
import { listParts } from '@dmp/build/workspace'
import type { Registry, Release, ReleaseRef, Snapshot } from '@dmp/contract/release'
import { drawWithLive } from '../drawn/drawPages.ts'
import { endKeeping, keepRelease } from '../kept.ts'
import { checkCompatibility, listReleaseRefs, replaceReleases, type Author } from '../move.ts'
import { ReleaseRefused } from '../ReleaseRefused.ts'
import { toIncompatibilities } from '../preflight/preflight.ts'
import { formatVerdict, type Verdict } from '../preflight/verdicts.ts'
import { publish } from '../publish.ts'
import { sourceCommit } from '../publishAll.ts'
import { readBuild } from '../readBuild.ts'
import type { Signer } from '../signing/keyPair.ts'
import { assertTrusted } from '../signing/signatures.ts'
import { readRegistry, readRelease, readSnapshot, StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'

/** The composition with the release live, so that it can be tried in a browser first. */
export interface Candidate {
  readonly store: ReleaseStore
  readonly snapshot: Snapshot
  /** The releases that are not live yet. */
  readonly changed: readonly ReleaseRef[]
  readonly by: string
  /** Try again even if there is a verdict already. */
  readonly isAfresh: boolean
}

/** Tries a candidate: its declaration, its files, and its journeys in a browser. */
export type Preflight = (candidate: Candidate) => Promise<Verdict>

/** The command line, with the store opened. */
export interface CommandOptions {
  readonly part: string | undefined
  readonly store: ReleaseStore
  readonly author: Author
  readonly percent: number | undefined
  readonly users: readonly string[]
  readonly isStop: boolean
  readonly isPromote: boolean
  /** Marks the release as one that no server withdraws by itself, or ends that; left alone where undefined. */
  readonly isKept?: boolean | undefined
  readonly releaseId: string | undefined
  /** Releases of other parts that are checked, and go live, in the same move. */
  readonly others?: readonly ReleaseRef[]
  /** The folder of a finished build that is taken instead of building. */
  readonly from?: string | undefined
  /** The team's key, which signs what is published. */
  readonly signer?: Signer | undefined
  /** `key`: the name of a key, its public half, and where a new private one is written. */
  readonly key?: {
    readonly name?: string | undefined
    readonly publicKey?: string | undefined
    readonly file?: string | undefined
  }
  readonly preflight: Preflight | undefined
  /** `preview`: how long, of which change, as Markdown, or to its end. */
  readonly days?: number | undefined
  readonly change?: string | undefined
  readonly isSummary?: boolean
  readonly isEnd?: boolean
  /** `history`: the file that is written, or checked, and one of before that the checked one has to go on from. */
  readonly exportTo?: string | undefined
  readonly verify?: string | undefined
  readonly earlier?: string | undefined
  /** `figures`: how long people may wait. */
  readonly budget?: string | undefined
  /** `notices`: on or off. */
  readonly isOn?: boolean | undefined
  /** `trust`: in a frame of its own, or in the page. */
  readonly trust?: 'guest' | 'page' | undefined
  /** The address of the deployment that reads this store, as far as it is known. */
  readonly address?: string | undefined
  /** Why the release goes live without a preflight; for emergencies. */
  readonly unchecked: string | undefined
}

/** A command returns a value for pipelines and a text for people. */
export interface CommandResult {
  readonly json: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface Command {
  /** As it is typed. */
  readonly usage: string
  readonly about: string
  run(options: CommandOptions): Promise<CommandResult>
}

/** The facts about a release that people and pipelines read. */
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

/**
 * The release that the command works on: the one given with `--release`, otherwise this checkout, built and published.
 */
export async function getRelease(options: CommandOptions): Promise<Release> {
  const { part: name, store, releaseId, signer } = options
  // A stored release needs no sources here: it may be another team's.
  if (name !== undefined && releaseId !== undefined) return readRelease(store, name, releaseId)
  const release = await publish(store, await findBuild(options), { commit: sourceCommit(), signer })
  await drawWithLive(store, release, { signer, log: console.warn })
  return release
}

/** The folder of a finished build: the one that was named, or that of the part whose sources are here. */
export async function findBuild({ part: name, from }: CommandOptions): Promise<string> {
  if (from !== undefined) {
    const { record } = await readBuild(from)
    if (name === undefined || record.name === name) return from
    throw new StoreError(`${from} is a build of ${record.name}, not of ${name}.`)
  }
  const all = listParts()
  const part = all.find((candidate) => candidate.name === name)
  if (part === undefined)
    throw new StoreError(
      `Name a part whose sources are here: ${all.map((candidate) => candidate.name).join(', ')}. Of another one, name a release of the store as well: --release <id>, or a finished build: --from <folder>.`,
    )
  await build({ only: [part.name] })
  return path.join(part.folder, 'dist')
}

/** The verdict on a release, if there is one, and how a command words it. */
export interface FitReport {
  readonly verdict: Verdict | null
  readonly text: string
}

/**
 * Throws `ReleaseRefused` when the release could not go live now. An earlier verdict beside the very same releases
 * counts, unless `isAfresh`.
 */
export async function assertFits(
  { store, preflight, author, unchecked, others = [] }: CommandOptions,
  release: ReleaseRef,
  isAfresh = false,
): Promise<FitReport> {
  const candidates = [release, ...others].map(({ name, releaseId }) => ({ name, releaseId }))
  await assertTrusted(store, candidates)
  const { live } = await getLive(store)
  const liveIds = new Map(listReleaseRefs(live).map(({ name, releaseId }) => [name, releaseId]))
  const changed = candidates.filter(({ name, releaseId }) => isAfresh || liveIds.get(name) !== releaseId)
  if (changed.length === 0) return { verdict: null, text: 'Nothing to check: this release is already live.' }
  const snapshot = replaceReleases(live, candidates)
  if (preflight === undefined || unchecked !== undefined) {
    const incompatibilities = await checkCompatibility(store, snapshot)
    if (incompatibilities.length > 0) throw new ReleaseRefused(incompatibilities)
    return { verdict: null, text: `Not checked in a browser${unchecked === undefined ? '' : `: ${unchecked}`}.` }
  }
  const verdict = await preflight({ store, snapshot, changed, by: author.by, isAfresh })
  const text = formatVerdict(verdict)
  if (!verdict.passed) throw new ReleaseRefused(toIncompatibilities(verdict), { verdict, text })
  return { verdict, text }
}

/** Who moves the registry and why. The history also says so when a release was not checked. */
export function toAuthor({ author, unchecked }: CommandOptions): Author {
  return unchecked === undefined
    ? author
    : { ...author, reason: [author.reason, `unchecked: ${unchecked}`].filter(Boolean).join('; ') }
}

/** Marks a release as the command line says, and says so. */
export async function markKept(
  { store, author, isKept }: CommandOptions,
  release: Pick<ReleaseRef, 'name' | 'releaseId'>,
): Promise<string[]> {
  if (isKept === undefined) return []
  await (isKept ? keepRelease(store, release, author) : endKeeping(store, release))
  return [
    isKept
      ? `It is kept: no server withdraws it by itself. To end that: npm run release -- ${release.name} --release ${release.releaseId} --no-keep`
      : 'It is no longer kept: servers withdraw it by themselves when it fails on pages.',
  ]
}

/** The registry and the live snapshot. */
export async function getLive(store: ReleaseStore): Promise<{ registry: Registry; live: Snapshot }> {
  const registry = await readRegistry(store)
  if (registry === undefined) throw new StoreError('Nothing is live in this store yet. Run npm run build first.')
  return { registry, live: await readSnapshot(store, registry.live) }
}

/** The registry after a move, for pipelines. */
export const summarizeMove = ({ version, live, canaries = [], history }: Registry) => ({
  version,
  snapshot: live,
  move: history[0] ?? null,
  canaries,
})
