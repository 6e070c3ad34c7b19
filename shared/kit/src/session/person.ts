import { useSessionStore } from './store.ts'

type Listener = (person: string | null) => void
const listeners = new Set<Listener>()

/** The email of the person at this page; null when nobody is. */
export const currentPerson = (): string | null => useSessionStore.getState().user?.email ?? null

/**
 * Calls the listener whenever somebody else, or nobody, is at this page, whichever way that came about. Whatever a
 * module keeps outside of React it forgets here, because the next person in the same tab may belong to another
 * organization (P23). Returns a function that stops it.
 *
 * @example onPersonChange(() => positions.clear())
 */
export function onPersonChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let last = currentPerson()
let visit = new AbortController()

/** Aborts when the person leaves who is at this page now. */
export const visitSignal = (): AbortSignal => visit.signal

/** The email of the person who is at this page, or was there last; null when nobody was since it was loaded. */
export const lastPerson = (): string | null => last

useSessionStore.subscribe((state, previousState) => {
  const person = state.user?.email ?? null
  last = person ?? last
  if (person === (previousState.user?.email ?? null)) return
  visit.abort()
  visit = new AbortController()
  for (const listener of listeners) listener(person)
})

/**
 * Settles as the promise does while the same person is at the page, and otherwise never: nothing that somebody began
 * is told to, or done as, the next person. Somebody who signs in takes along what the sign-in page began.
 */
export function forSamePerson<T>(begun: Promise<T>): Promise<T> {
  const signal = currentPerson() === null ? undefined : visit.signal
  const isStill = (): boolean => !signal?.aborted
  return new Promise((resolve, reject) => {
    begun.then(
      (value) => isStill() && resolve(value),
      (error: unknown) => isStill() && reject(error as Error),
    )
  })
}
