import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { node } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'
import type { ServerNews } from './keepServer.ts'

/**
 * The server in demo mode, started anew when one of its sources changes, by a process of its own (`keepServer.ts`); it
 * ends with this process. If its settings or its place keep it from the first start, this process ends as well; where a
 * source does, or anything after a change, the next change is the next attempt.
 *
 * @param options for Node: `--inspect`
 * @param hear is told what the server is about, and why there is none
 */
export function watchServer(
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
  hear: (news: ServerNews) => void = () => undefined,
): void {
  // A thread of the database that is ended would take the process along (scripts/dmp.mjs).
  const flags = ['--disable-warning=ExperimentalWarning', '--no-memory-protection-keys']
  const keeper = spawn(node, [...flags, join(root, 'scripts/dev/keepServer.ts'), ...options], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  })
  keeper.on('message', (news: ServerNews) => hear(news))
  // The database is closed when this process is over, and may be opened by the next one.
  keeper.on('exit', (code) => process.exit(code ?? 1))
  process.once('exit', () => keeper.kill())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => keeper.kill('SIGTERM'))
}
