import type { Canary, Registry, RegistryMove, Release, ReleaseRef, Snapshot } from '@dmp/contract/release'
import { refusals, type Refusal } from './compatibility.ts'
import {
  readRegistry,
  readRelease,
  readSnapshot,
  RegistryConflict,
  StoreError,
  swapRegistry,
  writeSnapshot,
  type Store,
} from './store.ts'
import type { Verdict } from './verdicts.ts'

/** The releases cannot be live together; nothing was changed. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusals: readonly Refusal[]
  /** What a trial saw, where there was one. */
  readonly verdict: Verdict | undefined

  constructor(found: readonly Refusal[], seen?: { readonly verdict: Verdict; readonly text: string }) {
    super(seen?.text ?? found.map(({ reason, cure }) => `${reason} ${cure}`).join('\n'))
    this.refusals = found
    this.verdict = seen?.verdict
  }
}

export interface Author {
  readonly by: string
  readonly reason?: string
}

/** What people get: everybody the live snapshot, some people canaries in place of parts of it. */
export interface Deal {
  readonly live: Snapshot
  readonly canaries: readonly Canary[]
}

export interface Before {
  readonly registry: Registry
  readonly live: Snapshot
}

const historyLength = 200
const attempts = 20

/**
 * Decides on what there is now, and decides again when somebody else was faster. Answers the registry unchanged where
 * the decision changes nothing.
 */
export async function move(
  store: Store,
  author: Author,
  change: RegistryMove['change'],
  decide: (before: Before | undefined) => Deal | Promise<Deal>,
): Promise<Registry> {
  for (let attempt = 1; ; attempt += 1) {
    const registry = await readRegistry(store)
    const before = registry && { registry, live: await readSnapshot(store, registry.live) }
    const next = await decide(before)
    const parts = changedParts(before?.live, next.live)
    const canaries = changedCanaries(registry?.canaries ?? [], next.canaries)
    if (registry && parts.length + canaries.length === 0) return registry
    await check(store, next)
    try {
      return await commit(store, registry, next, {
        change,
        parts: [...new Set([...parts, ...canaries.map(({ name }) => name)])],
        author,
        canary: canaries[0],
      })
    } catch (error) {
      if (!(error instanceof RegistryConflict) || attempt === attempts) throw error
    }
  }
}

interface What {
  readonly change: RegistryMove['change']
  readonly parts: string[]
  readonly author: Author
  readonly canary: Canary | undefined
}

async function commit(
  store: Store,
  before: Registry | undefined,
  { live, canaries }: Deal,
  { change, parts, author, canary }: What,
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
    history: [entry, ...(before?.history ?? [])].slice(0, historyLength),
  }
  await swapRegistry(store, next)
  return next
}

/**
 * Requirements hold between two parts at a time. So every mixture of canaries that somebody may get fits together when
 * each fits what is live, and all fit one another.
 */
async function check(store: Store, { live, canaries }: Deal): Promise<void> {
  const mixtures = [
    live,
    ...canaries.map((canary) => withCanaries(live, [canary])),
    ...(canaries.length > 1 ? [withCanaries(live, canaries)] : []),
  ]
  for (const mixture of mixtures) {
    const found = await refusalsOf(store, mixture)
    if (found.length > 0) throw new Refused(found)
  }
}

/** What speaks against the releases of a snapshot being live together. */
export async function refusalsOf(store: Store, { host, remotes }: Snapshot): Promise<Refusal[]> {
  const all: Release[] = await Promise.all([host, ...remotes].map((ref) => readRelease(store, ref.name, ref.releaseId)))
  return refusals(all[0]!, all.slice(1))
}

/** The snapshot of somebody who gets these canaries. The live release is what a page falls back to. */
export const withCanaries = (live: Snapshot, canaries: readonly Canary[]): Snapshot => replaced(live, canaries)

/** A snapshot with other releases; the release that each takes the place of is noted as the one to fall back to. */
export function replaced(
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
