import type { CompiledQuery, DatabaseConnection, OperationNode, RootOperationNode } from 'kysely'
import { createQueryId, CompiledQuery as Compiled, PostgresQueryCompiler, RawNode, WhereNode } from 'kysely'
import { listConditions } from './conjuncts.ts'

/** Something that became known of a condition; `key` is the same for each statement of one text. */
export type Finding =
  | { readonly key: string; readonly text: string; readonly place: string }
  | { readonly key: string; readonly outcome: 'told apart' | 'cannot be left out' }

type Execute = (statement: CompiledQuery) => Promise<{ readonly rows: unknown[] }>

/**
 * A condition that made no difference so often makes none in these tests: among answers with rows, and among those
 * without. What is asked all the time mostly finds something, and who is refused by a condition finds nothing.
 */
const mostTries = 25
const compiler = new PostgresQueryCompiler()
const compile = (statement: RootOperationNode): CompiledQuery => compiler.compileQuery(statement, createQueryId())

/**
 * Asks of each condition of a statement, before that is executed, whether its rows would be others without it. A
 * condition that never makes a difference could be forgotten, and no test would notice.
 */
export class ConditionJudge {
  readonly #tell: (finding: Finding) => void
  readonly #tries = new Map<string, { withRows: number; without: number }>()
  readonly #inTransaction = new WeakSet<DatabaseConnection>()

  constructor(tell: (finding: Finding) => void) {
    this.#tell = tell
  }

  async judge(connection: DatabaseConnection, { sql, query }: CompiledQuery, execute: Execute, place: string) {
    if (/^\s*(?:begin|start transaction)/i.test(sql)) this.#inTransaction.add(connection)
    else if (/^\s*(?:commit|rollback)\s*$/i.test(sql)) this.#inTransaction.delete(connection)
    const selection = toSelection(query)
    if (selection === undefined) return
    const ask = this.#inTransaction.has(connection) ? atSavepoint(execute) : execute
    const read = async (statement: RootOperationNode) => JSON.stringify((await ask(compile(statement))).rows)
    let rows: string | undefined
    for (const [at, { condition, forgotten }] of listConditions(selection).entries()) {
      const key = `${toShape(sql)}#${at}`
      if (!this.#isOpen(key, () => ({ key, text: toText(condition), place }))) continue
      try {
        rows ??= await read(selection)
        if (!this.#isTried(key, rows)) continue
        if ((await read(forgotten)) !== rows) this.#end({ key, outcome: 'told apart' })
      } catch {
        // An aggregate, or a join that names what is gone: whoever forgets it learns at once.
        this.#end({ key, outcome: 'cannot be left out' })
      }
    }
  }

  #isOpen(key: string, describe: () => Finding): boolean {
    const tries = this.#tries.get(key)
    if (tries === undefined) {
      this.#tell(describe())
      this.#tries.set(key, { withRows: 0, without: 0 })
      return true
    }
    return tries.withRows < mostTries || tries.without < mostTries
  }

  #isTried(key: string, rows: string): boolean {
    const tries = this.#tries.get(key)
    if (tries === undefined) return false
    const kind = isNothing.test(rows) ? 'without' : 'withRows'
    tries[kind] += 1
    return tries[kind] <= mostTries
  }

  #end(finding: Finding): void {
    this.#tries.set(finding.key, { withRows: mostTries, without: mostTries })
    this.#tell(finding)
  }
}

/** No rows, or as many that would be written. */
const isNothing = /^(?:\[\]|\[\{"count":0\}\])$/

/** What the statement reads, without locks; of one that writes, how many rows. Undefined for all others. */
function toSelection(statement: OperationNode): RootOperationNode | undefined {
  const { kind, endModifiers: _locks, ...parts } = statement as OperationNode & Record<string, never>
  if (writes(Object.values(parts))) return undefined
  if (kind === 'SelectQueryNode') return { kind, ...parts } as unknown as RootOperationNode
  const {
    table,
    from,
    using,
    joins,
    where,
    with: common,
  } = parts as Record<string, Record<string, never[]> | undefined>
  if (kind !== 'UpdateQueryNode' && kind !== 'DeleteQueryNode') return undefined
  const froms = [...(table ? [table] : []), ...(from?.froms ?? []), ...(using?.tables ?? [])]
  const count = { kind: 'SelectionNode', selection: RawNode.createWithSql('count(*)::int') }
  const selection = { kind: 'SelectQueryNode', selections: [count], from: { kind: 'FromNode', froms } }
  return Object.assign(selection, joins && { joins }, where && { where }, common && { with: common }) as never
}

const writing = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])
const writes = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(writes)
    : typeof value === 'object' &&
      value !== null &&
      (('kind' in value && writing.has(String(value.kind))) || writes(Object.values(value)))

/** As many values as a list happens to have are one text. */
const toShape = (sql: string): string => sql.replaceAll(/\$\d+/g, '?').replaceAll(/\((?:\?, )+\?\)/g, '(?)')

const toText = (condition: OperationNode): string =>
  compile({ kind: 'SelectQueryNode', where: WhereNode.create(condition) })
    .sql.replace(/^select\s+where /, '')
    .replaceAll(/\s+/g, ' ')

/** What fails there does not end the transaction. */
const atSavepoint =
  (execute: Execute): Execute =>
  async (statement) => {
    await execute(Compiled.raw('savepoint condition'))
    try {
      return await execute(statement)
    } finally {
      await execute(Compiled.raw('rollback to savepoint condition'))
      await execute(Compiled.raw('release savepoint condition'))
    }
  }
