import { parseSync, visitorKeys } from 'oxc-parser'
import type { Syntax } from './faults.ts'
import { brief } from './syntax.ts'

/** One decision of a source: something that is true or not, there or not, less, equal or more. */
export interface Decision {
  readonly file: string
  readonly line: number
  readonly text: string
  /** What it can be found to be. */
  readonly sides: readonly Side[]
}

/** `equal`: both values of a `<` or `>` are the same, where mistakes by one are made. */
export type Side = 'true' | 'false' | 'equal' | 'missing' | 'there'

interface Insertion {
  readonly at: number
  readonly end: number
  readonly text: string
}

const ordered: readonly unknown[] = ['<', '<=', '>', '>=']
const compared: readonly unknown[] = ['===', '!==', '==', '!=', 'instanceof', 'in', ...ordered]

/**
 * A source that writes down on which side each of its decisions falls, on the lines where it was, and what the
 * decisions are. Numbers of decisions begin at `first`.
 *
 * @param record the file that sides are written to, a line each: the number and the side
 */
export function markSides(
  file: string,
  source: string,
  first: number,
  record: string,
): { readonly source: string; readonly decisions: readonly Decision[] } {
  const decisions: Decision[] = []
  const insertions: Insertion[] = []
  const mark = (node: Syntax, sides: readonly Side[], open: (id: number) => string) => {
    insertions.push({ at: node.start, end: node.end, text: open(first + decisions.length) })
    const line = source.slice(0, node.start).split('\n').length
    decisions.push({ file, line, text: brief(node, source), sides })
  }
  const visit = (node: Syntax, parents: readonly Syntax[]): void => {
    if (/^(?:TS(?!AsExpression|NonNull|Satisfies)|ImportDeclaration)/.test(node.type)) return
    if (isComparison(node)) {
      const { left, right, operator } = node as unknown as { left: Syntax; right: Syntax; operator: string }
      if (ordered.includes(operator) && !isOfLoop(node, parents)) {
        mark(node, ['true', 'false', 'equal'], (id) => `__sides.order(${id},'${operator}',`)
        insertions.push({ at: left.end, end: right.start, text: ',' })
      } else mark(node, ['true', 'false'], (id) => `__sides.truth(${id},`)
    } else if (isLeftOfNullish(node, parents)) mark(node, ['missing', 'there'], (id) => `__sides.presence(${id},`)
    else if (isDecided(node, parents)) mark(node, ['true', 'false'], (id) => `__sides.truth(${id},`)
    for (const key of visitorKeys[node.type] ?? [])
      for (const child of [node[key]].flat()) if (child) visit(child as Syntax, [node, ...parents])
  }
  visit(parseSync(file, source).program as unknown as Syntax, [])
  return { source: decisions.length === 0 ? source : withRecorder(insert(source, insertions), record), decisions }
}

/** `a === b`, but none with a private name, which is no value. */
const isComparison = ({ type, operator, left }: Syntax): boolean =>
  type === 'BinaryExpression' && compared.includes(operator) && (left as Syntax).type !== 'PrivateIdentifier'

/** The end of a loop is seen by whoever runs it. */
const isOfLoop = (node: Syntax, parents: readonly Syntax[]): boolean =>
  parents.some(
    ({ type, test }, at) => /^(?:For|While|DoWhile)Statement$/.test(type) && test === (parents[at - 1] ?? node),
  )

/** `list[0] ?? …` is written for the compiler where there is always one. */
const isLeftOfNullish = (node: Syntax, [parent]: readonly Syntax[]): boolean =>
  parent?.type === 'LogicalExpression' &&
  parent.operator === '??' &&
  parent.left === node &&
  !isJoined(node) &&
  node.computed !== true

const isJoined = ({ type, operator }: Syntax): boolean => type === 'LogicalExpression' && operator !== '??'

/** Whether a statement, an operator or an expression goes one way or the other by this value. */
const isDecided = (node: Syntax, parents: readonly Syntax[]): boolean =>
  !isJoined(node) &&
  !isNegation(node) &&
  !/^(?:JSX|Literal|ArrowFunction|Function|Parenthesized)/.test(node.type) &&
  isTested(node, parents)

/** The right of `a && b` is a result, unless what both make is tested. */
function isTested(node: Syntax, [parent, ...rest]: readonly Syntax[]): boolean {
  if (parent === undefined) return false
  if (parent.type === 'ParenthesizedExpression') return isTested(parent, rest)
  if (isJoined(parent)) return parent.left === node || isTested(parent, rest)
  return isNegation(parent) || (parent.test === node && parent.type !== 'SwitchCase')
}

const isNegation = ({ type, operator }: Syntax): boolean => type === 'UnaryExpression' && operator === '!'

/** Each node in the brackets of its call; those within stand in those around. An operator becomes the comma. */
function insert(source: string, insertions: readonly Insertion[]): string {
  const opened = insertions.filter(({ text }) => text !== ',')
  const edits = [
    ...opened.map(({ at, end, text }) => ({ at, to: at, text, order: -end })),
    ...opened.map(({ at, end }) => ({ at: end, to: end, text: ')', order: -at - source.length * 2 })),
    ...insertions.filter(({ text }) => text === ',').map(({ at, end }) => ({ at, to: end, text: ',', order: 0 })),
  ].sort((a, b) => a.at - b.at || a.order - b.order)
  let marked = ''
  let from = 0
  for (const { at, to, text } of edits) {
    marked += source.slice(from, at) + (text === ',' ? keepLines(source.slice(at, to)) : text)
    from = to
  }
  return marked + source.slice(from)
}

/** A comma in place of an operator, with the brackets, comments and lines that stand around it. */
const keepLines = (between: string): string => between.replace(/(?:[<>]=?)/, ',')

/** In the first line, so that the others stay where they are. */
function withRecorder(source: string, record: string): string {
  const head = /^#!.*\n/.exec(source)?.[0] ?? ''
  return `${head}globalThis.__sides??=${recorder(record)};${source.slice(head.length)}`
}

/** Runs in every program that is watched, a page in Jest as well: it stands on nothing but what Node always has. */
const recorder = (file: string): string =>
  [
    '(()=>{const fs=globalThis.process?.getBuiltinModule?.("node:fs");',
    'const append=fs?.appendFileSync;const seen=new Set();',
    'const see=(id,side)=>{const line=id+" "+side+"\\n";if(seen.has(line))return;seen.add(line);',
    `append?.(${JSON.stringify(file)},line)};`,
    'return{truth:(id,value)=>(see(id,value?"true":"false"),value),',
    'presence:(id,value)=>(see(id,value===null||value===undefined?"missing":"there"),value),',
    'order:(id,operator,left,right)=>{if(left>=right&&left<=right)see(id,"equal");',
    'const is=operator==="<"?left<right:operator==="<="?left<=right:operator===">"?left>right:left>=right;',
    'see(id,is?"true":"false");return is}}})()',
  ].join('')

/** A line for each decision of which some sides were never seen, with those; what never came up is said so. */
export function tellUnseen(decisions: readonly Decision[], recorded: string): string[] {
  const seen = new Set(recorded.split('\n'))
  return decisions.flatMap(({ file, line, text, sides }, id) => {
    const unseen = sides.filter((side) => !seen.has(`${id} ${side}`))
    if (unseen.length === 0) return []
    const what = unseen.length === sides.length ? 'never reached' : `never ${unseen.join(', never ')}`
    return [`${file}:${line} ${text} · ${what}`]
  })
}
