import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Dozens of children start in a run of the tests; what the first one compiled serves all. */
export const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url))
const entry = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

export interface Child {
  readonly process: ChildProcess
  /** Everything that it said so far. */
  readonly said: { out: string; errors: string }
  readonly ended: Promise<Ended>
  /** The address that it announces, once it is ready; rejects when it ends before. */
  readonly ready: Promise<string>
}

/**
 * The server (or another entry) as a process of its own, with nothing of this process's environment. In a test it lives
 * for seconds, and making WebAssembly quick is not worth it; what is measured runs as it does in use.
 */
export function startChild(
  variables: Readonly<Record<string, string>>,
  name = 'main.ts',
  args: readonly string[] = [],
  nodeOptions: readonly string[] = ['--liftoff-only'],
): Child {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...nodeOptions, entry(name), ...args],
    {
      env: { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: compileCache, DMP_HOST: '127.0.0.1', PORT: '0', ...variables },
    },
  )
  const said = { out: '', errors: '' }
  child.stderr.on('data', (text: Buffer) => {
    said.errors += text.toString()
  })
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, ...said })))
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      said.out += text.toString()
      const address = /is ready: (https?:\S+)/.exec(said.out)?.[1]
      if (address) resolve(address)
    })
    void ended.then(({ errors }) => reject(new Error(`ended before it was ready: ${errors}`)))
  })
  ready.catch(() => undefined)
  return { process: child, said, ended, ready }
}
