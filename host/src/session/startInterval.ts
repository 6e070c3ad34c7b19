/** Runs a duty every so many seconds, and at once when the page comes back from the background, a closed lid or no line. Answers a function that stops it. */
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
