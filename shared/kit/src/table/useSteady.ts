import { useCallback, useInsertionEffect, useRef } from 'react'

/**
 * The same function at every drawing, which does what the newest one does: what it is handed to need not be drawn
 * again. For events, not for drawing.
 */
export function useSteady<Values extends readonly unknown[]>(run: (...values: Values) => void) {
  const newest = useRef(run)
  useInsertionEffect(() => {
    newest.current = run
  })
  return useCallback((...values: Values): void => newest.current(...values), [])
}
