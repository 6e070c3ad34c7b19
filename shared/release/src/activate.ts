import type { Registry, RegistryMove, ReleaseRef, Snapshot } from '@dmp/contract/release'
import { refusals, type Refusal } from './compatibility.ts'
import { readRegistry, readRelease, readSnapshot, RegistryConflict, StoreError, swapRegistry, writeSnapshot, type Store } from './store.ts'

/** The releases cannot be live together; nothing was changed. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusals: readonly Refusal[]

  constructor(found: readonly Refusal[]) {
    super(found.map(({ reason, cure }) => `${reason} ${cure}`).join('\n'))
    this.refusals = found
  }
}

export interface Author {
  readonly by: string
  readonly reason?: string
}

const historyLength = 200
const attempts = 20

/**
 * Makes releases live, together and at once. What is not named stays as it is; the release that was live before is noted
 * as the one to fall back to. Answers the registry as it is afterwards, unchanged when everything named was live already.
 *
 * @param change.remove names of remotes that shall no longer be live
 * @throws Refused when the result cannot work together
 */
export function activate(store: Store, change: { readonly parts: readonly ReleaseRef[]; readonly remove?: readonly string[] }, author: Author): Promise<Registry> {
  return move(store, author, 'activate', (live) => replaced(live, change.parts, change.remove ?? []))
}

/**
 * Goes back to the snapshot that was live before, or, with `part`, puts only that part back to its release before.
 * Both are a step forward in the registry's history: rolling back twice returns.
 */
export function rollback(store: Store, author: Author & { readonly part?: string }): Promise<Registry> {
  return move(store, author, 'rollback', (live, registry) => {
    const earlier = registry?.history.slice(1).map((entry) => readSnapshot(store, entry.snapshot)) ?? []
    if (live === undefined || earlier.length === 0) throw new StoreError('There is nothing to roll back to: nothing else was live before.')
    if (author.part === undefined) return earlier[0]!
    const now = partsOf(live).find((ref) => ref.name === author.part)
    const before = earlier.flatMap(partsOf).find((ref) => ref.name === author.part && ref.releaseId !== now?.releaseId)
    if (before === undefined) throw new StoreError(`There is nothing to roll ${author.part} back to: no other release of it was live before.`)
    return replaced(live, [before], [])
  })
}

type Decide = (live: Snapshot | undefined, registry: Registry | undefined) => Snapshot

/** Decides on what is live now, and decides again when somebody else was faster. */
async function move(store: Store, author: Author, change: RegistryMove['change'], decide: Decide): Promise<Registry> {
  for (let attempt = 1; ; attempt += 1) {
    const registry = readRegistry(store)
    const live = registry && readSnapshot(store, registry.live)
    const next = decide(live, registry)
    if (registry && live && sameReleases(live, next)) return registry
    check(store, next)
    const snapshot = await writeSnapshot(store, next)
    try {
      return await commit(store, registry, { snapshot, change, parts: changedParts(live, next), author })
    } catch (error) {
      if (!(error instanceof RegistryConflict) || attempt === attempts) throw error
    }
  }
}

async function commit(store: Store, before: Registry | undefined, { snapshot, change, parts, author }: { snapshot: string; change: RegistryMove['change']; parts: string[]; author: Author }): Promise<Registry> {
  const version = (before?.version ?? 0) + 1
  const entry: RegistryMove = { version, snapshot, change, parts, by: author.by, at: new Date().toISOString(), ...(author.reason === undefined ? {} : { reason: author.reason }) }
  const next: Registry = { version, live: snapshot, history: [entry, ...(before?.history ?? [])].slice(0, historyLength) }
  await swapRegistry(store, next)
  return next
}

function check(store: Store, snapshot: Snapshot): void {
  const [host, ...remotes] = [snapshot.host, ...snapshot.remotes].map((ref) => readRelease(store, ref.name, ref.releaseId))
  const found = refusals(host!, remotes)
  if (found.length > 0) throw new Refused(found)
}

function replaced(live: Snapshot | undefined, parts: readonly ReleaseRef[], remove: readonly string[]): Snapshot {
  const before = new Map((live ? partsOf(live) : []).map((ref) => [ref.name, ref]))
  const after = new Map([...before].filter(([name]) => !remove.includes(name)))
  for (const { name, releaseId } of parts) {
    const old = before.get(name)
    if (old?.releaseId !== releaseId) after.set(name, { name, releaseId, ...(old === undefined ? {} : { previous: old.releaseId }) })
  }
  const host = after.get('host')
  if (host === undefined) throw new StoreError('No host is live and none is being activated. Activate a host first.')
  const viewer = after.get('viewer')
  const remotes = [...after.values()].filter((ref) => ref.name.startsWith('remote-')).sort((a, b) => a.name.localeCompare(b.name))
  return { host, remotes, ...(viewer === undefined ? {} : { viewer }) }
}

/** Every release that a snapshot names. */
export const partsOf = (snapshot: Snapshot): ReleaseRef[] => [snapshot.host, ...snapshot.remotes, ...(snapshot.viewer ? [snapshot.viewer] : [])]

const sameReleases = (a: Snapshot, b: Snapshot): boolean => changedParts(a, b).length === 0

function changedParts(before: Snapshot | undefined, after: Snapshot): string[] {
  const old = new Map((before ? partsOf(before) : []).map((ref) => [ref.name, ref.releaseId]))
  const now = new Map(partsOf(after).map((ref) => [ref.name, ref.releaseId]))
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name))
}
