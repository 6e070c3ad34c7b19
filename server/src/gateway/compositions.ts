import type { Canary, Snapshot } from '@dmp/contract/release'
import { receivesCanary, type Person } from '@dmp/release/canary'
import { applyCanaries } from '@dmp/release/move'
import { compose, composeSnapshot, type Composition } from '@dmp/release/composition'
import {
  readRegistry,
  readSnapshot,
  registryVersion,
  StoreError,
  writeSnapshot,
  type ReleaseStore,
} from '@dmp/release/store/ReleaseStore'

/**
 * The releases of a person's next page; 'unreadable' where the registry is broken and nothing was read before it broke.
 */
export type CompositionFor = (person: Person | undefined) => Promise<Composition | undefined | 'unreadable'>

interface Read {
  readonly version: number
  readonly live: Snapshot | undefined
  readonly composition: Composition | undefined
  readonly canaries: readonly Canary[]
  /** By the canaries that are in it. */
  readonly mixtures: Map<string, Promise<Composition>>
}

/** How many earlier snapshots a starting server tries where what is live cannot be read. */
const mostEarlier = 5

/**
 * The live releases, with the canaries that the person gets, read again only when the registry moved. A registry or
 * release that cannot be read stops no page that could be served a moment ago: pages go on with the releases of before.
 */
export function createCompositions(store: ReleaseStore, complain: (error: unknown) => void): CompositionFor {
  let read: Read | undefined
  let complaint = ''
  const say = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (message !== complaint) complain(error)
    complaint = message
  }
  return async (person) => {
    try {
      const version = await registryVersion(store)
      // Nobody empties a registry: its folder or bucket is away for a moment, as an unmounted share is.
      if (version === 0 && read?.composition)
        throw new StoreError(
          `The release store ${store.location} is empty, though releases were live a moment ago. Pages go on with those. Is its folder mounted, its bucket the right one?`,
        )
      if (read?.version !== version) read = await readNow(store, version)
      complaint = ''
    } catch (error) {
      say(error)
      read = read?.composition ? read : await readEarlier(store).catch(() => undefined)
      if (read === undefined) return 'unreadable'
    }
    const { composition, live, canaries, mixtures } = read
    const received = person === undefined ? [] : canaries.filter((canary) => receivesCanary(canary, person))
    if (received.length === 0 || live === undefined) return composition
    const key = received.map(({ name }) => name).join()
    const mixture = mixtures.get(key) ?? composeMixture(store, applyCanaries(live, received))
    mixtures.set(key, mixture)
    return mixture.catch((error: unknown) => {
      // A canary that cannot be read is as if there were none.
      mixtures.delete(key)
      say(error)
      return composition
    })
  }
}

/** Kept in the store, so that pages which have it can say so by its name. */
async function composeMixture(store: ReleaseStore, snapshot: Snapshot): Promise<Composition> {
  const composition = await composeSnapshot(store, snapshot)
  // A server that may only read serves it all the same.
  await writeSnapshot(store, snapshot).catch(() => undefined)
  return composition
}

async function readNow(store: ReleaseStore, version: number): Promise<Read> {
  const registry = await readRegistry(store)
  const [live, composition] = registry
    ? await Promise.all([readSnapshot(store, registry.live), compose(store, registry.live)])
    : []
  return { version, live, composition, canaries: registry?.canaries ?? [], mixtures: new Map() }
}

/**
 * For a server that starts while what is live cannot be read or trusted: the newest snapshot of the history that can,
 * which is what servers that were running go on with. Its version is none, so that what is live is tried again.
 */
async function readEarlier(store: ReleaseStore): Promise<Read | undefined> {
  const registry = await readRegistry(store)
  const ids = [...new Set(registry?.history.map(({ snapshot }) => snapshot))].filter((id) => id !== registry?.live)
  for (const id of ids.slice(0, mostEarlier)) {
    const composition = await compose(store, id).catch(() => undefined)
    if (composition) return { version: 0, live: composition.snapshot, composition, canaries: [], mixtures: new Map() }
  }
  return undefined
}
