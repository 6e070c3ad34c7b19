import type { Canary, Registry, RegistryMove, Release, ReleaseRef, Snapshot } from '@dmp/contract/release'
import { hashMove } from './moveHash.ts'
import { findIncompatibilities, type Incompatibility } from './preflight/compatibility.ts'
import { findUnlentClaims } from './preflight/lentAddresses.ts'
import { ReleaseRefused } from './ReleaseRefused.ts'
import { noteSince } from './since.ts'
import { assertTrusted } from './signing/signatures.ts'
import {
  readRegistry,
  readRelease,
  readSnapshot,
  RegistryConflict,
  StoreError,
  swapRegistry,
  writeSnapshot,
  type ReleaseStore,
  unlessDamaged,
} from './store/ReleaseStore.ts'

export interface Author {
  readonly by: string
  readonly reason?: string
}

/** Everyone gets the live snapshot; some people get canaries in place of parts of it. */
export interface Rollout {
  readonly live: Snapshot
  readonly canaries: readonly Canary[]
  /** The parts that the registry holds as guests from now on; as before where left out. */
  readonly guests?: readonly string[]
}

/** The state that a move starts from. */
export interface RegistryState {
  readonly registry: Registry
  readonly live: Snapshot
}

const maxHistory = 200
const maxAttempts = 20

/**
 * Lets `decide` choose the next rollout from the current state, and asks again when another writer was faster.
 * Returns the registry unchanged if the decision changes nothing.
 */
export async function move(
  store: ReleaseStore,
  author: Author,
  change: RegistryMove['change'],
  decide: (current: RegistryState | undefined) => Rollout | Promise<Rollout>,
): Promise<Registry> {
  for (let attempt = 1; ; attempt += 1) {
    const registry = await readRegistry(store)
    const current = registry && { registry, live: await readSnapshot(store, registry.live) }
    const next = await holdGuests(store, current?.live.guests, await decide(current))
    const parts = changedParts(current?.live, next.live)
    const canaries = changedCanaries(registry?.canaries ?? [], next.canaries)
    if (registry && parts.length + canaries.length === 0) return registry
    await assertTrusted(store, [
      ...newRefs(current?.live, next.live),
      ...canaries.filter((canary) => next.canaries.includes(canary)),
    ])
    await assertCompatible(store, next)
    const moved = [...new Set([...parts, ...canaries.map(({ name }) => name)])]
    if (current) await noteFiles(store, current, moved)
    try {
      return await commit(store, registry, next, {
        change,
        parts: moved,
        author,
        canary: canaries[0],
      })
    } catch (error) {
      if (!(error instanceof RegistryConflict) || attempt === maxAttempts) throw error
    }
  }
}

/**
 * Whoever was live and asked to be a guest stays one, whatever later releases declare and whichever snapshot comes
 * back: only `setTrust` takes that away. A canary that asks is a guest for those who get it, and changes nothing else.
 */
async function holdGuests(
  store: ReleaseStore,
  before: readonly string[] = [],
  { live: { guests: _earlier, ...live }, canaries, guests = before }: Rollout,
): Promise<Rollout> {
  const releases = await Promise.all(live.remotes.map(({ name, releaseId }) => readRelease(store, name, releaseId)))
  const asking = releases.flatMap(({ name, declaration }) => (declaration?.trust === 'guest' ? [name] : []))
  const held = [...new Set([...guests, ...asking])].sort()
  return { live: held.length === 0 ? live : { ...live, guests: held }, canaries }
}

/** What browsers have of the parts that move. A release that cannot be read has nothing that they could get again. */
async function noteFiles(store: ReleaseStore, { registry, live }: RegistryState, parts: string[]): Promise<void> {
  for (const { name, releaseId } of [...listReleaseRefs(live), ...(registry.canaries ?? [])]) {
    // The viewer's page names its files itself.
    if (!parts.includes(name) || name === 'viewer') continue
    const release = await readRelease(store, name, releaseId).catch(unlessDamaged)
    if (release) await noteSince(store, release)
  }
}

/** The record of a move in the history. */
interface MoveDetails {
  readonly change: RegistryMove['change']
  readonly parts: string[]
  readonly author: Author
  readonly canary: Canary | undefined
}

async function commit(
  store: ReleaseStore,
  current: Registry | undefined,
  { live, canaries }: Rollout,
  { change, parts, author, canary }: MoveDetails,
): Promise<Registry> {
  const snapshot = await writeSnapshot(store, live)
  const version = (current?.version ?? 0) + 1
  const entry: RegistryMove = {
    version,
    snapshot,
    change,
    parts,
    by: author.by,
    at: new Date().toISOString(),
    ...(author.reason === undefined ? {} : { reason: author.reason }),
    ...(canary === undefined ? {} : { canary }),
    ...(current?.history[0] === undefined ? {} : { previous: hashMove(current.history[0]) }),
  }
  const next: Registry = {
    version,
    live: snapshot,
    ...(canaries.length === 0 ? {} : { canaries: [...canaries] }),
    history: trim([entry, ...(current?.history ?? [])]),
  }
  await swapRegistry(store, next)
  return next
}

/**
 * Moves that changed nothing live go first, those of the part that has the most of them: a canary that is started and
 * stopped without end would push out what every other part can go back to.
 */
function trim(history: readonly RegistryMove[]): RegistryMove[] {
  const kept = [...history]
  while (kept.length > maxHistory) {
    const quiet = kept.filter((move, index) => index > 0 && move.snapshot === kept[index + 1]?.snapshot)
    const byParts = Map.groupBy(quiet, ({ parts }) => parts.join())
    const most = [...byParts.values()].sort((a, b) => b.length - a.length)[0]?.at(-1)
    kept.splice(most === undefined ? -1 : kept.indexOf(most), 1)
  }
  return kept
}

/**
 * Requirements hold between two parts at a time. So every mixture of canaries that a user may get is compatible if each
 * canary is compatible with the live releases, and all canaries with one another.
 */
async function assertCompatible(store: ReleaseStore, { live, canaries }: Rollout): Promise<void> {
  const mixtures = [
    live,
    ...canaries.map((canary) => applyCanaries(live, [canary])),
    ...(canaries.length > 1 ? [applyCanaries(live, canaries)] : []),
  ]
  for (const mixture of mixtures) {
    const incompatibilities = await checkCompatibility(store, mixture)
    if (incompatibilities.length > 0) throw new ReleaseRefused(incompatibilities)
  }
}

/** Reasons why the releases of a snapshot cannot be live together; empty if there are none. */
export async function checkCompatibility(store: ReleaseStore, { host, remotes }: Snapshot): Promise<Incompatibility[]> {
  const releases: Release[] = await Promise.all(
    [host, ...remotes].map((ref) => readRelease(store, ref.name, ref.releaseId)),
  )
  return [...findIncompatibilities(releases[0]!, releases.slice(1)), ...(await findUnlentClaims(store, releases))]
}

/** The snapshot for people who get these canaries; their pages fall back to the live releases. */
export const applyCanaries = (live: Snapshot, canaries: readonly Canary[]): Snapshot => replaceReleases(live, canaries)

/** Puts other releases into a snapshot. Each release that is replaced is noted as the one to fall back to. */
export function replaceReleases(
  live: Snapshot | undefined,
  parts: readonly ReleaseRef[],
  remove: readonly string[] = [],
): Snapshot {
  const current = new Map((live ? listReleaseRefs(live) : []).map((ref) => [ref.name, ref]))
  const next = new Map([...current].filter(([name]) => !remove.includes(name)))
  for (const { name, releaseId } of parts) {
    const replaced = current.get(name)
    if (replaced?.releaseId !== releaseId)
      next.set(name, { name, releaseId, ...(replaced === undefined ? {} : { previous: replaced.releaseId }) })
  }
  const host = next.get('host')
  if (host === undefined) throw new StoreError('No host is live and none is being activated. Activate a host first.')
  const viewer = next.get('viewer')
  const remotes = [...next.values()]
    .filter((ref) => ref.name.startsWith('remote-'))
    .sort((a, b) => a.name.localeCompare(b.name))
  return {
    host,
    remotes,
    ...(viewer === undefined ? {} : { viewer }),
    ...(live?.guests === undefined ? {} : { guests: live.guests }),
  }
}

/** The parts of a snapshot, each with its release. */
export const listReleaseRefs = (snapshot: Snapshot): ReleaseRef[] => [
  snapshot.host,
  ...snapshot.remotes,
  ...(snapshot.viewer ? [snapshot.viewer] : []),
]

function newRefs(current: Snapshot | undefined, next: Snapshot): ReleaseRef[] {
  const liveIds = new Map((current ? listReleaseRefs(current) : []).map((ref) => [ref.name, ref.releaseId]))
  return listReleaseRefs(next).filter(({ name, releaseId }) => liveIds.get(name) !== releaseId)
}

function changedParts(current: Snapshot | undefined, next: Snapshot): string[] {
  const liveIds = new Map((current ? listReleaseRefs(current) : []).map((ref) => [ref.name, ref.releaseId]))
  const nextIds = new Map(listReleaseRefs(next).map((ref) => [ref.name, ref.releaseId]))
  const [before, after] = [new Set(current?.guests), new Set(next.guests)]
  return [...new Set([...liveIds.keys(), ...nextIds.keys(), ...before, ...after])].filter(
    (part) => liveIds.get(part) !== nextIds.get(part) || before.has(part) !== after.has(part),
  )
}

/** Canaries that are new or changed, then those that ended. */
function changedCanaries(current: readonly Canary[], next: readonly Canary[]): Canary[] {
  const unchanged = new Set(current.map((canary) => JSON.stringify(canary)))
  return [
    ...next.filter((canary) => !unchanged.has(JSON.stringify(canary))),
    ...current.filter(({ name }) => next.every((canary) => canary.name !== name)),
  ]
}
