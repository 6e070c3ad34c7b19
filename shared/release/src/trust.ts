import type { Registry } from '@dmp/contract/release'
import { move, type Author } from './move.ts'
import { readRelease, StoreError, type ReleaseStore } from './store/ReleaseStore.ts'

/**
 * Says how far a part is trusted: as a guest it runs in a frame of its own, otherwise in everybody's page. It holds for
 * all of its releases, also before the first one. Only who holds the store, or a super administrator, says so; no token
 * for releases does.
 */
export function setTrust(
  store: ReleaseStore,
  { part, isGuest }: { readonly part: string; readonly isGuest: boolean },
  author: Author,
): Promise<Registry> {
  return move(store, withTrust(author, isGuest), 'activate', async (current) => {
    if (current === undefined)
      throw new StoreError('Nothing is live in this store yet. Activate a host first: guests come into its page.')
    const ref = current.live.remotes.find(({ name }) => name === part)
    const declared = ref && (await readRelease(store, part, ref.releaseId)).declaration?.trust
    if (!isGuest && declared === 'guest')
      throw new StoreError(
        `The live release of ${part} asks to be a guest. Make one live without "trust" in its remote.json first: it stays a guest until you say otherwise here.`,
      )
    const others = (current.live.guests ?? []).filter((name) => name !== part)
    return {
      live: current.live,
      canaries: current.registry.canaries ?? [],
      guests: isGuest ? [...others, part] : others,
    }
  })
}

/** The history says what was said. */
const withTrust = ({ by, reason }: Author, isGuest: boolean): Author => ({
  by,
  reason: [isGuest ? 'a guest from now on' : 'trusted with the page', reason].filter(Boolean).join(': '),
})
