import type { Text } from './listSentences.ts'

export interface Quote {
  /** The row of docs/product.md that has it. */
  readonly clause: string
  readonly text: string
}

/** Wording that the specification fixes: what stands in quotes in a row of docs/product.md. */
export function parseQuotes(product: string): Quote[] {
  return product.split('\n').flatMap((line) => {
    const [, clause = '', behaviour = ''] = line.split('|').map((cell) => cell.trim())
    if (!/^(?:\d\.\d\d|P\d\d)$/.test(clause)) return []
    // An apostrophe within a word ("don't") does not end a quote.
    const quotes = behaviour.matchAll(/(?<![\p{L}\d])'((?:[^']|(?<=\p{L})'(?=\p{L}))+)'/gu)
    return [...quotes].map(([, text = '']) => ({ clause, text }))
  })
}

/** Finds the clauses that fix a sentence. */
export function createQuoteSearch(quotes: readonly Quote[]): (sentence: string) => string[] {
  const patterns = quotes.map(({ clause, text }) => ({ clause, wording: normalize(text) }))
  return (sentence) => {
    const own = normalize(sentence)
    return [...new Set(patterns.filter(({ wording }) => says(own, wording)).map(({ clause }) => clause))]
  }
}

/** One line per quote that no source says any more, or not where its screens are. */
export function reportUnsaidQuotes(quotes: readonly Quote[], texts: readonly Pick<Text, 'file' | 'text'>[]): string[] {
  const sources = texts.map(({ file, text }) => ({ file, own: normalize(text) }))
  return quotes
    .filter(({ clause, text }) => {
      const folder = screenFolders.find(([first, last]) => first <= clause && clause <= last)?.[2]
      const wording = normalize(text)
      const isNear = (file: string): boolean => !folder || file.startsWith(folder) || file.startsWith('shared/')
      return !sources.some(({ file, own }) => isNear(file) && says(own, wording))
    })
    .map(({ clause, text }) => `docs/product.md fixes '${text}' [${clause}], which no source says.`)
}

/** Labels such as 'Status' are on many screens, so each must be found where its own clause is implemented. */
const screenFolders: readonly (readonly [first: string, last: string, folder: string])[] = [
  ['2.34', '2.40', 'host/'],
  ['2.42', '2.47', 'remote-account/'],
  ['2.48', '2.50', 'remote-complaint/'],
  ['2.51', '2.54', 'remote-organization/'],
  ['2.55', '2.57', 'remote-registration/'],
  ['2.58', '2.59', 'remote-scan/'],
  ['2.60', '2.62', 'remote-user/'],
  ['4.05', '4.05', 'remote-registration/'],
  ['4.08', '4.08', 'remote-scan/'],
  ['5.12', '5.15', 'remote-scan/'],
]

const placeholder = '{…}'

/** The same placeholder for every value, straight quotes, and no mark at the end. */
const normalize = (text: string): string =>
  text
    .replace(/\{[^{}]{0,80}\}/g, placeholder)
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!:…]$/, '')

/** A quote of one or two words fixes only the text that is equal to it; a longer one, or CAPITALS, also a part. */
function says(own: string, wording: string): boolean {
  if (own === wording) return true
  const words = wording.split(' ').filter((word) => word !== placeholder)
  if (words.length < 3 && !/^\p{Lu}{3,} \p{Lu}+$/u.test(wording)) return false
  const start = own.indexOf(wording)
  return start >= 0 && !/[\p{L}\d]/u.test(own[start - 1] ?? '') && !/[\p{L}\d]/u.test(own[start + wording.length] ?? '')
}
