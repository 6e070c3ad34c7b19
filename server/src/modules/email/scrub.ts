/** What could name a person or open a door is taken out of text that pages report; what is left is plain text. */
const hidden: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // JSON Web Tokens, and other long runs of letters and digits: tokens, codes, keys.
  [/eyJ[\w.-]{5,}/g, '[token]'],
  [/\b[\w-]{40,}\b/g, '[secret]'],
  [/(?<![\w.+-])[\w.+-]+@[\w.-]+/g, '[email]'],
  // Query strings hold search terms, which hold names.
  [/\?[^\s)'"]*/g, '?[query]'],
  [/\b\d+(?:\.\d+){4,}\b/g, '[uid]'],
]

export function scrub(text: string, mostChars: number): string {
  // Control characters would let a report forge lines of the log.
  const plain = text.slice(0, mostChars * 2).replace(/[^\P{C}\n]/gu, ' ')
  const lines = plain.split('\n').map(withoutName)
  return hidden
    .reduce((left, [pattern, instead]) => left.replace(pattern, instead), lines.join('\n'))
    .slice(0, mostChars)
}

/**
 * Names as DICOM writes them, DOE^JOHN ADAM: where such a name ends cannot be told, so the rest of its line goes with
 * it.
 */
function withoutName(line: string): string {
  const caret = line.indexOf('^')
  return caret < 0 ? line : `${line.slice(0, line.lastIndexOf(' ', caret) + 1)}[name]`
}
