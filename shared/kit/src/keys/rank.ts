/** Without accents and case: "Próba" is found by "proba". */
export const toWords = (text: string): readonly string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/**
 * How well what was typed names something, more is better; 0 where a word of it begins no word. Other words that also
 * find it count less than its title.
 */
export function rank(term: string, title: string, otherWords = ''): number {
  const typed = toWords(term)
  const [named, others] = [toWords(title), toWords(otherWords)]
  const begins = (words: readonly string[], start: string) => words.some((word) => word.startsWith(start))
  if (typed.length === 0 || !typed.every((start) => begins(named, start) || begins(others, start))) return 0
  if (typed.join(' ') === named.join(' ')) return 4
  if (named.join(' ').startsWith(typed.join(' '))) return 3
  return typed.every((start) => begins(named, start)) ? 2 : 1
}

/** Those that the term names, the best first; equal ones in their order. */
export function filterByRank<T extends { readonly text: string; readonly words?: string | undefined }>(
  term: string,
  items: readonly T[],
): readonly T[] {
  return items
    .map((item) => ({ item, score: rank(term, item.text, item.words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item)
}
