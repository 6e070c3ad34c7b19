const isolated = /[\u2066-\u2068][^\u2066-\u2069]*\u2069/g
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * The direction of a text by its first letter, or none. As browsers find it, but for dates, whose marks are within
 * them: a line that begins with one is cut where its words end.
 */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const [letter] = /\p{L}/u.exec(text.replaceAll(isolated, '')) ?? []
  if (letter === undefined) return undefined
  return rightToLeft.test(letter) ? 'rtl' : 'ltr'
}
