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

/** Finds the clauses that fix a sentence. A quote of one or two words fixes only the sentence that is equal to it. */
export function createQuoteSearch(quotes: readonly Quote[]): (sentence: string) => string[] {
  const patterns = quotes.map(({ clause, text }) => ({
    clause,
    isPhrase: text.split(' ').length > 2,
    words: split(text),
  }))
  return (sentence) => {
    const own = split(sentence).join('\n')
    const clauses = patterns.flatMap(({ clause, isPhrase, words }) => {
      const wording = words.join('\n')
      return own === wording || (isPhrase && own.includes(wording)) ? [clause] : []
    })
    return [...new Set(clauses)]
  }
}

/** The fixed pieces around the values: `{role}` in the specification, `{…}` in the sources. */
const split = (text: string): string[] =>
  text.split(/\{[^{}]{0,80}\}/).map((piece) => piece.replace(/[.!:]$/, '').trim())
