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
  const queue: Place[] = [new Place(parseSync(file, text).program as unknown as SyntaxNode, undefined)]
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { node } = next
    if ((yield next) === false) continue
    for (const key of visitorKeys[node.type] ?? []) {
      const value = node[key]
      if (!Array.isArray(value)) addPlace(queue, value, next)
      else for (const child of value) addPlace(queue, child, next)
    }
  }
}

/** Most callers never ask for what stands around a node. */
class Place implements Visit {
  readonly node: SyntaxNode
  readonly #above: Place | undefined

  constructor(node: SyntaxNode, above: Place | undefined) {
    this.node = node
    this.#above = above
  }

  get parents(): readonly SyntaxNode[] {
    const parents: SyntaxNode[] = []
    for (let above = this.#above; above; above = above.#above) parents.push(above.node)
    return parents
  }
}

function addPlace(queue: Place[], value: unknown, above: Place): void {
  if (typeof (value as SyntaxNode | null | undefined)?.type === 'string')
    queue.push(new Place(value as SyntaxNode, above))
}
