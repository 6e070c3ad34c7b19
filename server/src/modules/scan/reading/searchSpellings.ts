/** On keyboards, phones and in typeset text. */
const apostrophe = /['’‘ʼ`´′＇]/g
/** As stored names have it; many are stored without any. */
const stored = ["'", '’']

/** O'Brien, D'Angelo, L'Heureux, M'Bappé, N'Diaye */
const prefixed = /^([odlmn])(\p{L}{3,})$/iu

/** A word with each apostrophe that it may be stored with, or without one. */
export function toSpellings(word: string): string[] {
  const plain = word.replace(apostrophe, '')
  if (plain !== word && plain !== '') return [...stored.map((mark) => word.replace(apostrophe, mark)), plain]
  const [, first, rest] = prefixed.exec(word) ?? []
  return first === undefined ? [word] : [word, ...stored.map((mark) => `${first}${mark}${rest}`)]
}

const umlauts: Readonly<Record<string, string>> = { ae: 'ä', oe: 'ö', ue: 'ü' }

/** Mueller is Müller as it is typed where no key has an ü; nothing where no umlaut can be meant. */
export function toUmlauts(word: string): string | undefined {
  const lower = word.toLowerCase()
  const spelled = lower.replace(/[aou]e/g, (pair) => umlauts[pair] ?? pair)
  return spelled === lower ? undefined : spelled
}
