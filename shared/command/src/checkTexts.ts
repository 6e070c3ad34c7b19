import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { listLanguages, localesFolder, readCatalogue } from '@dmp/build/catalogues'
import { findMessages } from '@dmp/build/findMessages'
import { isForPeople } from '@dmp/build/shownTexts'

/** What a part says in other languages: `locales/de.json` and its like. */
export interface TextsReport {
  /** Catalogues that cannot be read. */
  readonly problems: readonly string[]
  /** By language, what is missing (said in English until then) and what nothing says any more. */
  readonly notes: readonly string[]
}

/** Compares the texts of the sources with each catalogue beside them. */
export function compareTexts(folder: string): TextsReport {
  const texts = listTexts(path.join(folder, 'src'))
  const [problems, notes]: [string[], string[]] = [[], []]
  for (const language of listLanguages(folder)) {
    const file = path.relative(folder, path.join(localesFolder(folder), `${language}.json`))
    try {
      const known = readCatalogue(folder, language)
      const missing = [...texts].filter((text) => !known[text])
      const unused = Object.keys(known).filter((text) => !texts.has(text))
      notes.push(`${file}: ${texts.size - missing.length} of ${texts.size} texts are translated`)
      if (missing.length > 0) notes.push(`  said in English: ${quote(missing)}`)
      if (unused.length > 0) notes.push(`  said by nothing any more: ${quote(unused)}`)
    } catch (error) {
      problems.push(`${file} is not readable as JSON: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { problems, notes }
}

function listTexts(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]sx?$/.test(file))
    .map((file) => path.join(folder, file))
    .filter(isForPeople)
  return new Set(files.flatMap((file) => findMessages(file, readFileSync(file, 'utf8')).map(({ text }) => text)))
}

const most = 5
const quote = (texts: readonly string[]): string =>
  [
    ...texts.slice(0, most).map((text) => `“${text}”`),
    ...(texts.length > most ? [`and ${texts.length - most} more`] : []),
  ].join(', ')
