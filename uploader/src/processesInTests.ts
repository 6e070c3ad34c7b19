import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { compileCache, startChild } from '@dmp/server/testing/childServer'
import { prepareFolder } from '@dmp/server/testing/prepared'

/** The real server and the uploader, each as people start it. */
const root = path.resolve(import.meta.dirname, '../..')

export interface StartedServer {
  readonly address: string
  kill(): Promise<void>
}

/** The server with its embedded database in this folder. */
export async function startServer(dataFolder: string): Promise<StartedServer> {
  await prepareFolder(dataFolder)
  const server = startChild({ DMP_DEMO: '1', DMP_LIMIT_FACTOR: '1000', DMP_DATA_DIR: dataFolder })
  const address = await server.ready
  return {
    address,
    kill: async () => {
      server.process.kill('SIGKILL')
      await server.ended
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
    env: { NODE_COMPILE_CACHE: compileCache, ...environment },
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
