import { listFiles, lineAt, readText } from '../workspace/files.ts'
import { walkSyntax, type SyntaxNode } from '../workspace/syntaxTree.ts'

export interface Clause {
  id: string
  behaviour: string
  /** Ids of the rows that this one gathers; absent when tests show the row itself. */
  gathers?: string[]
  /** Nothing to show. */
  isNote: boolean
  tests: { title: string; where: string }[]
}

export interface ClauseReport {
  clauses: Clause[]
  /** Tests that name a row which does not exist. */
  unknown: string[]
  unproven: Clause[]
}

const idPattern = /^\d\.\d\d$|^P\d\d$/

/** Every row of docs/product.md with the tests whose titles name it. */
export function createClauseReport(): ClauseReport {
  const clauses = parseClauses(readText('docs/product.md'))
  const byId = new Map(clauses.map((clause) => [clause.id, clause]))
  const unknown: string[] = []
  for (const { title, where } of listTitles()) {
    for (const id of parseIds(title)) {
      const clause = byId.get(id)
      if (clause) clause.tests.push({ title, where })
      else unknown.push(`${where} names [${id}], which docs/product.md does not have: ${title}`)
    }
  }
  const isShown = (clause: Clause): boolean =>
    clause.isNote ||
    (clause.gathers ? clause.gathers.every((id) => isShown(byId.get(id) ?? clause)) : clause.tests.length > 0)
  return { clauses, unknown, unproven: clauses.filter((clause) => !isShown(clause)) }
}

export function parseClauses(text: string): Clause[] {
  return text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => idPattern.test(cells[1] ?? ''))
    .map(([, id = '', behaviour = '', shownBy = '']) => ({
      id,
      behaviour,
      isNote: shownBy === 'note',
      tests: [],
      ...(shownBy.startsWith('all of ') ? { gathers: expandRange(shownBy.slice('all of '.length)) } : {}),
    }))
}

/** '7.03–7.05' → 7.03, 7.04, 7.05 */
function expandRange(text: string): string[] {
  const [from = '', to = from] = text.split('–')
  const chapter = from.slice(0, 2)
  const [first, last] = [Number(from.slice(2)), Number(to.slice(2))]
  return Array.from({ length: last - first + 1 }, (_, index) => `${chapter}${String(first + index).padStart(2, '0')}`)
}

/** 'keeps the id [3.01, 5.02] [P12]' → 3.01, 5.02, P12 */
export function parseIds(title: string): string[] {
  return title
    .split('[')
    .slice(1)
    .flatMap((part) => (part.includes(']') ? part.slice(0, part.indexOf(']')).split(',') : []))
    .map((word) => word.trim())
    .filter((word) => idPattern.test(word))
}

function* listTitles(): Generator<{ title: string; where: string }> {
  for (const file of listFiles('.', /\.(test\.tsx?|e2e\.ts)$/)) {
    const text = readText(file)
    for (const { node } of walkSyntax(file, text)) {
      const { type, start, value, quasis } = node as SyntaxNode & { quasis?: { value: { raw: string } }[] }
      const title = type === 'Literal' ? value : quasis?.map((quasi) => quasi.value.raw).join('…')
      if (typeof title === 'string' && title.includes('[')) yield { title, where: `${file}:${lineAt(text, start)}` }
    }
  }
}
