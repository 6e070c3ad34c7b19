import type { OperationNode, RootOperationNode } from 'kysely'
import { RawNode } from 'kysely'

/** One condition of a statement (in `where`, `having` or a join's `on`), and the statement without it. */
export interface Condition {
  readonly condition: OperationNode
  readonly forgotten: RootOperationNode
}

type Fields = Readonly<Record<string, unknown>>
type Rebuild = (node: unknown) => RootOperationNode

const clauses: Readonly<Record<string, string>> = { WhereNode: 'where', HavingNode: 'having', OnNode: 'on' }

/** Every condition of a statement, also of those within it: what stands between two `and` is one. */
export const listConditions = (statement: RootOperationNode): Condition[] => [
  ...inNode(statement, (node) => node as RootOperationNode),
]

function* inNode(node: unknown, rebuild: Rebuild): Generator<Condition> {
  if (Array.isArray(node)) {
    for (const [at, one] of node.entries()) yield* inNode(one, (other) => rebuild(node.with(at, other)))
    return
  }
  if (!isFields(node) || node.kind === 'ValueNode') return
  for (const [name, part] of Object.entries(node)) {
    const clause = isFields(part) ? clauses[String(part.kind)] : undefined
    if (clause === undefined) yield* inNode(part, (other) => rebuild({ ...node, [name]: other }))
    else yield* inClause(part as Fields, clause, (other) => rebuild(withPart(node, name, other)))
  }
}

/** A join without any condition joins everything; of everything else the clause goes. */
function* inClause(part: Fields, clause: string, rebuild: Rebuild): Generator<Condition> {
  const without = clause === 'on' ? { ...part, on: RawNode.createWithSql('true') } : undefined
  yield* conjuncts(part[clause] as OperationNode, (rest) =>
    rebuild(rest === undefined ? without : { ...part, [clause]: rest }),
  )
  yield* inNode(part[clause], (other) => rebuild({ ...part, [clause]: other }))
}

function* conjuncts(node: OperationNode, rebuild: (rest?: OperationNode) => RootOperationNode): Generator<Condition> {
  const { kind, left, right, node: inner } = node as OperationNode & Record<'left' | 'right' | 'node', OperationNode>
  if (kind === 'AndNode') {
    yield* conjuncts(left, (rest) => rebuild(rest ? ({ kind, left: rest, right } as OperationNode) : right))
    yield* conjuncts(right, (rest) => rebuild(rest ? ({ kind, left, right: rest } as OperationNode) : left))
  } else if (kind === 'ParensNode' && inner.kind === 'AndNode') yield* conjuncts(inner, rebuild)
  else yield { condition: node, forgotten: rebuild() }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const withPart = (node: Fields, name: string, part: unknown): Fields =>
  part === undefined
    ? Object.fromEntries(Object.entries(node).filter(([other]) => other !== name))
    : { ...node, [name]: part }
