import { useEffect, useState } from 'react'

/** Formats `mm:ss`; minutes may exceed 59. */
export function formatClock(seconds: number): string {
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Counts down to zero by the clock, so that a tab is right after sleep. */
export function useCountdown(duration: number): { readonly seconds: number; readonly restart: () => void } {
  const [until, setUntil] = useState(() => Date.now() + duration * 1000)
  const [now, setNow] = useState(() => Date.now())
  const isOver = now >= until

  // A timer is outside React.
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isOver])

  function restart() {
    setNow(Date.now())
    setUntil(Date.now() + duration * 1000)
  }
  return { seconds: Math.max(0, Math.ceil((until - now) / 1000)), restart }
}
