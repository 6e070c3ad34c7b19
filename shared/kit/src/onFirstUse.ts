/**
 * Makes a value when it is first asked for, and keeps it. For what takes milliseconds to make and what a first drawing
 * does without: formats of `Intl`, above all.
 *
 * @example const collator = onFirstUse(() => new Intl.Collator(locale()))
 */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
