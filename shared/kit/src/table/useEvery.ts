import { useEffect, useRef } from 'react'

/**
 * Asks every so often while somebody looks at the page, and at once when they come back to it: a tab that nobody sees
 * asks nothing.
 *
 * @param ms between two askings; undefined: nothing is asked. Leave it out while an answer is under way: asking once
 *   more would break off one that takes longer
 */
export function useEvery(ms: number | undefined, ask: () => void): void {
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  // Timers and the page are outside React.
  useEffect(() => {
    if (ms === undefined) return undefined
    const look = () => document.visibilityState === 'visible' && latest.current()
    const timer = setInterval(look, ms)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [ms])
}
