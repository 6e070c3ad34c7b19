import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../journeys/demoServer.ts'
import { root } from '../workspace/files.ts'

/** A server that only one may be of, and that takes a while to stop. */
const server = (name: string): string => `
import { createServer } from 'node:http'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const lock = new URL('../lock', import.meta.url)
const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
if (existsSync(lock) && isAlive(Number(readFileSync(lock, 'utf8')))) {
  console.log('taken')
  process.exit(1)
}
writeFileSync(lock, String(process.pid))
const http = createServer((_request, response) => setTimeout(() => response.end('${name}'), 5))
export const startServer = () => new Promise((done) => http.listen(process.env.PORT, '127.0.0.1', done))
process.on('SIGTERM', () => {
  console.log('ending ${name}')
  http.close()
  setTimeout(() => process.exit(0), 800)
})
console.log('started ${name}')
`

let checkout: string
let child: ChildProcess
let output = ''
let gate: number

const write = (text: string) => writeFileSync(join(checkout, 'server/src/startServer.ts'), text)
/** Writes until that is heard: a folder may be watched a moment later than the server has started. */
const change = async (text: string, said: string): Promise<void> => {
  const heard = countEdits()
  while (countEdits() === heard) {
    write(text)
    for (let waited = 0; waited < 100 && countEdits() === heard; waited += 1) await pause(10)
  }
  while (!output.includes(said)) await pause(10)
}

const told = (): string => join(checkout, 'told')
const countEdits = (): number => (existsSync(told()) ? readFileSync(told(), 'utf8').split('told: ending').length : 0)
/** It comes by another way than the output. */
const hears = async (words: RegExp): Promise<void> => {
  while (!existsSync(told()) || !words.test(readFileSync(told(), 'utf8'))) await pause(10)
}

/** The name of the server that answers; rejects when none does. */
const ask = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get({ port: gate, host: '127.0.0.1', agent: false }, (response) => {
      response.once('data', (text: Buffer) => resolve(text.toString()))
    })
    request.on('error', reject)
  })

beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'dmp-watch-'))
  const own = [
    'databaseKeeper',
    'developmentServer',
    'keepServer',
    'keptDatabase',
    'serverGate',
    'serverProblem',
    'watchServer',
    'watchSources',
  ]
  for (const file of [
    ...own.map((name) => `dev/${name}`),
    'workspace/files',
    'workspace/runProcess',
    'workspace/toSentence',
  ].map((name) => `scripts/${name}.ts`)) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    cpSync(join(root, file), join(checkout, file))
  }
  // Of the database, which this server does not open.
  mkdirSync(join(checkout, 'server/src/db'), { recursive: true })
  writeFileSync(join(checkout, 'server/src/db/embedded.ts'), 'export const startWorker = undefined')
  writeFileSync(join(checkout, 'server/src/db/folderLock.ts'), 'export const lockFolder = undefined')
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}')
  write('const half = (')
  // Not to the output, which is waited for.
  const hear = `(news) => fs.appendFileSync(${JSON.stringify(told())}, 'told: ' + (news.text ?? news) + '\\n')`
  gate = await freePort()
  const env = JSON.stringify({ PORT: String(await freePort()), GATE_PORT: String(gate) })
  const program = `import(${JSON.stringify(join(checkout, 'scripts/dev/watchServer.ts'))}).then((it) => it.watchServer(${env}, [], ${hear}))`
  child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: Buffer) => (output += text.toString()))
})
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(checkout, { recursive: true, force: true })
})

describe('the server of npm run dev', () => {
  it('waits for a change when a source keeps it from its first start, and says place and sentence', async () => {
    while (!output.includes('with the next change')) await once(child.stderr!, 'data')
    const sentence = /told: \.\/server\/src\/startServer\.ts 1\nSyntaxError.*: Expression expected\n/
    await hears(sentence)
    await change(server('one'), 'started one')
    await hears(/told: starting\ntold: listening\n$/)
  })

  it('is started anew by a change, and never beside the one that is ending', async () => {
    await change(server('two'), 'ending one')
    await change(server('three'), 'started three')
    expect(output).not.toContain('taken')
  })

  it('keeps every request waiting while it is started anew, and refuses none', async () => {
    const answers: string[] = []
    const asking = new AbortController()
    const asks = async (): Promise<void> => {
      while (!asking.signal.aborted) answers.push(await ask())
    }
    const all = Promise.all([asks(), asks(), asks()])
    const isAnsweredBy = async (name: string): Promise<void> => {
      while (answers.at(-1) !== name) await pause(10)
    }
    await isAnsweredBy('three')
    for (const name of ['four', 'five']) {
      await change(server(name), `started ${name}`)
      await isAnsweredBy(name)
    }
    asking.abort()
    await all
    expect([...new Set(answers)]).toEqual(['three', 'four', 'five'])
  })

  it('waits for the next change when it cannot start, and starts with that', async () => {
    output = ''
    await change('export const startServer = 1\nthrow new Error("half a sentence")', 'with the next change')
    await hears(/told: \.\/server\/src\/startServer\.ts 2\nError: half a sentence\n/)
    await change(server('six'), 'started six')
  })

  it('ends with the development server', async () => {
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    // The server writes to the same line: it closes when both are gone.
    await closed
    expect(output).toContain('ending six')
  })
})
