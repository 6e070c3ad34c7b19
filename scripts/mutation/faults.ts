import { createHash } from 'node:crypto'
import { parseSync, visitorKeys } from 'oxc-parser'
import { literalFault } from './literals.ts'
import { findPeopleChanges, type PeopleKind } from './people.ts'

/** The kind of a fault; the draw takes from each kind in turn. */
export type Kind =
  | 'limit'
  | 'permission'
  | 'status'
  | 'comparison'
  | 'condition'
  | 'refusal'
  | 'flag'
  | 'sum'
  | PeopleKind

/** One small change that makes a source wrong. */
export interface Fault extends Change {
  file: string
  line: number
}

export interface Change {
  kind: Kind
  start: number
  end: number
  text: string
  what: string
}

export interface Syntax extends Record<string, unknown> {
  type: string
  start: number
  end: number
}

const operators: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
}

/**
 * Every fault that can be seeded into this source: limits, permissions, statuses, comparisons, conditions, refusals,
 * flags, sums; or those of omission, place and time that people make.
 */
export function listFaults(file: string, source: string, of: 'tokens' | 'people' = 'tokens'): Fault[] {
  const faults: Fault[] = []
  const queue: { node: unknown; parents: Syntax[] }[] = [{ node: parseSync(file, source).program, parents: [] }]
  for (let next = queue.pop(); next; next = queue.pop()) {
    const node = next.node as Syntax | null
    if (
      !node ||
      typeof node.type !== 'string' ||
      node.type.startsWith('TS') ||
      node.type === 'ImportDeclaration' ||
      isLook(node, source)
    )
      continue
    const changes =
      of === 'people'
        ? findPeopleChanges(node, next.parents, source)
        : [findChange(node, next.parents, source, file)].filter((change) => change !== undefined)
    for (const change of changes)
      faults.push({ file, line: source.slice(0, change.start).split('\n').length, ...change })
    const parents = [node, ...next.parents]
    for (const key of visitorKeys[node.type] ?? []) {
      const child = node[key]
      for (const childNode of Array.isArray(child) ? child : [child])
        if (childNode) queue.push({ node: childNode, parents })
    }
  }
  return faults
}

/** `width={1140}`: a number that is only seen is for the comparison of pictures. */
const isLook = ({ type, start, end }: Syntax, source: string): boolean =>
  type === 'JSXAttribute' && /^[a-z]\w*=\{\d+\}$/i.test(source.slice(start, end))

function findChange(node: Syntax, parents: Syntax[], source: string, file: string): Change | undefined {
  const { start, end } = node
  const sourceText = source.slice(start, end)
  switch (node.type) {
    case 'Literal':
      return literalFault(node, parents, source, file)
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorFault(node, source)
    case 'UnaryExpression': {
      const argument = node.argument as Syntax
      return node.operator === '!'
        ? {
            kind: 'condition',
            start,
            end,
            text: source.slice(argument.start, argument.end),
            what: `"${sourceText}" is no longer negated`,
          }
        : undefined
    }
    case 'IfStatement':
      return isRefusal(node.consequent as Syntax, source)
        ? {
            kind: 'refusal',
            start,
            end,
            text: ';',
            what: `the refusal "${sourceText.split('\n')[0]?.slice(0, 80)}" is dropped`,
          }
        : undefined
    default:
      return undefined
  }
}

/**
 * `throw new Refusal(…)`, `throw notThere()`. A plain Error tells developers about a state that cannot come from
 * outside: no call leads there.
 */
function isRefusal({ start, end }: Syntax, source: string): boolean {
  const consequent = source.slice(start, end).replace('{', '').trim()
  return consequent.startsWith('throw') && !/^throw new (?:Range|Type)?Error\(/.test(consequent)
}

function operatorFault(
  { start, end, left: leftSide, right: rightSide, operator }: Syntax,
  source: string,
): Change | undefined {
  const [left, right] = [leftSide, rightSide] as Syntax[]
  const other = operators[operator as string]
  if (!left || !right || !other || (operator === '+' && /['"`]/.test(source.slice(start, end)))) return undefined
  const kind = /[&|]/.test(other) ? 'condition' : /[+-]/.test(other) ? 'sum' : 'comparison'
  return {
    kind,
    start,
    end,
    text: `${source.slice(left.start, left.end)} ${other} ${source.slice(right.start, right.end)}`,
    what: `${operator} becomes ${other}`,
  }
}

export const applyFault = (source: string, { start, end, text }: Fault): string =>
  source.slice(0, start) + text + source.slice(end)

/**
 * As many as wanted, from each kind in turn and spread over the files. The seed decides, and a change in one file
 * leaves the draw of others alone.
 */
export function drawFaults(faults: Fault[], count: number, seed: number): Fault[] {
  const kinds = groupShuffled(faults, ({ kind }) => kind, seed).map((kind) =>
    interleave(
      groupShuffled(kind, ({ file, kind: of }) => `${of} ${file}`, seed).map((pile) =>
        shuffle(pile, ({ what, text, line }) => `${what} ${text} ${line}`, seed),
      ),
    ),
  )
  return interleave(kinds).slice(0, count)
}

/** Groups by a word, in the order of the draw. */
function groupShuffled(faults: Fault[], wordOf: (fault: Fault) => string, seed: number): Fault[][] {
  const groups = new Map<string, Fault[]>()
  for (const fault of faults) groups.set(wordOf(fault), [...(groups.get(wordOf(fault)) ?? []), fault])
  return shuffle([...groups], ([word]) => word, seed).map(([, group]) => group)
}

/** One of each pile before a second one of any. */
function interleave(all: Fault[][]): Fault[] {
  const deepest = Math.max(0, ...all.map((pile) => pile.length))
  return Array.from({ length: deepest }, (_, round) => all.flatMap((pile) => pile[round] ?? [])).flat()
}

function shuffle<T>(list: T[], wordOf: (item: T) => string, seed: number): T[] {
  const lot = (item: T) =>
    createHash('sha256')
      .update(`${seed} ${wordOf(item)}`)
      .digest('hex')
  return list
    .map((item) => ({ item, at: lot(item) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ item }) => item)
}
