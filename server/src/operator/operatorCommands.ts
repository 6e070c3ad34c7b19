import type { Dependencies } from '../dependencies.ts'
import { backupCommand } from './backup/backupCommand.ts'
import { exportCommand } from './exportCommand.ts'
import { importCommand } from './importCommand.ts'
import { ingestCommand } from './ingestCommand.ts'

/** What a command says on its way: one line of JSON. */
export type OperatorLine =
  | { readonly text: string }
  | { readonly progress: { readonly done: number; readonly total: number; readonly bytes: number } }
  | { readonly failure: readonly string[] }
  | { readonly end: true }

export type Say = (line: OperatorLine) => void

/** Checks its own input: it comes from another process. Throws a `StartFailure` with sentences for the operator. */
export type OperatorWork = (deps: Dependencies, input: unknown, say: Say, signal: AbortSignal) => Promise<void>

/** What the operator of the machine has done by the running server. */
export const operatorCommands = {
  backup: backupCommand,
  ingest: ingestCommand,
  export: exportCommand,
  import: importCommand,
} as const satisfies Record<string, OperatorWork>

export type OperatorCommand = keyof typeof operatorCommands

export const isOperatorCommand = (name: string): name is OperatorCommand => Object.hasOwn(operatorCommands, name)
