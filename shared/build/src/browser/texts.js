/* global DMP_PART */
// What the build puts in place of the texts of a part (`findMessages.ts`): each says itself in the page's language.
// Catalogues lie with the page, because host, remotes and viewer are built apart: whoever loads one leaves it here,
// as a function that knows a text or returns undefined. English needs none.
const catalogues = (globalThis.dmpTexts ??= {})

/** The pieces of a text: its words and the values between them; a tag's function gets the pieces inside of it. */
export function toPieces(text, values) {
  const said = catalogues[DMP_PART]?.(text, values)
  if (said !== undefined) return Array.isArray(said) ? said : [said]
  const around = []
  let [pieces, tag] = [[], '']
  for (const piece of text.split(/(\{\w+\}|<\/?\w+>)/)) {
    if (/^\{\w+\}$/.test(piece)) pieces.push(values[piece.slice(1, -1)])
    else if (/^<\w+>$/.test(piece)) {
      around.push([pieces, tag])
      ;[pieces, tag] = [[], piece.slice(1, -1)]
    } else if (/^<\/\w+>$/.test(piece)) {
      const inside = values[tag](pieces)
      ;[pieces, tag] = around.pop()
      pieces.push(inside)
    } else if (piece !== '') pieces.push(piece)
  }
  return pieces
}

/** A text whose values are texts. */
export const text = (id, values) =>
  values === undefined ? (catalogues[DMP_PART]?.(id) ?? id) : toPieces(id, values).join('')
