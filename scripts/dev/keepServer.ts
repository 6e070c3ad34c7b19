import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exitOnError, node } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'
import { DatabaseKeeper } from './databaseKeeper.ts'
import type { KeeperMessage } from './keptDatabase.ts'
import { ServerGate } from './serverGate.ts'
import { toServerProblem, type ServerProblem } from './serverProblem.ts'
import { watchSources } from './watchSources.ts'

/** What the server is made of. */
const sources = ['server', 'shared/contract', 'shared/dicom', 'shared/dimse', 'shared/bucket', 'shared/release']
/** What the thread of the database is made of. */
const databaseSource = /^db[\\/](?:embedded|isReading)/
const settleMs = 30
/** After that a server that does not stop in order is ended: what it confirmed is on the disk. */
const stopMs = 1000

// A process that compiles nothing: it hears of an edit at once, and passes on what is said to the database.
const keeper = new DatabaseKeeper()
const gate = process.env.GATE_PORT === undefined ? undefined : new ServerGate()
let server: ChildProcess | undefined
let timer: NodeJS.Timeout | undefined
let hasChanged = false
let hasDatabaseChanged = false
let ending = Promise.resolve()
/** As much as the last words of a server may be. */
const mostSaid = 20_000

/** What the process that serves pages is told: what the server is about, or why there is none. */
export type ServerNews = Pick<ServerProblem, 'text'> | 'ending' | 'starting' | 'listening'

const tell = (news: ServerNews): void => void (process.connected && process.send?.(news))

function start(): void {
  tell('starting')
  const child = fork(join(root, 'scripts/dev/developmentServer.ts'), {
    execPath: node,
    execArgv: ['--disable-warning=ExperimentalWarning', ...process.argv.slice(2)],
    serialization: 'advanced',
    stdio: ['inherit', 'inherit', 'pipe', 'ipc'],
    env: {
      ...process.env,
      DMP_DEMO: '1',
      // A line for each request would bury what an edit brought about.
      DMP_LOG_LEVEL: process.env.DMP_LOG_LEVEL ?? 'warn',
      NODE_COMPILE_CACHE: join(root, '.cache/compiled'),
    },
  })
  server = child
  keeper.serve(child)
  child.on('message', ({ kind }: KeeperMessage) => {
    // One that an edit is about to end is not worth a request.
    if (kind !== 'listening' || server !== child || timer !== undefined) return
    gate?.open(Number(process.env.PORT))
    tell('listening')
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-mostSaid)
    process.stderr.write(text)
  })
  // When its last words are heard, too.
  child.on('close', (code) => {
    if (server !== child) return
    server = undefined
    gate?.refuse()
    const { text, isOfSource } = toServerProblem(said, root)
    if (!hasChanged && !isOfSource) return void stop(code ?? 1)
    tell({ text })
    console.error('The server stopped; the output above says why. It starts again with the next change.')
  })
}

async function restart(): Promise<void> {
  hasChanged = true
  const previous = server
  server = undefined
  if (previous) ending = end(previous)
  await ending
  if (hasDatabaseChanged) await keeper.close()
  hasDatabaseChanged = false
  // Of changes that came meanwhile, the first start has them all.
  if (server === undefined) start()
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

async function stop(code: number): Promise<void> {
  gate?.close()
  const last = server
  server = undefined
  if (last) await end(last)
  await keeper.close()
  process.exit(code)
}

function watchAll(): void {
  for (const name of sources) {
    const folder = join(root, name, 'src')
    if (existsSync(folder)) watchSources(folder, (file) => hearOfEdit(name, file))
  }
}

function hearOfEdit(name: string, file: string): void {
  if (!/\.(?:ts|js|json|sql)$/.test(file) || file.endsWith('.test.ts')) return
  hasDatabaseChanged ||= name === 'server' && databaseSource.test(file)
  clearTimeout(timer)
  // What was passed on before has this moment to be read by the server that ends.
  gate?.hold()
  tell('ending')
  timer = setTimeout(() => {
    timer = undefined
    void restart()
  }, settleMs)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))
process.once('disconnect', () => void stop(0))
await exitOnError(async () => {
  watchAll()
  await gate?.listen(Number(process.env.GATE_PORT))
})
start()
