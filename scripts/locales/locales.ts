import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { listLanguages, localesFolder, readCatalogue, type Catalogue } from '../../shared/build/src/catalogues.ts'
import { findMessages, type Message } from '../../shared/build/src/findMessages.ts'
import { isForPeople } from '../../shared/build/src/shownTexts.ts'
import { reasons as windowReasons } from '../../uploader/src/window/reasons.ts'
import { texts as windowTexts } from '../../uploader/src/window/texts.ts'
import { listFiles, listRemotes, readText, root } from '../workspace/files.ts'

/** The languages of the product besides English. */
export const languages = ['de', 'fr', 'es', 'ja', 'ar'] as const

/** Packages whose texts people see; each that has catalogues (`locales/`) has them whole. */
export const listSpeakers = (): string[] =>
  ['host', ...listRemotes(), 'server', 'shared/contract', 'shared/kit', 'uploader', 'viewer'].filter((folder) =>
    existsSync(join(root, folder, 'locales')),
  )

/** What goes out as mail: subjects and labels are no sentences. */
const isLetter = (file: string): boolean =>
  /^server\/src\/(?:outside\/letter|modules\/.+\.mails)\.ts$/.test(file) ||
  /\bmail\.(?:queue|test)\(/.test(readText(file))

/** The server speaks to people by its refusals, its mails and what it tests: everything else is read by operators. */
const isRefusing = (file: string): boolean =>
  /^server\/src\/(?:core|http|identity|modules)\//.test(file) &&
  !/Texts\.ts$|\.mails\.ts$|\/demo|\/dicomweb\/|\/openapi|errorCodes\.ts$/.test(file) &&
  (/\bRefusal\b|core\/errors|\bCannotCopy\b/.test(readText(file)) || /\/setup\/\w+Test\.ts$/.test(file))

/** Each source is read once, by whoever asks first. */
const found = new Map<string, Message[]>()
const listMessages = (file: string): Message[] => {
  const messages = found.get(file) ?? findMessages(file, readText(file))
  found.set(file, messages)
  return messages
}

const isSource = (file: string): boolean =>
  isForPeople(file) && (!file.startsWith('server/') || isRefusing(file) || isLetter(file))

/** Every text of a package, in the order of its files and lines, each once. */
export function listPackageTexts(folder: string): string[] {
  // The window's texts are tables; in a terminal the uploader speaks English alone.
  if (folder === 'uploader') return [...new Set([...Object.values(windowTexts), ...Object.values(windowReasons)])]
  const files = listFiles(`${folder}/src`, /\.tsx?$/).filter(isSource)
  const texts = files.flatMap((file) => {
    const said = listMessages(file).map(({ text }) => text)
    return file.startsWith('server/') && !isLetter(file) ? said.filter((text) => /[.!?]$/.test(text)) : said
  })
  return [...new Set(texts)]
}

/** What is wrong with a package's catalogue of a language, one sentence each. */
export function checkCatalogue(texts: readonly string[], catalogue: Catalogue, file: string): string[] {
  const known = new Set(texts)
  return [
    ...texts
      .filter((text) => !catalogue[text])
      .map((text) => `${file}: “${text}” is not translated: npm run locales, then write it there.`),
    ...Object.keys(catalogue)
      .filter((text) => !known.has(text))
      .map((text) => `${file}: nothing says “${text}” any more.`),
    ...texts.flatMap((text) => (catalogue[text] ? checkMessage(text, catalogue[text], file) : [])),
    ...checkOrder(
      texts.filter((text) => Object.hasOwn(catalogue, text)),
      Object.keys(catalogue).filter((text) => known.has(text)),
      file,
    ),
  ]
}

/** Whoever adds a text by the command would have lines of others in the same change. */
function checkOrder(wanted: readonly string[], found: readonly string[], file: string): string[] {
  const wrong = found.find((text, index) => text !== wanted[index])
  return wrong === undefined ? [] : [`${file}: “${wrong}” is not where the sources have it: npm run locales.`]
}

function checkMessage(text: string, message: string, file: string): string[] {
  try {
    const [wanted, found] = [listNames(parse(text)), listNames(parse(message))]
    const missing = [...wanted].filter((name) => !found.has(name))
    const unknown = [...found].filter((name) => !wanted.has(name))
    return [
      ...missing.map((name) => `${file}: “${message}” leaves out ${name} of “${text}”.`),
      ...unknown.map((name) => `${file}: “${message}” names ${name}, which “${text}” does not have.`),
    ]
  } catch (error) {
    return [`${file}: “${message}” cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  }
}

function listNames(elements: readonly MessageFormatElement[], names = new Set<string>()): Set<string> {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue
    names.add(element.type === TYPE.tag ? `<${element.value}>` : `{${element.value}}`)
    if (element.type === TYPE.tag) listNames(element.children, names)
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const { value } of Object.values(element.options)) listNames(value, names)
  }
  return names
}

/**
 * Writes a catalogue in the order of the sources; what is new stands there empty, or as it is in English, and what is
 * gone is taken out.
 */
export function renewCatalogue(folder: string, language: string, { inEnglish = false } = {}): void {
  const known = listLanguages(join(root, folder)).includes(language) ? readCatalogue(join(root, folder), language) : {}
  const texts = listPackageTexts(folder)
  if (texts.length === 0) return
  mkdirSync(localesFolder(join(root, folder)), { recursive: true })
  const renewed = Object.fromEntries(texts.map((text) => [text, known[text] || (inEnglish ? text : '')]))
  writeFileSync(join(localesFolder(join(root, folder)), `${language}.json`), `${JSON.stringify(renewed, null, 2)}\n`)
}

/** Sentences that a language says as English does: nobody has translated them yet. Single words may well be equal. */
export const listEnglish = (): [language: string, count: number][] =>
  languages
    .map((language): [string, number] => [
      language,
      listSpeakers()
        .flatMap((folder) => Object.entries(readCatalogue(join(root, folder), language)))
        .filter(([text, message]) => text === message && text.split(' ').length >= 4).length,
    ])
    .filter(([, count]) => count > 0)

/** Its list is for catalogues and tests alone. */
const dataWords = 'shared/kit/src/language/dataWords.ts'

/** Texts of pages that would stay in the language that was there as their module was loaded. */
const listSaidOnLoad = (): string[] =>
  listSpeakers()
    .filter((folder) => folder !== 'server' && folder !== 'uploader')
    .flatMap((folder) => listFiles(`${folder}/src`, /\.tsx?$/).filter((file) => isSource(file) && file !== dataWords))
    .flatMap((file) =>
      listMessages(file)
        .filter(({ isSaidOnLoad }) => isSaidOnLoad)
        .map(
          ({ text, line }) =>
            `${file}:${line}: “${text}” is said when the module is loaded, perhaps before its catalogue is there. Make it a function.`,
        ),
    )

/** What is missing or wrong in the catalogues of this repository. */
export const checkCatalogues = (): string[] => [...listSaidOnLoad(), ...listCatalogueFaults()]

function listCatalogueFaults(): string[] {
  return listSpeakers().flatMap((folder) => {
    const texts = listPackageTexts(folder)
    return languages.flatMap((language) => {
      const file = `${folder}/locales/${language}.json`
      if (texts.length === 0) return []
      const catalogue = existsSync(join(root, file)) ? readCatalogue(join(root, folder), language) : {}
      return checkCatalogue(texts, catalogue, file)
    })
  })
}
