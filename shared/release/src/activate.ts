import type { Registry, ReleaseRef } from '@dmp/contract/release'
import { move, listReleaseRefs, replaceReleases, type Author } from './move.ts'
import { readSnapshot, StoreError, Superseded, type ReleaseStore } from './store/ReleaseStore.ts'

/**
 * Makes releases live together, in one move. Parts that are not named keep their release; a replaced release is noted
 * as the one to fall back to; a canary of a named part ends. Returns the registry after the move, unchanged if
 * everything was live already.
 *
 * @param change.remove remotes that shall no longer be live
 * @throws Refused when the result is not compatible
 */
export function activate(
  store: ReleaseStore,
  { parts, remove = [] }: { readonly parts: readonly ReleaseRef[]; readonly remove?: readonly string[] },
  author: Author,
): Promise<Registry> {
  const changedNames = new Set([...parts.map(({ name }) => name), ...remove])
  return move(store, author, 'activate', (current) => ({
    live: replaceReleases(current?.live, parts, remove),
    canaries: (current?.registry.canaries ?? []).filter(({ name }) => !changedNames.has(name)),
  }))
}

export interface Rollback extends Author {
  /** Roll back this part only; without it, the whole snapshot. */
  readonly part?: string
  /** Throws `Superseded` unless this release of the part is live. */
  readonly from?: string
}

/**
 * Returns to the snapshot that was live before, or, with `part`, returns only that part to its earlier release.
 * Both add a move to the registry's history, so rolling back twice ends where it began.
 */
export function rollback(store: ReleaseStore, { part, from, ...author }: Rollback): Promise<Registry> {
  return move(store, author, 'rollback', async (current) => {
    const nothingEarlier = new StoreError('There is nothing to roll back to: nothing else was live before.')
    if (current === undefined) throw nothingEarlier
    const { live, registry } = current
    const canaries = registry.canaries ?? []
    const liveRelease = listReleaseRefs(live).find(({ name }) => name === part)
    if (from !== undefined && liveRelease?.releaseId !== from)
      throw new Superseded(`Release ${from} of ${part} is no longer live.`)
    const earlier = [...new Set(registry.history.map(({ snapshot }) => snapshot))].filter((id) => id !== registry.live)
    if (part === undefined) {
      if (earlier[0] === undefined) throw nothingEarlier
      return { live: await readSnapshot(store, earlier[0]), canaries }
    }
    for (const id of earlier) {
      const ref = listReleaseRefs(await readSnapshot(store, id)).find(
        ({ name, releaseId }) => name === part && releaseId !== liveRelease?.releaseId,
      )
      if (ref) return { live: replaceReleases(live, [ref]), canaries }
    }
    // What was live before is older than the history: what is live names it.
    if (liveRelease?.previous !== undefined)
      return { live: replaceReleases(live, [{ name: part, releaseId: liveRelease.previous }]), canaries }
    throw new StoreError(
      `There is nothing to roll ${part} back to: no other release of it was live before. Make a mended release live, or ask whoever runs the platform to take it off.`,
    )
  })
}
