import path from 'node:path'
import { build } from '@dmp/build/build'
import { parts } from '@dmp/build/workspace'
import type { Registry, Release, ReleaseRef, Snapshot } from '@dmp/contract/release'
import type { Refusal } from '../compatibility.ts'
import { Refused, refusalsOf, replaced, type Author } from '../move.ts'
import { publish } from '../publish.ts'
import { sourceCommit } from '../publishAll.ts'
import { readRegistry, readRelease, readSnapshot, StoreError, type Store } from '../store.ts'

/** What would be live if the release became so, for trying it in a browser first. */
export interface Candidate {
  readonly store: Store
  readonly snapshot: Snapshot
  /** The releases that are not live yet. */
  readonly changed: readonly ReleaseRef[]
}

/** What a trial found; no refusals when the candidate was seen working. */
export interface TrialVerdict {
  readonly refusals: readonly Refusal[]
  /** One sentence on what was seen, for people. */
  readonly seen?: string
}

/** Tries a candidate in a browser. */
export type Trial = (candidate: Candidate) => Promise<TrialVerdict>

/** What was typed, and what the command works on. */
export interface Words {
  readonly part: string | undefined
  readonly store: Store
  readonly author: Author
  readonly percent: number | undefined
  readonly users: readonly string[]
  readonly isStop: boolean
  readonly isPromote: boolean
  readonly release: string | undefined
  readonly trial: Trial | undefined
}

/** What a command answers: one value for pipelines, one text for people. */
export interface Outcome {
  readonly json: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface Command {
  /** As it is typed. */
  readonly usage: string
  readonly about: string
  run(words: Words): Promise<Outcome>
}

/** A release in a few words. */
export function briefly({ name, releaseId, files, commit, publishedAt, declaration }: Release) {
  return { name, releaseId, version: declaration?.version ?? '', commit, publishedAt, files: files.length, brotliBytes: files.reduce((sum, { brotli }) => sum + brotli, 0) }
}

/** The release that the command is about: the one named with `--release`, else this checkout's, built and published. */
export async function releaseAt({ part, store, release }: Words): Promise<Release> {
  const found = parts().find(({ name }) => name === part)
  if (found === undefined) throw new StoreError(`Name a part: ${parts().map(({ name }) => name).join(', ')}.`)
  if (release !== undefined) return readRelease(store, found.name, release)
  await build({ only: [found.name] })
  return publish(store, path.join(found.folder, 'dist'), { commit: sourceCommit() })
}

/** Throws `Refused` when the release could not become live now: by what it declares first, then by what a browser shows. */
export async function assertFits({ store, trial }: Words, { name, releaseId }: ReleaseRef): Promise<string | undefined> {
  const { live } = await liveOf(store)
  const snapshot = replaced(live, [{ name, releaseId }])
  const found = await refusalsOf(store, snapshot)
  if (found.length > 0) throw new Refused(found)
  const verdict = await trial?.({ store, snapshot, changed: [{ name, releaseId }] })
  if (verdict && verdict.refusals.length > 0) throw new Refused(verdict.refusals)
  return verdict?.seen
}

/** The registry, and the snapshot that is live. */
export async function liveOf(store: Store): Promise<{ registry: Registry; live: Snapshot }> {
  const registry = await readRegistry(store)
  if (registry === undefined) throw new StoreError('Nothing is live in this store yet. Run npm run build first.')
  return { registry, live: await readSnapshot(store, registry.live) }
}

/** What a move of the registry left, for pipelines. */
export const moved = ({ version, live, canaries = [], history }: Registry) => ({ version, snapshot: live, move: history[0] ?? null, canaries })
