import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { node } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'

/** What the server is made of. */
const sources = ['server', 'shared/contract', 'shared/dicom', 'shared/dimse', 'shared/bucket', 'shared/release']
const settleMs = 30
/** After that a server that does not stop in order is ended: what it confirmed is on the disk. */
const stopMs = 1000

/**
 * The server in demo mode, started anew when one of its sources changes; it ends with this process. If it cannot start
 * at all, this process ends as well; if it cannot after a change, the next change is the next attempt.
 *
 * @param options for Node: `--inspect`
 */
export function watchServer(env: Readonly<Record<string, string>> = {}, options: readonly string[] = []): void {
  let server: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let hasChanged = false
  let ending = Promise.resolve()
  const start = (): void => {
    const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...options, join(root, 'server/src/main.ts')], {
      stdio: 'inherit',
      env: { ...process.env, DMP_DEMO: '1', NODE_COMPILE_CACHE: join(root, '.cache/compiled'), ...env },
    })
    server = child
    child.on('exit', (code) => {
      if (server !== child) return
      server = undefined
      if (!hasChanged) process.exit(code ?? 1)
      console.error('The server stopped; the output above says why. It starts again with the next change.')
    })
  }
  const restart = async (): Promise<void> => {
    hasChanged = true
    const previous = server
    server = undefined
    if (previous) ending = end(previous)
    await ending
    // Of changes that came meanwhile, the first start has them all.
    if (server === undefined) start()
  }
  for (const folder of sources.map((name) => join(root, name, 'src')).filter((name) => existsSync(name)))
    watch(folder, { recursive: true }, (_event, file) => {
      if (!file || !/\.(?:ts|js|json|sql)$/.test(file) || file.endsWith('.test.ts')) return
      clearTimeout(timer)
      timer = setTimeout(() => void restart(), settleMs)
    })
  process.once('exit', () => server?.kill())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
  start()
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const patience = setTimeout(() => child.kill('SIGKILL'), stopMs)
    child.once('exit', () => {
      clearTimeout(patience)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
