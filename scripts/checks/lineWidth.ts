import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, readText, root } from '../workspace/files.ts'
import { walkSyntax } from '../../shared/build/src/syntaxTree.ts'

export const maxColumns = 120
/** The text allowed around a literal that makes its line too long: any more could move to a line of its own. */
const maxAround = 60

/**
 * No line of a source is wider than 120 columns. The formatter takes care of code; this takes care of what it leaves
 * alone: comments and the text of templates over several lines (SQL, HTML, generated code), which can be broken.
 *
 * A line may be wider for the sake of one thing that cannot be broken, when at most 60 columns stand around it: a
 * string, template or regular expression that begins and ends on the line (a sentence, the title of a test), or a word
 * without a space (an address, a hash).
 */
export function listWidthFiles(): string[] {
  const files = listFiles('.', /\.(ts|tsx|mjs|cjs|js|css|sh|ya?ml)$/).filter((file) => file !== 'pnpm-lock.yaml')
  if (existsSync(join(root, '.ci', 'run'))) files.push('.ci/run')
  return files
}

export const findAllWideLines = (files: readonly string[]): string[] =>
  files.flatMap((file) => findWideLines(file, readText(file)))

export function findWideLines(file: string, text: string): string[] {
  const lines = text.split('\n')
  if (lines.every((line) => line.length <= maxColumns)) return []
  const literals = /\.(ts|tsx|mjs|cjs|js)$/.test(file) ? longestLiterals(file, text) : new Map<number, number>()
  return lines.flatMap((line, index) => {
    const unbreakable = Math.max(literals.get(index) ?? 0, ...line.split(/\s+/).map((word) => word.length))
    if (line.length <= maxColumns || (unbreakable > maxAround && line.length - unbreakable <= maxAround)) return []
    return [`${file}:${index + 1} is ${line.length} columns wide. Break the line: ${maxColumns} are the most.`]
  })
}

/** The length of the longest literal on each line, by the line's index. */
function longestLiterals(file: string, text: string): Map<number, number> {
  const lengths = new Map<number, number>()
  for (const { node } of walkSyntax(file, text)) {
    if (node.type !== 'Literal' && node.type !== 'TemplateLiteral') continue
    const literal = text.slice(node.start, node.end)
    if (literal.includes('\n') || literal.length <= maxAround) continue
    const index = text.slice(0, node.start).split('\n').length - 1
    lengths.set(index, Math.max(lengths.get(index) ?? 0, literal.length))
  }
  return lengths
}
