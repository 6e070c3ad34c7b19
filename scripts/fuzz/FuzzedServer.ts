import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { demoPassword } from '../../shared/contract/src/demoAccounts.ts'
import { root } from '../workspace/files.ts'
import { node } from '../workspace/runProcess.ts'
import { secretsInLog } from '../logs/secretsInLog.ts'
import { typedText } from './mutate.ts'

/** An answer of the server that is later than this hangs. */
export const answerTimeoutMs = 20_000
/** A demo with its samples takes about 0.4 GB; what is one caller's may not be many times that. */
const mostResidentBytes = 2 * 2 ** 30
const leftoversMs = 10_000

interface Leftover {
  readonly name: string
  readonly bytes: number
  readonly ageMs: number
}

/** Enough to tell one that nobody comes for from one of an upload that still goes on. */
const describe = (leftovers: readonly Leftover[]): string =>
  leftovers
    .slice(0, 5)
    .map(({ name, bytes, ageMs }) => {
      const kind = name.endsWith('.part') ? 'staged' : 'to be kept'
      return `      ${kind}, ${bytes} bytes, ${Math.round(ageMs / 1000)} s old`
    })
    .join('\n')

/** A server in demo mode as a process of its own, watched from outside. */
export class FuzzedServer {
  readonly #child: ChildProcess
  readonly #folder: string
  #log = ''
  #errors = ''
  url = ''
  token = ''

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child
    this.#folder = folder
    child.stdout?.on('data', (text: Buffer) => (this.#log += text.toString()))
    child.stderr?.on('data', (text: Buffer) => (this.#errors += text.toString()))
  }

  static async start(): Promise<FuzzedServer> {
    const folder = mkdtempSync(join(tmpdir(), 'dmp-fuzz-'))
    const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(root, 'server/src/main.ts')], {
      env: {
        PATH: '/usr/bin:/bin',
        MALLOC_ARENA_MAX: '2',
        DMP_DEMO: '1',
        DMP_HOST: '127.0.0.1',
        PORT: '0',
        DMP_DATA_DIR: folder,
        DMP_LIMIT_FACTOR: '100000',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const server = new FuzzedServer(child, folder)
    await server.#becomeReady()
    await server.signIn()
    return server
  }

  async #becomeReady(): Promise<void> {
    for (const since = Date.now(); Date.now() - since < 120_000 && this.isAlive; await pause(50)) {
      const address = /is ready: (https?:\S+)/.exec(this.#log)?.[1]
      if (address === undefined) continue
      this.url = address
      this.#log = ''
      return
    }
    throw new Error(`The server that is to be fuzzed did not start. It said: ${this.#errors.slice(-2000)}`)
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The session may have ended by what was sent. */
  async signIn(): Promise<void> {
    const reply = await fetch(`${this.url}/api/account/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ClientId: 'dmp-web', email: 'admin@north.example', password: demoPassword }),
    })
    const { data } = (await reply.json()) as { data?: { accessToken?: string } }
    if (!data?.accessToken) throw new Error(`The fuzzer could not sign in: ${reply.status}.`)
    this.token = data.accessToken
  }

  /** What is wrong with the server as a whole; its log begins anew. */
  async findProblems(): Promise<string[]> {
    const problems: string[] = []
    if (!this.isAlive) problems.push(`the process ended with ${this.#child.exitCode ?? this.#child.signalCode}`)
    else if (!(await this.#responds())) problems.push('/healthz does not respond any more')
    if (this.#errors !== '') problems.push(`it wrote to standard error: ${this.#errors.trim().slice(0, 600)}`)
    const resident = this.residentBytes()
    if (resident > mostResidentBytes) problems.push(`it takes ${Math.round(resident / 2 ** 20)} MB of memory`)
    const leftovers = this.isAlive ? await this.#leftovers() : []
    if (leftovers.length > 0)
      problems.push(`${leftovers.length} files stay in incoming/ after their uploads ended\n${describe(leftovers)}`)
    const leaks = secretsInLog(this.#log, [typedText, demoPassword, this.token])
    if (leaks.length > 0) problems.push(`its log holds typed text or a secret: ${leaks[0]}`)
    const unexpected = this.#log.split('\n').find((line) => line.includes('"unexpected error"'))
    if (unexpected !== undefined) problems.push(`it logged an unexpected error: ${unexpected.slice(0, 900)}`)
    this.#log = ''
    this.#errors = ''
    return problems
  }

  async #responds(): Promise<boolean> {
    const reply = await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(answerTimeoutMs) }).catch(
      () => undefined,
    )
    return reply?.ok ?? false
  }

  /** Where the system does not tell (outside Linux), memory is not judged. */
  residentBytes(): number {
    try {
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    } catch {
      return 0
    }
  }

  async #leftovers(): Promise<Leftover[]> {
    const list = (): Leftover[] =>
      readdirSync(this.#folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /(?:^|\/)incoming\/./.test(name))
        .flatMap((name) => {
          const stats = statSync(join(this.#folder, name), { throwIfNoEntry: false })
          return stats ? [{ name, bytes: stats.size, ageMs: Date.now() - stats.mtimeMs }] : []
        })
    for (const since = Date.now(); Date.now() - since < leftoversMs && list().length > 0;) await pause(50)
    return list()
  }

  async stop(): Promise<void> {
    if (this.isAlive) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve))
      this.#child.kill('SIGKILL')
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
