import { listFiles, readText } from '../workspace/files.ts'

/** Properties of a side, by the start of their name. */
const sides = /^(?:(?:margin|padding|border|scroll-margin|scroll-padding)-)?(?:left|right)(?:-|$)/
const corners = /^border-(?:top|bottom)-(?:left|right)-radius$/
/** Properties whose values may be sides. */
const sided = new Set(['text-align', 'float', 'clear', 'justify-content', 'caption-side'])
/** Properties with a value for each side: top, right, bottom, left. */
const fourSided = new Set(['margin', 'padding', 'inset', 'border-width', 'border-style', 'border-color'])

/**
 * Arabic is written from right to left, and its pages are mirrored: styles say `start` and `end`. What keeps its side
 * in every language is written below `direction: ltr`, or after a comment in the same rule that begins with
 * `physical:` and says why.
 */
export function checkLogicalStyles(): string[] {
  return listFiles('.', /\.css$/).flatMap((file) => findSides(file, readText(file)))
}

export function findSides(file: string, text: string): string[] {
  const problems: string[] = []
  let line = 1
  let isExcused = false
  // Comments, and whatever ends with one of the three signs that structure a style sheet.
  for (const [part] of text.matchAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|[^;{}/]+[;{}]?|[;{}/]/g)) {
    const start = line + leadingLines(part)
    line += part.split('\n').length - 1
    if (part.startsWith('/*')) isExcused = part.startsWith('/* physical: ')
    else if (/[;}]$/.test(part)) {
      const problem = isExcused ? undefined : findSide(part.slice(0, -1))
      if (problem) problems.push(`${file}:${start}: ${problem}`)
      isExcused = false
    }
  }
  return problems
}

const leadingLines = (part: string): number =>
  part.length === 0 ? 0 : part.slice(0, part.search(/\S|$/)).split('\n').length - 1

function findSide(declaration: string): string | undefined {
  const [name = '', value = ''] = declaration.split(':').map((piece) => piece.trim())
  if (sides.test(name) || corners.test(name)) return `${name} is a side of the page. Write its start or end.`
  if (sided.has(name) && /\b(?:left|right)\b/.test(value))
    return `${name}: ${value} is a side of the page. Write start or end.`
  const values = value.split(/\s+(?![^(]*\))/)
  if (fourSided.has(name) && values.length === 4 && values[1] !== values[3])
    return `${name}: ${value} differs between left and right. Write ${name}-inline.`
  return undefined
}
