import type { SyntaxNode } from './syntaxTree.ts'

/** A name for a value of a text, by what it is: `scan.images.length` is `images`. */
export function nameOfValue(node: SyntaxNode): string {
  if (node.type === 'Identifier') return String(node.name)
  if (node.type === 'MemberExpression' && node.computed !== true) {
    const property = nameOfValue(node.property as SyntaxNode)
    return property === 'length' ? nameOfValue(node.object as SyntaxNode) : property
  }
  if (node.type !== 'CallExpression') return 'value'
  const [first] = node.arguments as readonly SyntaxNode[]
  const callee = node.callee as SyntaxNode
  if (first !== undefined && nameOfValue(first) !== 'value') return nameOfValue(first)
  return callee.type === 'MemberExpression' ? nameOfValue(callee.object as SyntaxNode) : 'value'
}

/** A name for an element within a text: `<Link>` is `link`. */
export function nameOfElement(node: SyntaxNode): string {
  const { name } = ((node.openingElement as SyntaxNode | undefined)?.name ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' && /^\w+$/.test(name) ? `${name.charAt(0).toLowerCase()}${name.slice(1)}` : 'part'
}
