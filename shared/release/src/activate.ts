import type { Registry, ReleaseRef } from '@dmp/contract/release'
import { move, partsOf, replaceReleases, type Author } from './move.ts'
import { readSnapshot, StoreError, Superseded, type ReleaseStore } from './store/ReleaseStore.ts'

/**
 * Makes releases live, together and at once. What is not named stays as it is; the release that was live before is noted
 * as the one to fall back to; a canary of a named part is over. Answers the registry as it is afterwards, unchanged when
 * everything named was live already.
 *
 * @param change.remove names of remotes that shall no longer be live
 * @throws Refused when the result cannot work together
 */
export function activate(
  store: ReleaseStore,
  { parts, remove = [] }: { readonly parts: readonly ReleaseRef[]; readonly remove?: readonly string[] },
  author: Author,
): Promise<Registry> {
  const named = new Set([...parts.map(({ name }) => name), ...remove])
  return move(store, author, 'activate', (before) => ({
    live: replaceReleases(before?.live, parts, remove),
    canaries: (before?.registry.canaries ?? []).filter(({ name }) => !named.has(name)),
  }))
}

export interface Rollback extends Author {
  /** Only this part; all of the snapshot where left out. */
  readonly part?: string
  /** Throws `Superseded` unless this release of the part is live. */
  readonly from?: string
}

/**
 * Goes back to the snapshot that was live before, or, with `part`, puts only that part back to its release before.
 * Both are a step forward in the registry's history: rolling back twice returns.
 */
export function rollback(store: ReleaseStore, { part, from, ...author }: Rollback): Promise<Registry> {
  return move(store, author, 'rollback', async (before) => {
    const nothing = new StoreError('There is nothing to roll back to: nothing else was live before.')
    if (before === undefined) throw nothing
    const { live, registry } = before
    const canaries = registry.canaries ?? []
    const now = partsOf(live).find(({ name }) => name === part)
    if (from !== undefined && now?.releaseId !== from)
      throw new Superseded(`Release ${from} of ${part} is not live any more.`)
    const earlier = [...new Set(registry.history.map(({ snapshot }) => snapshot))].filter((id) => id !== registry.live)
    if (part === undefined) {
      if (earlier[0] === undefined) throw nothing
      return { live: await readSnapshot(store, earlier[0]), canaries }
    }
    for (const id of earlier) {
      const ref = partsOf(await readSnapshot(store, id)).find(
        ({ name, releaseId }) => name === part && releaseId !== now?.releaseId,
      )
      if (ref) return { live: replaceReleases(live, [ref]), canaries }
    }
    throw new StoreError(`There is nothing to roll ${part} back to: no other release of it was live before.`)
  })
}
