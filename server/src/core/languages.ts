import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A sentence of the sources, cut where values stand: "Name at most ", " addresses." */
interface Pattern {
  readonly words: readonly string[]
  readonly names: readonly string[]
  readonly translation: string
}

interface Catalogue {
  readonly whole: ReadonlyMap<string, string>
  readonly patterns: readonly Pattern[]
}

/** What people are refused, and what the contract says of their fields. */
const folders = [
  path.join(import.meta.dirname, '../../locales'),
  fileURLToPath(new URL('locales', import.meta.resolve('@dmp/contract/package.json'))),
]

const catalogues: ReadonlyMap<string, Catalogue> = readCatalogues()

/** Of a header: nobody reads more languages than these name. */
const maxHeaderChars = 200

/**
 * The language that somebody asks for, by RFC 9110, 12.5.4, if the product has it; `en` is one of them. The order of
 * the header counts: browsers list what their people like best first.
 */
export function findLanguage(acceptLanguage: string | undefined): string | undefined {
  return (acceptLanguage ?? '')
    .slice(0, maxHeaderChars)
    .split(',')
    .map((tag) => tag.trim().slice(0, 2).toLowerCase())
    .find((code) => code === 'en' || catalogues.has(code))
}

/**
 * A sentence of this server in another language, with the values that stand in it; as it is if it is not translated.
 * Refusals are thrown in English wherever they are found out, and said in the caller's language only here.
 */
export function sayIn(language: string | undefined, sentence: string): string {
  const catalogue = language === undefined ? undefined : catalogues.get(language)
  if (catalogue === undefined) return sentence
  const whole = catalogue.whole.get(sentence)
  if (whole !== undefined) return whole
  for (const { words, names, translation } of catalogue.patterns) {
    const values = match(words, sentence)
    if (values)
      return fill(
        translation,
        names,
        values.map((value) => sayValue(language, value)),
      )
  }
  return sentence
}

/** Whether a language is written from right to left. */
export const isRightToLeft = (language: string): boolean => language === 'ar'

/** The values between the words of a pattern; undefined if the sentence is another one. */
function match(words: readonly string[], sentence: string): string[] | undefined {
  const [first = '', ...rest] = words
  const last = rest.pop() ?? ''
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return undefined
  const end = sentence.length - last.length
  const values: string[] = []
  let at = first.length
  for (const piece of rest) {
    const next = sentence.indexOf(piece, at)
    if (next < 0) return undefined
    values.push(sentence.slice(at, next))
    at = next + piece.length
  }
  if (at > end) return undefined
  return [...values, sentence.slice(at, end)]
}

/** "24 hours" within a sentence; what people typed stays as it is. */
const sayValue = (language: string | undefined, value: string): string =>
  /^\d+(?:\.\d+)? [a-z]+$/.test(value) ? sayIn(language, value) : value

const fill = (translation: string, names: readonly string[], values: readonly string[]): string =>
  translation.replace(/\{(\w+)\}/g, (_, name: string) => values[names.indexOf(name)] ?? '')

function readCatalogues(): Map<string, Catalogue> {
  const known = new Map<string, Catalogue>()
  for (const file of listCatalogues('')) known.set(path.basename(file, '.json'), { whole: new Map(), patterns: [] })
  for (const language of known.keys()) known.set(language, readCatalogue(language))
  return known
}

function readCatalogue(language: string): Catalogue {
  const entries = listCatalogues(language)
    .flatMap((file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>))
    .filter(([, translation]) => translation !== '')
  const hasValues = ([sentence]: readonly [string, string]): boolean => /\{\w+\}/.test(sentence)
  return {
    whole: new Map(entries.filter((entry) => !hasValues(entry))),
    // The longer the words, the less a sentence is mistaken for another.
    patterns: entries
      .filter((entry) => hasValues(entry) && !/^\{\w+\}$/.test(entry[0]))
      .sort(([a], [b]) => b.length - a.length)
      .map(([sentence, translation]) => ({
        words: sentence.split(/\{\w+\}/),
        names: [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        translation: withoutPlurals(translation),
      })),
  }
}

function listCatalogues(language: string): string[] {
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json') && name.startsWith(language))
      .map((name) => path.join(folder, name)),
  )
}

/** The server puts in what it said in English, so it takes the form that a language has for most numbers. */
function withoutPlurals(message: string): string {
  const [start, other] = [message.indexOf('{'), message.lastIndexOf('other {')]
  const name = message.slice(start + 1, message.indexOf(', plural,'))
  if (other < 0 || !/^\w+$/.test(name)) return message
  const end = message.indexOf('}', other)
  const form = message.slice(other + 'other {'.length, end).replaceAll('#', `{${name}}`)
  return message.slice(0, start) + form + message.slice(message.indexOf('}', end + 1) + 1)
}
