import { parseSync, visitorKeys } from 'oxc-parser'

/** The properties that the checks need of a node of the syntax tree (ESTree, by oxc-parser). */
export interface SyntaxNode extends Record<string, unknown> {
  readonly type: string
  readonly start: number
  readonly end: number
}

export interface Visit {
  readonly node: SyntaxNode
  /** The nodes around it, the nearest first. */
  readonly parents: readonly SyntaxNode[]
}

/**
 * Every node of a source with its parents. The caller skips a node's children by `next(false)`.
 *
 * @param file its extension decides about types and JSX
 */
export function* walkSyntax(file: string, text: string): Generator<Visit, void, boolean | undefined> {
  const queue: { node: unknown; parents: readonly SyntaxNode[] }[] = [
    { node: parseSync(file, text).program, parents: [] },
  ]
  for (let next = queue.pop(); next; next = queue.pop()) {
    const node = next.node as SyntaxNode | null
    if (!node || typeof node.type !== 'string') continue
    if ((yield { node, parents: next.parents }) === false) continue
    const parents = [node, ...next.parents]
    for (const key of visitorKeys[node.type] ?? [])
      for (const child of [node[key]].flat()) if (child) queue.push({ node: child, parents })
  }
}
