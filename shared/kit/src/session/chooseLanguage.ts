import { preferences } from '../language/preferences.ts'
import { forgetUnsaved, hasUnkept } from './unsaved.ts'
import { language, preference } from '../language/language.ts'
import { isLanguage, type Language } from '../language/languages.ts'

/** Keeps the person's choice in this browser and loads the page anew in that language. */
export function chooseLanguage(code: Language, reload?: () => void): void {
  preferences.write(preference, code)
  if (code !== language()) reloadInLanguage(reload)
}

/**
 * Loads the page anew. Forms restore their drafts; where something would be lost the browser asks first (P27), and who
 * stays has the language at the next page that is loaded.
 */
export function reloadInLanguage(reload: () => void = () => location.reload()): void {
  if (!hasUnkept()) forgetUnsaved()
  reload()
}

/** Calls the listener when another tab of this browser chose another language. Returns a function that stops it. */
export function onLanguageChosen(listener: (chosen: Language) => void): () => void {
  const see = ({ key, newValue }: StorageEvent) => {
    if (key === preferences.key(preference) && isLanguage(newValue) && newValue !== language()) listener(newValue)
  }
  window.addEventListener('storage', see)
  return () => window.removeEventListener('storage', see)
}
