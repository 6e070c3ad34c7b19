import { useEffect, useState } from 'react'

/** Counts down from what the server said: its clock and the page's may differ. */
export function LeavesIn({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds)
  // A clock outside React.
  useEffect(() => {
    const end = performance.now() + seconds * 1000
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000))), 250)
    return () => clearInterval(timer)
  }, [seconds])
  return <span>{`Leaves in ${toClock(left)}`}</span>
}

const toClock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
