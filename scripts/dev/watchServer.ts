import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { node } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'

/**
 * The server in demo mode, started anew when one of its sources changes, by a process of its own (`keepServer.ts`); it
 * ends with this process. If it cannot start at all, this process ends as well; if it cannot after a change, the next
 * change is the next attempt.
 *
 * @param options for Node: `--inspect`
 */
export function watchServer(env: Readonly<Record<string, string>> = {}, options: readonly string[] = []): void {
  // A thread of the database that is ended would take the process along (scripts/dmp.mjs).
  const flags = ['--disable-warning=ExperimentalWarning', '--no-memory-protection-keys']
  const keeper = spawn(node, [...flags, join(root, 'scripts/dev/keepServer.ts'), ...options], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  })
  // The database is closed when this process is over, and may be opened by the next one.
  keeper.on('exit', (code) => process.exit(code ?? 1))
  process.once('exit', () => keeper.kill())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => keeper.kill('SIGTERM'))
}
