type Outcome<T> = { readonly value: T } | { readonly error: unknown }

const outcomes = new WeakMap<Promise<unknown>, Outcome<unknown>>()

/** What a promise came to: at once where it is known, else the component waits in its Suspense boundary. The promise must be the same at each drawing. */
export function readPromise<T>(promise: Promise<T>): T {
  const outcome = outcomes.get(promise) as Outcome<T> | undefined
  if (outcome === undefined) throw trackPromise(promise)
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/** Remembers the outcome as soon as there is one, so that a drawing after it does not wait. */
export function trackPromise<T>(promise: Promise<T>): Promise<void> {
  return promise.then(
    (value) => void outcomes.set(promise, { value }),
    (error: unknown) => void outcomes.set(promise, { error }),
  )
}
