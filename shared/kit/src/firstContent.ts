import { useEffect } from 'react'

/** The mark of the page each time that data stand where a frame waited for them; the host reads and removes it. */
export const contentMark = 'dmp-content'

let waiting = 0

/** The component draws a frame for data that are on their way. */
export function useWaitingForContent(): void {
  useEffect(() => {
    waiting += 1
    return () => void (waiting -= 1)
  }, [])
}

/** The component draws data: what it stands in is of use from now on, unless another frame still waits. */
export function useContent(): void {
  useEffect(() => {
    if (waiting === 0) performance.mark?.(contentMark)
  }, [])
}
