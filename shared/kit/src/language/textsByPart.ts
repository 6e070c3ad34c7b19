/** Says a text with its values, or returns undefined if it does not know it. */
export type Say = (text: string, values?: Readonly<Record<string, unknown>>) => unknown

/** Where parts look for what they say (`shared/build/src/browser/texts.js`), by the part's name. */
export const textsByPart = globalThis as { dmpTexts?: Record<string, Say> }
