import type { Canary, Registry, RegistryMove, Release, ReleaseRef, Snapshot } from '@dmp/contract/release'
import { findIncompatibilities, type Incompatibility } from './preflight/compatibility.ts'
import {
  readRegistry,
  readRelease,
  readSnapshot,
  RegistryConflict,
  StoreError,
  swapRegistry,
  writeSnapshot,
  type ReleaseStore,
} from './store/ReleaseStore.ts'
import type { Verdict } from './preflight/verdicts.ts'

/** The releases cannot be live together; nothing was changed. */
export class ReleaseRefused extends Error {
  override readonly name = 'Refused'
  readonly incompatibilities: readonly Incompatibility[]
  /** What a trial saw, where there was one. */
  readonly verdict: Verdict | undefined

  constructor(found: readonly Incompatibility[], seen?: { readonly verdict: Verdict; readonly text: string }) {
    super(seen?.text ?? found.map(({ reason, cure }) => `${reason} ${cure}`).join('\n'))
    this.incompatibilities = found
    this.verdict = seen?.verdict
  }
}

export interface Author {
  readonly by: string
  readonly reason?: string
}

/** What people get: everybody the live snapshot, some people canaries in place of parts of it. */
export interface Rollout {
  readonly live: Snapshot
  readonly canaries: readonly Canary[]
}

export interface RegistryState {
  readonly registry: Registry
  readonly live: Snapshot
}

const maxHistory = 200
const maxAttempts = 20

/** Decides on what there is now, and decides again when somebody else was faster. Answers the registry unchanged where the decision changes nothing. */
export async function move(
  store: ReleaseStore,
  author: Author,
  change: RegistryMove['change'],
  decide: (before: RegistryState | undefined) => Rollout | Promise<Rollout>,
): Promise<Registry> {
  for (let attempt = 1; ; attempt += 1) {
    const registry = await readRegistry(store)
    const before = registry && { registry, live: await readSnapshot(store, registry.live) }
    const next = await decide(before)
    const parts = changedParts(before?.live, next.live)
    const canaries = changedCanaries(registry?.canaries ?? [], next.canaries)
    if (registry && parts.length + canaries.length === 0) return registry
    await assertCompatible(store, next)
    try {
      return await commit(store, registry, next, {
        change,
        parts: [...new Set([...parts, ...canaries.map(({ name }) => name)])],
        author,
        canary: canaries[0],
      })
    } catch (error) {
      if (!(error instanceof RegistryConflict) || attempt === maxAttempts) throw error
    }
  }
}

interface MoveDetails {
  readonly change: RegistryMove['change']
  readonly parts: string[]
  readonly author: Author
  readonly canary: Canary | undefined
}

async function commit(
  store: ReleaseStore,
  before: Registry | undefined,
  { live, canaries }: Rollout,
  { change, parts, author, canary }: MoveDetails,
): Promise<Registry> {
  const snapshot = await writeSnapshot(store, live)
  const version = (before?.version ?? 0) + 1
  const entry: RegistryMove = {
    version,
    snapshot,
    change,
    parts,
    by: author.by,
    at: new Date().toISOString(),
    ...(author.reason === undefined ? {} : { reason: author.reason }),
    ...(canary === undefined ? {} : { canary }),
  }
  const next: Registry = {
    version,
    live: snapshot,
    ...(canaries.length === 0 ? {} : { canaries: [...canaries] }),
    history: [entry, ...(before?.history ?? [])].slice(0, maxHistory),
  }
  await swapRegistry(store, next)
  return next
}

/**
 * Requirements hold between two parts at a time. So every mixture of canaries that somebody may get fits together when each
 * fits what is live, and all fit one another.
 */
async function assertCompatible(store: ReleaseStore, { live, canaries }: Rollout): Promise<void> {
  const mixtures = [
    live,
    ...canaries.map((canary) => applyCanaries(live, [canary])),
    ...(canaries.length > 1 ? [applyCanaries(live, canaries)] : []),
  ]
  for (const mixture of mixtures) {
    const found = await checkCompatibility(store, mixture)
    if (found.length > 0) throw new ReleaseRefused(found)
  }
}

/** What speaks against the releases of a snapshot being live together. */
export async function checkCompatibility(store: ReleaseStore, { host, remotes }: Snapshot): Promise<Incompatibility[]> {
  const all: Release[] = await Promise.all([host, ...remotes].map((ref) => readRelease(store, ref.name, ref.releaseId)))
  return findIncompatibilities(all[0]!, all.slice(1))
}

/** The snapshot of somebody who gets these canaries. The live release is what a page falls back to. */
export const applyCanaries = (live: Snapshot, canaries: readonly Canary[]): Snapshot => replaceReleases(live, canaries)

/** A snapshot with other releases; the release that each takes the place of is noted as the one to fall back to. */
export function replaceReleases(
  live: Snapshot | undefined,
  parts: readonly ReleaseRef[],
  remove: readonly string[] = [],
): Snapshot {
  const before = new Map((live ? partsOf(live) : []).map((ref) => [ref.name, ref]))
  const after = new Map([...before].filter(([name]) => !remove.includes(name)))
  for (const { name, releaseId } of parts) {
    const old = before.get(name)
    if (old?.releaseId !== releaseId)
      after.set(name, { name, releaseId, ...(old === undefined ? {} : { previous: old.releaseId }) })
  }
  const host = after.get('host')
  if (host === undefined) throw new StoreError('No host is live and none is being activated. Activate a host first.')
  const viewer = after.get('viewer')
  const remotes = [...after.values()]
    .filter((ref) => ref.name.startsWith('remote-'))
    .sort((a, b) => a.name.localeCompare(b.name))
  return { host, remotes, ...(viewer === undefined ? {} : { viewer }) }
}

/** Every release that a snapshot names. */
export const partsOf = (snapshot: Snapshot): ReleaseRef[] => [
  snapshot.host,
  ...snapshot.remotes,
  ...(snapshot.viewer ? [snapshot.viewer] : []),
]

function changedParts(before: Snapshot | undefined, after: Snapshot): string[] {
  const old = new Map((before ? partsOf(before) : []).map((ref) => [ref.name, ref.releaseId]))
  const now = new Map(partsOf(after).map((ref) => [ref.name, ref.releaseId]))
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name))
}

/** Canaries that are new or other than before, then those that are gone. */
function changedCanaries(before: readonly Canary[], after: readonly Canary[]): Canary[] {
  const text = new Set(before.map((canary) => JSON.stringify(canary)))
  return [
    ...after.filter((canary) => !text.has(JSON.stringify(canary))),
    ...before.filter(({ name }) => after.every((canary) => canary.name !== name)),
  ]
}
