/** Letters that are no letter and accent to Unicode, and what people write who lack them. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
const spelledLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

const replaceLetters = (text: string, letters: Readonly<Record<string, string>>): string =>
  text.replace(/\p{L}/gu, (letter) => letters[letter] ?? letter)

const withoutAccents = (text: string): string =>
  replaceLetters(text.normalize('NFKD').replace(/\p{M}/gu, ''), plainLetters)

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** How a text is compared: lower case, once without accents (`muller`) and once with them spelled (`mueller`). */
export function foldText(text: string): readonly string[] {
  if (isAscii(text)) return [text.toLowerCase()]
  const lower = text.normalize('NFKC').toLowerCase()
  const plain = withoutAccents(lower)
  const spelled = withoutAccents(replaceLetters(lower, spelledLetters))
  return plain === spelled ? [plain] : [plain, spelled]
}

/** Runs of letters and digits; whatever else stands between them separates. */
export const toWords = (folded: string): readonly string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

/** Letters of scripts that write whole names in two or three of them, and put no blank between words. */
export const isDense = (word: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+$/u.test(word)
