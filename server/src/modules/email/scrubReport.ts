/** Patterns of personal data and secrets in text that pages report. */
const replacements: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // JSON Web Tokens, then other long runs of letters and digits: tokens, codes, keys.
  [/eyJ[\w.-]{5,}/g, '[token]'],
  [/\b[\w-]{40,}\b/g, '[secret]'],
  [/(?<![\w.+-])[\w.+-]+@[\w.-]+/g, '[email]'],
  // Query strings contain search terms, and those contain names.
  [/\?[^\s)'"]*/g, '?[query]'],
  [/\b\d+(?:\.\d+){4,}\b/g, '[uid]'],
]

export function scrubReport(text: string, maxLength: number): string {
  // Control characters would let a report forge log lines.
  const plainText = text.slice(0, maxLength * 2).replace(/[^\P{C}\n]/gu, ' ')
  const lines = plainText.split('\n').map(removeName)
  return replacements
    .reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), lines.join('\n'))
    .slice(0, maxLength)
}

/** A DICOM name such as DOE^JOHN ADAM has no recognizable end, so the rest of its line is removed with it. */
function removeName(line: string): string {
  const caret = line.indexOf('^')
  return caret < 0 ? line : `${line.slice(0, line.lastIndexOf(' ', caret) + 1)}[name]`
}
