import { preferences } from './preferences.ts'
import { isLanguage, languages, type Direction, type Language } from './languages.ts'

/** The preference that keeps a person's own choice. */
export const preference = 'language'

const browserLanguages = (): readonly string[] => globalThis.navigator?.languages ?? []

/** `de-AT` → `de` */
const toCode = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''

// Decided once: a page whose texts are already here does not change them.
const inForce: Language = findLanguage()

/** The language of this page: the person's choice, else the first of the browser's that there is, else English. */
export function language(): Language {
  return inForce
}

/** The direction in which the language of this page is written. */
export function direction(): Direction {
  return languages[inForce].direction
}

/**
 * The locale for `Intl`: the language of this page as the browser's own country writes it, such as `de-AT`.
 * Days are those of the Gregorian calendar and digits are Western ones in Arabic, too: so are they in the images, and
 * nobody may have to compare two ways of writing a date of birth.
 */
export function locale(): string {
  const own = new Intl.Locale(browserLanguages().find((tag) => toCode(tag) === inForce) ?? inForce).baseName
  return inForce === 'ar' ? `${own}-u-ca-gregory-nu-latn` : own
}

/** Tells the page its language and direction; the first thing that a page does, so nothing is drawn the other way. */
export function showLanguage(page: Document): void {
  page.documentElement.lang = inForce
  page.documentElement.dir = direction()
}

function findLanguage(): Language {
  const chosen = preferences.read(preference)
  return isLanguage(chosen) ? chosen : (browserLanguages().map(toCode).find(isLanguage) ?? 'en')
}
