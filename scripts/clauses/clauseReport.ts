import { listFiles, lineAt, readText } from '../workspace/files.ts'
import { walkSyntax, type SyntaxNode } from '../../shared/build/src/syntaxTree.ts'

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
  /** Tests that name more rows than one body can look at. */
  crowded: string[]
  unproven: Clause[]
}

/** A journey passes many screens; a test looks at one thing. */
const maxClauses = (where: string): number => (where.startsWith('e2e/') ? 12 : 7)

const idPattern = /^\d\.\d\d$|^P\d\d$/

/** Every row of docs/product.md with the tests whose titles name it. */
export function createClauseReport(): ClauseReport {
  const clauses = parseClauses(readText('docs/product.md'))
  const byId = new Map(clauses.map((clause) => [clause.id, clause]))
  const unknown: string[] = []
  const crowded: string[] = []
  for (const { title, where } of listTitles()) {
    const ids = parseIds(title)
    if (ids.length > maxClauses(where)) crowded.push(`${where} names ${ids.length} rows: split the test. ${title}`)
    for (const id of ids) {
      const clause = byId.get(id)
      if (clause) clause.tests.push({ title, where })
      else unknown.push(`${where} names [${id}], which docs/product.md does not have: ${title}`)
    }
  }
  const isShown = (clause: Clause): boolean =>
    clause.isNote ||
    (clause.gathers ? clause.gathers.every((id) => isShown(byId.get(id) ?? clause)) : clause.tests.length > 0)
  return { clauses, unknown, crowded, unproven: clauses.filter((clause) => !isShown(clause)) }
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
  for (const file of listFiles('.', /\.(test\.tsx?|e2e\.ts)$/))
    for (const { title, at, text } of titlesIn(file, readText(file)))
      if (title.includes('[')) yield { title, where: `${file}:${lineAt(text, at)}` }
}

/** The titles of a file's tests, and the rows of the tables that they are made from: no other text shows a clause. */
export function* titlesIn(file: string, text: string): Generator<{ title: string; at: number; text: string }> {
  for (const { node, parents } of walkSyntax(file, text)) {
    const { type, start, value, quasis } = node as SyntaxNode & { quasis?: { value: { raw: string } }[] }
    const title = type === 'Literal' ? value : quasis?.map((quasi) => quasi.value.raw).join('…')
    if (typeof title === 'string' && isTitle(node, parents)) yield { title, at: start, text }
  }
}

const isTable = ({ type }: SyntaxNode): boolean => type === 'ArrayExpression' || type === 'ObjectExpression'

/** The first argument of a test, or part of a table: of `it.each(…)`, or of a constant that such a call takes. */
function isTitle(node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  const [parent] = parents
  if (parent?.type === 'CallExpression' && isTestCall(parent) && argumentsOf(parent)[0] === node) return true
  const outside = parents.findIndex((around) => !isTable(around) && !/^(Property|TS\w+)$/.test(around.type))
  const around = parents[outside]
  if (outside < 1 || around === undefined) return false
  return around.type === 'VariableDeclarator' || (around.type === 'CallExpression' && isTestCall(around))
}

const argumentsOf = (call: SyntaxNode): readonly unknown[] =>
  (call['arguments'] as readonly unknown[] | undefined) ?? []

/** `it(…)`, `test.describe(…)`, `it.each(table)`, `describe.each(table)(…)`. */
function isTestCall({ callee }: SyntaxNode): boolean {
  const { type, name, object, callee: inner } = (callee ?? {}) as Record<string, unknown>
  if (type === 'Identifier') return ['it', 'test', 'describe'].includes(String(name))
  if (type === 'MemberExpression') return isTestCall({ callee: object } as unknown as SyntaxNode)
  return type === 'CallExpression' && isTestCall({ callee: inner } as unknown as SyntaxNode)
}
