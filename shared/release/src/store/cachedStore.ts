import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReleaseStore } from './ReleaseStore.ts'
import type { FolderStore } from './folderStore.ts'

/** Keys that are derived from the content, so that a copy never becomes outdated. */
const isImmutable = (key: string): boolean => /^(?:host|viewer|remote-[a-z0-9-]+|snapshots)\//.test(key)

interface CachedList {
  readonly startedAt: number
  readonly names: Promise<string[]>
  /** The last list that the remote store returned. */
  latest: string[] | undefined
}

/** How long a reader waits for a new list when there is an earlier one. */
const listTimeoutMs = 500

/**
 * A remote store with a local folder that keeps the fetched files. Lists are cached too, which limits how often the
 * remote store is asked for the registry's version; a move reaches pages that much later.
 *
 * @param listMs how long a list counts as current
 */
export function createCachedStore(remote: ReleaseStore, local: FolderStore, listMs = 1000): ReleaseStore {
  const fetching = new Map<string, Promise<Buffer | undefined>>()
  const lists = new Map<string, CachedList>()

  /** Shares one request between all readers; a local folder that cannot be written does not fail them. */
  const fetchContent = (key: string): Promise<Buffer | undefined> => {
    const pending = fetching.get(key)
    if (pending) return pending
    const fetched = remote.read(key).then(async (content) => {
      if (content) await local.add(key, content).catch(() => undefined)
      return content
    })
    fetching.set(key, fetched)
    const forget = (): void => void fetching.delete(key)
    fetched.then(forget, forget)
    return fetched
  }

  const list = (key: string): Promise<string[]> => {
    const cached = lists.get(key)
    const isCurrent = cached !== undefined && Date.now() - cached.startedAt < listMs
    const { names, latest } = isCurrent ? cached : startList(key, cached?.latest)
    return latest === undefined ? names : Promise.race([names, pause(listTimeoutMs, latest, { ref: false })])
  }

  const startList = (key: string, latest: string[] | undefined): CachedList => {
    const started: CachedList = { startedAt: Date.now(), names: remote.list(key), latest }
    started.names.then(
      (names) => {
        started.latest = names
      },
      () => undefined,
    )
    lists.set(key, started)
    return started
  }

  return {
    location: remote.location,
    read: async (key) => (isImmutable(key) ? ((await local.read(key)) ?? fetchContent(key)) : remote.read(key)),
    stream: async (key) => {
      if (!isImmutable(key)) return remote.stream(key)
      const localStream = await local.stream(key)
      if (localStream) return localStream
      const content = await fetchContent(key)
      return content && Readable.from([content], { objectMode: false })
    },
    add: async (key, content) => {
      const isAdded = await remote.add(key, content)
      lists.clear()
      return isAdded
    },
    list,
    remove: async (key) => {
      await remote.remove(key)
      await local.remove(key)
      lists.clear()
    },
  }
}
