import type { Registry } from '@dmp/contract/release'
import { move, type Author } from './move.ts'
import { StoreError, type ReleaseStore } from './store/ReleaseStore.ts'

/**
 * Says how far a part is trusted: as a guest it runs in a frame of its own, otherwise in everybody's page. It holds for
 * all of its releases, also before the first one. Only who holds the store says so; no token for releases does.
 */
export function setTrust(
  store: ReleaseStore,
  { part, isGuest }: { readonly part: string; readonly isGuest: boolean },
  author: Author,
): Promise<Registry> {
  return move(store, author, 'activate', (current) => {
    if (current === undefined)
      throw new StoreError('Nothing is live in this store yet. Activate a host first: guests come into its page.')
    const others = (current.live.guests ?? []).filter((name) => name !== part)
    return {
      live: current.live,
      canaries: current.registry.canaries ?? [],
      guests: isGuest ? [...others, part] : others,
    }
  })
}
