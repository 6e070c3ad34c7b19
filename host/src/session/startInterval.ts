/**
 * Runs a duty at an interval, and immediately when the page is shown again, wakes from sleep or comes back online.
 * Returns a stop function.
 */
export function startInterval(seconds: number, duty: () => void): () => void {
  const wake = (): void => {
    if (!document.hidden) duty()
  }
  const timer = setInterval(duty, Math.max(50, seconds * 1000))
  document.addEventListener('visibilitychange', wake)
  window.addEventListener('online', wake)
  window.addEventListener('pageshow', wake)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', wake)
    window.removeEventListener('online', wake)
    window.removeEventListener('pageshow', wake)
  }
}
