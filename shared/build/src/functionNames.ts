import { walkSyntax, type SyntaxNode } from './syntaxTree.ts'

/** A function of a source: its first and last place (line from 1, column from 0), and its name. */
export type NamedFunction = readonly [line: number, column: number, endLine: number, endColumn: number, name: string]

const functions = /^(?:ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/
const longestName = 100

/** The functions of a source that have a name, or get one from what they are put into; inner ones after outer ones. */
export function listFunctions(file: string, source: string): NamedFunction[] {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const toPlace = (at: number): [number, number] => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (starts[middle]! <= at) low = middle
      else high = middle - 1
    }
    return [low + 1, at - starts[low]!]
  }
  const found: NamedFunction[] = []
  for (const { node, parents } of walkSyntax(file, source)) {
    if (!functions.test(node.type)) continue
    const name = nameOf(node, parents)
    if (name !== undefined) found.push([...toPlace(node.start), ...toPlace(node.end), name.slice(0, longestName)])
  }
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1])
}

function nameOf(node: SyntaxNode, parents: readonly SyntaxNode[]): string | undefined {
  const own = wordOf(node.id)
  if (own !== undefined) return own
  const [parent, above, ...rest] = parents
  if (parent === undefined) return undefined
  if (parent.type === 'VariableDeclarator') return wordOf(parent.id)
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') {
    const inClass = rest.length > 0 ? wordOf(rest[0]?.id) : undefined
    return [inClass, wordOf(parent.key)].filter(Boolean).join('.') || undefined
  }
  if (parent.type === 'Property') return parent.computed === true ? undefined : wordOf(parent.key)
  if (parent.type === 'AssignmentExpression') return wordOf(parent.left) ?? wordOf((parent.left as SyntaxNode).property)
  // A handler is known by what it answers: `onClick`.
  if (parent.type === 'JSXExpressionContainer' && above?.type === 'JSXAttribute') return wordOf(above.name)
  // `const Row = memo(function …)`, `const load = useCallback(() => …)`
  return parent.type === 'CallExpression' && above?.type === 'VariableDeclarator' ? wordOf(above.id) : undefined
}

function wordOf(node: unknown): string | undefined {
  const { type, name } = (node ?? {}) as { type?: string; name?: unknown }
  return /^(?:Identifier|PrivateIdentifier|JSXIdentifier)$/.test(type ?? '') && typeof name === 'string'
    ? name
    : undefined
}
