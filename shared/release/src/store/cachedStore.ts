import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReleaseStore } from './ReleaseStore.ts'
import type { FolderStore } from './folderStore.ts'

/** What is named by its content: it may be kept for ever. */
const isImmutable = (key: string): boolean => /^(?:host|viewer|remote-[a-z0-9-]+|snapshots)\//.test(key)

interface CachedList {
  readonly at: number
  readonly names: Promise<string[]>
  /** As it was when the far store answered last. */
  known: string[] | undefined
}

/** Nobody waits for longer than this for a list that is known from a moment ago. */
const listTimeoutMs = 500

/**
 * A store that is far away, with a folder near by that keeps what was fetched. How often the far store is asked for the version of the
 * registry is limited: a move reaches pages so much later.
 *
 * @param listMs how long a list is believed
 */
export function createCachedStore(far: ReleaseStore, near: FolderStore, listMs = 1000): ReleaseStore {
  const fetching = new Map<string, Promise<Buffer | undefined>>()
  const lists = new Map<string, CachedList>()

  /** One request however many want it; a folder that cannot be written is no reason to answer nobody. */
  const fetched = (key: string): Promise<Buffer | undefined> => {
    const before = fetching.get(key)
    if (before) return before
    const now = far.read(key).then(async (content) => {
      if (content) await near.add(key, content).catch(() => undefined)
      return content
    })
    fetching.set(key, now)
    const forget = (): void => void fetching.delete(key)
    now.then(forget, forget)
    return now
  }

  const list = (key: string): Promise<string[]> => {
    const before = lists.get(key)
    const listed = before && Date.now() - before.at < listMs ? before : listedNow(key, before?.known)
    const { names, known } = listed
    return known === undefined ? names : Promise.race([names, pause(listTimeoutMs, known, { ref: false })])
  }

  const listedNow = (key: string, known: string[] | undefined): CachedList => {
    const listed: CachedList = { at: Date.now(), names: far.list(key), known }
    listed.names.then(
      (names) => {
        listed.known = names
      },
      () => undefined,
    )
    lists.set(key, listed)
    return listed
  }

  return {
    location: far.location,
    read: async (key) => (isImmutable(key) ? ((await near.read(key)) ?? fetched(key)) : far.read(key)),
    stream: async (key) => {
      if (!isImmutable(key)) return far.stream(key)
      const kept = await near.stream(key)
      if (kept) return kept
      const content = await fetched(key)
      return content && Readable.from([content], { objectMode: false })
    },
    add: async (key, content) => {
      const isAdded = await far.add(key, content)
      lists.clear()
      return isAdded
    },
    list,
    remove: async (key) => {
      await far.remove(key)
      await near.remove(key)
      lists.clear()
    },
  }
}
