import { parseSync, visitorKeys } from 'oxc-parser'

/** One small change that makes a source wrong. */
export interface Fault {
  file: string
  start: number
  end: number
  text: string
  what: string
}

interface Syntax extends Record<string, unknown> {
  type: string
  start: number
  end: number
}

const operators: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '&&': '||', '||': '&&', '+': '-', '-': '+' }

/** Words of the domain that mean the opposite, or the next in a row. */
const words: Record<string, string> = {
  Activated: 'Deactivated',
  Deactivated: 'Activated',
  Approved: 'Rejected',
  Rejected: 'Approved',
  New: 'Approved',
  Enabled: 'Disabled',
  Created: 'Not Created',
  asc: 'desc',
  desc: 'asc',
  List: 'Get',
  Get: 'List',
  Add: 'List',
  Update: 'Get',
  Activate: 'Update',
  DeActivate: 'Activate',
  Delete: 'List',
  Share: 'List',
  Approve: 'List',
  Reject: 'List',
  UpdateStatus: 'List',
  AssignLicenses: 'List',
  CreateDatastore: 'List',
  ResetTemporaryPassword: 'List',
  SendUpdatedTermsOfUse: 'List',
}

/** Every fault that can be seeded into this source: limits, comparisons, conditions, statuses, permissions, refusals. */
export function faultsOf(file: string, source: string): Fault[] {
  const faults: Fault[] = []
  const waiting: unknown[] = [parseSync(file, source).program]
  while (waiting.length > 0) {
    const node = waiting.pop() as Syntax | null
    if (!node || typeof node.type !== 'string' || node.type.startsWith('TS') || node.type === 'ImportDeclaration' || isLook(node, source)) continue
    const fault = faultAt(node, source)
    if (fault) faults.push({ file, ...fault })
    for (const key of visitorKeys[node.type] ?? []) {
      const child = node[key]
      if (Array.isArray(child)) waiting.push(...child)
      else if (child) waiting.push(child)
    }
  }
  return faults
}

/** `width={1140}`: a number that is only seen is for the comparison of pictures. */
const isLook = ({ type, start, end }: Syntax, source: string): boolean => type === 'JSXAttribute' && /^[a-z]\w*=\{\d+\}$/i.test(source.slice(start, end))

function faultAt(node: Syntax, source: string): Omit<Fault, 'file'> | undefined {
  const { start, end } = node
  const written = source.slice(start, end)
  switch (node.type) {
    case 'Literal':
      return literalFault(node, written)
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const [left, right] = [node.left, node.right] as Syntax[]
      const operator = node.operator as string
      const other = operators[operator]
      if (!left || !right || !other || (operator === '+' && /['"`]/.test(written))) return undefined
      return { start, end, text: `${source.slice(left.start, left.end)} ${other} ${source.slice(right.start, right.end)}`, what: `${operator} becomes ${other}` }
    }
    case 'UnaryExpression': {
      const argument = node.argument as Syntax
      return node.operator === '!' ? { start, end, text: source.slice(argument.start, argument.end), what: `"${written}" is no longer negated` } : undefined
    }
    case 'IfStatement': {
      const consequent = node.consequent as Syntax
      const isRefusal = source.slice(consequent.start, consequent.end).replace('{', '').trim().startsWith('throw')
      return isRefusal ? { start, end, text: ';', what: `the refusal "${written.split('\n')[0]?.slice(0, 80)}" is dropped` } : undefined
    }
    default:
      return undefined
  }
}

function literalFault({ start, end, value }: Syntax, written: string): Omit<Fault, 'file'> | undefined {
  if (typeof value === 'boolean') return { start, end, text: String(!value), what: `${value} becomes ${!value}` }
  if (typeof value === 'number' && value >= 1) return { start, end, text: String(value + 1), what: `${written} becomes ${value + 1}` }
  const other = typeof value === 'string' ? words[value] : undefined
  return other ? { start, end, text: `'${other}'`, what: `${written} becomes '${other}'` } : undefined
}

export const applied = (source: string, { start, end, text }: Fault): string => source.slice(0, start) + text + source.slice(end)

/** As many as wanted, spread over the files, the same ones for the same seed. */
export function chosen(faults: Fault[], count: number, seed: number): Fault[] {
  const draw = random(seed)
  const byFile = new Map<string, Fault[]>()
  for (const fault of faults) byFile.set(fault.file, [...(byFile.get(fault.file) ?? []), fault])
  const piles = [...byFile.values()].map((pile) => shuffled(pile, draw))
  const all: Fault[] = []
  while (all.length < count && piles.some((pile) => pile.length > 0)) {
    for (const pile of shuffled(piles, draw)) {
      const next = pile.pop()
      if (next && all.length < count) all.push(next)
    }
  }
  return all
}

function shuffled<T>(list: T[], draw: () => number): T[] {
  return list.map((item) => ({ item, at: draw() })).sort((a, b) => a.at - b.at).map(({ item }) => item)
}

/** mulberry32 */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
