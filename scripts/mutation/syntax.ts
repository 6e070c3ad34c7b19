import type { Syntax } from './faults.ts'

export const replace = (start: number, end: number, text: string, what: string) => ({ start, end, text, what })
export const cut = (start: number, end: number, what: string) => replace(start, end, '', what)

export const textOf = ({ start, end }: Syntax, source: string): string => source.slice(start, end)
export const brief = (node: Syntax, source: string): string => textOf(node, source).replaceAll(/\s+/g, ' ').slice(0, 70)
/** None where there is a single node: the body of an arrow function may be an expression. */
export function childrenOf(node: Syntax, key: string): Syntax[] {
  const children = node[key]
  return Array.isArray(children) ? (children as (Syntax | null)[]).filter((child) => child !== null) : []
}
const nameOf = (node: unknown): string =>
  String((node as { name?: unknown; value?: unknown }).name ?? (node as { value?: unknown }).value)
export const keyOf = ({ key }: Syntax): string => nameOf(key)
export const expressionOf = (node: Syntax): Syntax => (node.expression ?? node.argument ?? node) as Syntax
export const methodOf = ({ type, callee }: Syntax): string =>
  type === 'CallExpression' && (callee as Syntax).type === 'MemberExpression' ? nameOf((callee as Syntax).property) : ''
export const objectOf = ({ callee }: Syntax): Syntax => (callee as Syntax).object as Syntax

/** Takes an element, a property or an argument out of its list, with a comma beside it. */
export function dropFromList(node: Syntax, [list]: Syntax[], what: string) {
  const siblings =
    ['elements', 'properties', 'arguments'].map((key) => childrenOf(list!, key)).find((all) => all.includes(node)) ?? []
  const next = siblings[siblings.indexOf(node) + 1]
  const previous = siblings[siblings.indexOf(node) - 1]
  return next ? cut(node.start, next.start, what) : cut(previous?.end ?? node.start, node.end, what)
}

/** Words in the text of a query. */
export function inTemplate(
  node: Syntax,
  source: string,
  words: RegExp,
  replacement: (word: string) => string,
  kind = 'unit',
) {
  if (node.type !== 'TemplateElement') return []
  return [...textOf(node, source).matchAll(words)].map(({ 0: word, index }) =>
    replace(
      node.start + index,
      node.start + index + word.length,
      replacement(word),
      `the ${kind} "${word.trim()}" is another: "${brief(node, source)}"`,
    ),
  )
}

/** `await …` as a statement that is not about giving way or ending. */
export const isAwaited = (node: Syntax): boolean =>
  node.type === 'ExpressionStatement' &&
  expressionOf(node).type === 'AwaitExpression' &&
  expressionOf(expressionOf(node)).type === 'CallExpression' &&
  !/^(?:rest|pause|sleep|setImmediate|setTimeout|breathe|giveWay|close|end|destroy)$/.test(
    calledName(expressionOf(expressionOf(node))),
  )

const calledName = (call: Syntax): string => methodOf(call) || nameOf(call.callee)

export const isReturnInTry = (node: Syntax, parents: Syntax[]): boolean =>
  node.type === 'ReturnStatement' &&
  (node.argument as Syntax | null)?.type === 'AwaitExpression' &&
  parents[1]?.type === 'TryStatement' &&
  parents[1].block === parents[0]

/** The last step, or the one before the answer. */
export function isLast(node: Syntax, [parent]: Syntax[]): boolean {
  if (parent?.type !== 'BlockStatement') return false
  const rest = childrenOf(parent, 'body').filter(({ start }) => start > node.start)
  return rest.every(({ type }) => type === 'ReturnStatement')
}

/** `await step.audit({ … })` */
export const isAudit = (node: Syntax | undefined, source: string): boolean =>
  node !== undefined && /^(?:await )?(?:\w+\.)?audit\(/.test(textOf(node, source)) && /^(?:Await|Call)/.test(node.type)

/** `await a.b(…)`, `void b(…)` or `a?.b(…)` as a statement, by the name of what is called. */
export function isStatementOf(node: Syntax, names: RegExp): boolean {
  if (node.type !== 'ExpressionStatement') return false
  let call = expressionOf(node)
  while (/^(?:Await|Unary|Chain)Expression$/.test(call.type)) call = expressionOf(call)
  return call.type === 'CallExpression' && names.test(calledName(call))
}

export const isArgument = (node: Syntax, [call]: Syntax[]): boolean =>
  call !== undefined && /^(?:Call|New)Expression$/.test(call.type) && childrenOf(call, 'arguments').includes(node)

export const isListed = (node: Syntax, [list]: Syntax[]): boolean =>
  list?.type === 'ArrayExpression' && childrenOf(list, 'elements').includes(node)

/** `refresh([…])`, `refreshes: […]`, `refreshes={[…]}`, `const scanLists = […]` */
export const isRefreshes = ([of, around]: Syntax[]): boolean =>
  of !== undefined &&
  ((of.type === 'CallExpression' && calledName(of) === 'refresh') ||
    (of.type === 'Property' && keyOf(of) === 'refreshes') ||
    (of.type === 'VariableDeclarator' && /^refreshes|lists$/i.test(nameOf(of.id))) ||
    (around?.type === 'JSXAttribute' && nameOf(around.name) === 'refreshes'))

/** The function that is given to an effect is the nearest around. */
export function isEffect(parents: Syntax[]): boolean {
  const at = parents.findIndex(({ type }) => /Function/.test(type))
  return at >= 0 && /^use(?:Layout)?Effect$/.test(nameOf(parents[at + 1]?.callee ?? {}))
}

/** `reply.headers({ … })`, `headers: { … }`, `const headers = { … }` */
export const isHeaders = ([object, of]: Syntax[]): boolean =>
  object?.type === 'ObjectExpression' &&
  ((/^(?:headers|writeHead)$/.test(of ? methodOf(of) : '') && of!.callee !== object) ||
    (of?.type === 'Property' && keyOf(of) === 'headers') ||
    (of?.type === 'VariableDeclarator' && /headers$/i.test(nameOf(of.id))))

/** `{ title: 'Size', value: (row) => row.bytes }`: what a column or a fact shows. */
export const shownBy = (entry: Syntax): Syntax | undefined =>
  entry.type === 'ObjectExpression'
    ? (childrenOf(entry, 'properties').find((property) => property.type === 'Property' && keyOf(property) === 'value')
        ?.value as Syntax | undefined)
    : undefined

/** Fields of one thing, or names of which the last word is the same or its counterpart. */
export function isExchangeable(one: Syntax, other: Syntax, source: string): boolean {
  const [first, second] = [textOf(one, source), textOf(other, source)]
  if (one.type !== other.type || first === second) return false
  const isSame = (part: 'object' | 'callee') =>
    textOf(one[part] as Syntax, source) === textOf(other[part] as Syntax, source)
  if (one.type === 'MemberExpression') return isSame('object')
  if (one.type === 'CallExpression') return isSame('callee') && /^to[A-Z]|^format/.test(calledName(one))
  if (one.type === 'ArrowFunctionExpression') return (one.body as Syntax).type !== 'BlockStatement'
  const lastWord = (name: string) => name.split(/_|(?=[A-Z])/).at(-1)
  return (
    one.type === 'Identifier' &&
    (lastWord(first) === lastWord(second) || counterparts.has([first, second].sort().join()))
  )
}

const counterparts = new Set(
  [
    ['from', 'to'],
    ['from', 'until'],
    ['first', 'last'],
    ['start', 'end'],
    ['min', 'max'],
    ['width', 'height'],
    ['rows', 'columns'],
    ['left', 'right'],
    ['before', 'after'],
    ['offset', 'length'],
    ['x', 'y'],
    ['name', 'title'],
  ].map((pair) => pair.sort().join()),
)

/** `{ return }` is `return`. */
export function onlyStep(node: Syntax): Syntax {
  const [step, more] = childrenOf(node, 'body')
  return node.type === 'BlockStatement' && step && !more ? step : node
}
