import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBundle } from '../workspace/bundle.ts'
import { readText } from '../workspace/files.ts'
import { runProcess } from '../workspace/runProcess.ts'
import type { TestTotals } from '../workspace/testTotals.ts'

/** The user of the image. Only root can start a process of another user; anybody else takes its own rights away. */
const user = process.getuid?.() === 0 ? { uid: 65532, gid: 65532 } : {}

/** What the recipe says after a word, where it is a list. */
function readList(recipe: string, word: string): string[] {
  const line = recipe.split('\n').find((each) => each.trimStart().startsWith(word)) ?? ''
  return JSON.parse(line.slice(line.indexOf('['))) as string[]
}

interface Bare {
  readonly folder: string
  readonly recipe: string
  readonly url: string
  /** Runs a command of the recipe as the image would: as its user, with nothing but these settings. */
  readonly run: (command: readonly string[]) => ChildProcess
}

/** The steps of `deploy/Containerfile`, in a folder in place of an image. */
export async function bareDirectory(): Promise<TestTotals> {
  const work = mkdtempSync(join(tmpdir(), 'dmp-bare-'))
  chmodSync(work, 0o755)
  const failures: string[] = []
  const claim = (holds: boolean, sentence: string): void => {
    if (!holds) failures.push(sentence)
  }
  try {
    const bare = await prepare(work)
    const before = listAll(bare.folder)
    claim((await ended(bare.run([...entry(bare), 'server/src/migrate.ts']))) === 0, 'migrate.ts does not run.')
    const server = bare.run([...entry(bare), ...readList(bare.recipe, 'CMD')])
    try {
      await judgeServer(bare, server, claim)
    } finally {
      server.kill('SIGTERM')
    }
    claim((await ended(server)) === 0, 'SIGTERM does not end the server in order.')
    claim(listAll(bare.folder).join() === before.join(), 'The server wrote to the folder that it runs from.')
    judgeContent(bare.folder, claim)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  failures.forEach((failure) => console.error(failure))
  return { passed: claims - failures.length, failed: failures.length, failures }
}
const claims = 9

async function prepare(work: string): Promise<Bare> {
  const folder = join(work, 'app')
  const data = join(work, 'data')
  await writeBundle(folder)
  const { code, text } = await runProcess('chmod', ['-R', 'a-w,a+rX', folder], { isQuiet: true })
  if (code !== 0) throw new Error(text)
  mkdirSync(data, { mode: 0o700 })
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid)
  // This one may lie where the other user cannot go.
  const node = join(work, 'node')
  cpSync(process.execPath, node)
  chmodSync(node, 0o755)
  const port = await findPort()
  const env = { PORT: String(port), DMP_HOST: '127.0.0.1', ...settings(folder, data) }
  const run = ([, ...args]: readonly string[]): ChildProcess =>
    spawn(node, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'], ...user })
  return { folder, recipe: readText('deploy/Containerfile'), url: `http://127.0.0.1:${port}`, run }
}

const settings = (folder: string, data: string): Record<string, string> => ({
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '2',
  DMP_DATA_DIR: data,
  DMP_RELEASES: join(folder, 'releases'),
  DMP_PUBLIC_URL: 'https://dmp.example.org',
  DMP_DISK_NOTICE_MB: '0',
  DMP_LOG_LEVEL: 'warn',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
})

const entry = ({ recipe }: Bare): string[] => readList(recipe, 'ENTRYPOINT')

export async function findPort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

type Claim = (holds: boolean, sentence: string) => void

async function judgeServer({ run, recipe, url }: Bare, server: ChildProcess, claim: Claim): Promise<void> {
  let said = ''
  server.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text))
  while (!said.includes('is ready') && server.exitCode === null) await new Promise((again) => setTimeout(again, 50))
  if (server.exitCode !== null) throw new Error('The server ended before it was ready.')
  const ready = await fetch(`${url}/readyz`)
  claim(ready.status === 200, `/readyz answers ${ready.status}.`)
  const page = await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text()
  const file = /"(\/releases\/host\/[^"]{1,300})"/.exec(page)?.[1]
  claim(file !== undefined, 'The page names no file of the host.')
  const answered = await fetch(`${url}${file ?? '/releases/none'}`)
  claim(answered.status === 200, `A file of the host is answered with ${answered.status}.`)
  claim((await ended(run(readList(recipe, 'HEALTHCHECK')))) === 0, 'The health check says that a ready server is not.')
}

const listAll = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

/** Tools that build and test are not on the machine that serves, and the list names what is. */
function judgeContent(folder: string, claim: Claim): void {
  const installed = readdirSync(join(folder, 'node_modules/.pnpm'))
  const tools = installed.filter((name) => /^(?:webpack|jest|typescript|@swc|oxlint|playwright)/.test(name))
  claim(tools.length === 0, `There are tools in it: ${tools.join(', ')}.`)
  const bill = join(folder, 'sbom/server.cdx.json')
  const { components } = JSON.parse(existsSync(bill) ? readFileSync(bill, 'utf8') : '{}') as {
    components?: readonly { readonly group?: string; readonly name: string; readonly version: string }[]
  }
  const listed = (components ?? []).map(({ group, name, version }) => `${group ? `${group}+` : ''}${name}@${version}`)
  const isListed = (folder: string): boolean => listed.some((each) => folder === each || folder.startsWith(`${each}_`))
  const unlisted = installed.filter((folder) => /@\d/.test(folder) && !isListed(folder))
  claim(unlisted.length === 0, `The list of what it is made of lacks ${unlisted.join(', ')}.`)
}
