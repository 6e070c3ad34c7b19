import { useEffect, useState } from 'react'
import { snapshot } from './snapshot.ts'

const intervalMs = 60_000
const timeoutMs = 3000

/**
 * Returns whether a newer snapshot than this page's is live. Checks once a minute while the page is visible, and when
 * the user returns to it. A failed check changes nothing.
 */
export function useNewVersion(): boolean {
  const [isNewer, setIsNewer] = useState(false)
  // Timers and window events are outside React.
  useEffect(() => {
    if (isNewer) return
    const ask = async (): Promise<void> => {
      if (document.visibilityState === 'visible' && (await isNewVersionLive())) setIsNewer(true)
    }
    const timer = setInterval(() => void ask(), intervalMs)
    const whenBack = (): void => void ask()
    addEventListener('focus', whenBack)
    document.addEventListener('visibilitychange', whenBack)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', whenBack)
      document.removeEventListener('visibilitychange', whenBack)
    }
  }, [isNewer])
  return isNewer
}

/** Returns whether a page opened now would get another snapshot. */
export async function isNewVersionLive(): Promise<boolean> {
  try {
    // Whoever still has an earlier one says so: its files stay as long.
    const response = await fetch(`/releases/live?of=${snapshot().id}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { data } = (await response.json()) as { data?: { snapshot?: unknown } }
    return response.ok && typeof data?.snapshot === 'string' && data.snapshot !== snapshot().id
  } catch {
    return false
  }
}
