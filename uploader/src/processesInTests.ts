import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'

/** The real server and the uploader, each as people start it. */
const root = path.resolve(import.meta.dirname, '../..')

export interface StartedServer {
  readonly address: string
  kill(): Promise<void>
}

/** The server with its embedded database in this folder. */
export async function startServer(dataFolder: string): Promise<StartedServer> {
  const server = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(root, 'server/src/main.ts')],
    {
      env: {
        PATH: process.env.PATH,
        DMP_DEMO: '1',
        DMP_HOST: '127.0.0.1',
        PORT: '0',
        DMP_LIMIT_FACTOR: '1000',
        DMP_DATA_DIR: dataFolder,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  const address = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString()
      const found = /listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? /is ready: (http:\/\/\S+)/.exec(said)
      if (found?.[1]) resolve(found[1])
    }
    server.stdout.on('data', hear)
    server.stderr.on('data', hear)
    server.once('exit', () => reject(new Error(`The server did not start: ${said.slice(-2000)}`)))
  })
  return {
    address,
    kill: async () => {
      if (server.exitCode !== null) return
      const gone = new Promise((done) => server.once('exit', done))
      server.kill('SIGKILL')
      await gone
    },
  }
}

export interface Ended {
  readonly code: number | null
  readonly said: string
}

/** Starts the uploader in a folder; `end` resolves when it is over. */
export function startUploader(
  words: readonly string[],
  folder: string,
  environment: Record<string, string>,
  program?: string,
): { process: ChildProcess; end: Promise<Ended> } {
  const before =
    program === undefined ? ['--disable-warning=ExperimentalWarning', path.join(root, 'uploader/src/main.ts')] : []
  const child = spawn(program ?? process.execPath, [...before, ...words], {
    env: environment,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { process: child, end: ended(child) }
}

export function ended(child: ChildProcess): Promise<Ended> {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}
