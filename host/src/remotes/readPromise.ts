type Outcome<T> = { readonly value: T } | { readonly error: unknown }

const outcomes = new WeakMap<Promise<unknown>, Outcome<unknown>>()

/**
 * Returns the value of a settled promise or throws its error; until then the component suspends. The promise must be
 * the same on each render.
 */
export function readPromise<T>(promise: Promise<T>): T {
  const outcome = outcomes.get(promise) as Outcome<T> | undefined
  if (outcome === undefined) throw trackPromise(promise)
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/** Records the outcome when the promise settles, so that a later render does not suspend. */
export function trackPromise<T>(promise: Promise<T>): Promise<void> {
  return promise.then(
    (value) => void outcomes.set(promise, { value }),
    (error: unknown) => void outcomes.set(promise, { error }),
  )
}
