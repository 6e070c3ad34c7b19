import { useEffect } from 'react'

/** Lets the page and its calls finish first. */
const firstPageMs = 2000

interface AfterwardsProps {
  readonly load: readonly (() => Promise<unknown>)[]
}

/** Fetches code that this page is drawn without, once it has come to rest, so that the next click finds it. */
export function Afterwards({ load }: AfterwardsProps) {
  // Loading is outside React.
  useEffect(() => {
    if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
    // What cannot be had now is asked for again, and its failure shown, when somebody wants it.
    const fetchAll = () => load.forEach((one) => void one().catch(() => undefined))
    const timer = setTimeout(fetchAll, firstPageMs)
    return () => clearTimeout(timer)
  }, [load])
  return null
}
