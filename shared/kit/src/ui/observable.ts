import { useSyncExternalStore } from 'react'

/** A value outside of React that components can follow. */
export interface Observable<T> {
  readonly get: () => T
  readonly set: (next: (now: T) => T) => void
  /** Follows the value in a component. */
  readonly use: () => T
}

export function observable<T>(initial: T): Observable<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const follow = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = (): T => value
  return {
    get,
    set(next) {
      value = next(value)
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(follow, get, get),
  }
}
