import { useEffect, useState } from 'react'
import { snapshot } from './snapshot.ts'

const intervalMs = 60_000
const timeoutMs = 3000

/**
 * Whether another snapshot is live than the one that this page is pinned to. Asked once a minute while the page is
 * looked at, and when somebody comes back to it. Failing to ask changes nothing.
 */
export function useNewVersion(): boolean {
  const [isNewer, setIsNewer] = useState(false)
  // Time and the browser's window are outside of React.
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

/** Whether a page that is opened now would get another snapshot. */
export async function isNewVersionLive(): Promise<boolean> {
  try {
    const response = await fetch('/releases/live', { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) })
    const { data } = (await response.json()) as { data?: { snapshot?: unknown } }
    return response.ok && typeof data?.snapshot === 'string' && data.snapshot !== snapshot().id
  } catch {
    return false
  }
}
