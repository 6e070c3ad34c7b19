import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** English text of the source → ICU message in the other language. An empty one is not translated yet. */
export type Catalogue = Readonly<Record<string, string>>

/** Where a package keeps its catalogues: `locales/de.json`. */
export const localesFolder = (folder: string): string => path.join(folder, 'locales')

/** Languages other than English that a package speaks, by BCP 47. */
export function listLanguages(folder: string): string[] {
  const locales = localesFolder(folder)
  if (!existsSync(locales)) return []
  return readdirSync(locales)
    .filter((name) => /^[a-z]{2}(?:-[A-Z]{2})?\.json$/.test(name))
    .map((name) => name.replace('.json', ''))
    .sort()
}

export const readCatalogue = (folder: string, language: string): Catalogue =>
  JSON.parse(readFileSync(path.join(localesFolder(folder), `${language}.json`), 'utf8')) as Catalogue
