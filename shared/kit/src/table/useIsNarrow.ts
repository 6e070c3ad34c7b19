import { useSyncExternalStore } from 'react'

/** Below this width `table.css` draws rows as cards. */
const query = (): MediaQueryList | undefined => globalThis.matchMedia?.('(max-width: 720px)')

function subscribe(onChange: () => void): () => void {
  const list = query()
  list?.addEventListener?.('change', onChange)
  return () => list?.removeEventListener?.('change', onChange)
}

/** Whether rows are cards. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => query()?.matches ?? false)
