import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { node } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'

/** The server in demo mode, started anew when a file that it imports changes; it ends with this process. */
export function watchServer(env: Readonly<Record<string, string>> = {}): ChildProcess {
  const server = spawn(
    node,
    ['--disable-warning=ExperimentalWarning', '--watch', '--watch-preserve-output', join(root, 'server/src/main.ts')],
    {
      stdio: 'inherit',
      env: { ...process.env, DMP_DEMO: '1', ...env },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      server.kill(signal)
      process.exit(0)
    })
  }
  return server
}
