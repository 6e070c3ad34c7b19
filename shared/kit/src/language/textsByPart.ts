/** Says a text with its values, or returns undefined if it does not know it. */
export type Say = (text: string, values?: Readonly<Record<string, unknown>>) => unknown

/** Where parts look for what they say (`shared/build/src/browser/texts.js`), by the part's name. */
export const textsByPart = globalThis as { dmpTexts?: Record<string, Say> }

const listeners = new Set<() => void>()
let count = 0

/** How many catalogues have come: another number is a reason to draw again. */
export const countTexts = (): number => count

/** Calls the listener when a catalogue has come. Returns a function that stops it. */
export function subscribeToTexts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function textsChanged(): void {
  count += 1
  for (const listener of listeners) listener()
}
