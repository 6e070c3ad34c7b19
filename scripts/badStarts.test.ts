import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './workspace/files.ts'

const place = mkdtempSync(join(tmpdir(), 'dmp-bad-'))
/** A path of 200 characters, with spaces, umlauts and an apostrophe. */
const checkout = `${join(place, "Ann's Übersicht & Röntgen (2)/".repeat(10)).slice(0, 199)}ß`
const programs = join(place, 'bin')

beforeAll(() => {
  for (const file of ['dmp.cjs', 'dmp.mjs', 'install.mjs', 'loadDmp.cjs'])
    cpSync(join(root, 'scripts', file), join(checkout, 'scripts', file), { recursive: true })
  for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
    cpSync(join(root, file), join(checkout, file))
  mkdirSync(join(checkout, 'shared'))
  mkdirSync(programs)
  // A machine that has Node and nothing else: no git.
  const [npx = '', sh = ''] = ['npx', 'sh'].map((name) => whereIs(name))
  for (const program of [process.execPath, npx, sh]) symlinkSync(program, join(programs, program.split('/').at(-1)!))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

const whereIs = (name: string): string =>
  spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()

async function start(options: string[] = [], env: Record<string, string> = {}) {
  const variables = { PATH: [programs, dirname(process.execPath)].join(':'), HOME: place, ...env }
  const { code, stdout, stderr } = await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const command = [...options, 'scripts/dmp.cjs', 'start']
    execFile(process.execPath, command, { cwd: checkout, env: variables }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
  return { status: code, said: stdout.trim(), problem: stderr.trim() }
}

/** One line with an end, and no trace of the program's own code. */
const sentence = (problem: string) => [problem.split('\n').length, /\bat .*:\d/.test(problem)]

interface Parser {
  readonly parse: (text: string, options: { readonly ecmaVersion: number }) => unknown
}
/** webpack's own: it knows what each version of the language has. */
const { parse } = createRequire(createRequire(import.meta.url).resolve('webpack'))('acorn') as Parser

it('has an entry for every npm script that every Node since 4 can read', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [name, line] of Object.entries(scripts))
    expect(line.replace(/^exec /, '')).toBe(`node scripts/dmp.cjs ${name}`)
  parse(readFileSync(join(root, 'scripts/dmp.cjs'), 'utf8'), { ecmaVersion: 2015 })
})

describe('a first start that cannot succeed ends in a sentence with its cure', () => {
  it('under a Node that is too old', async () => {
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } })'
    const { status, problem } = await start(['--import', `data:text/javascript,${encodeURIComponent(older)}`])
    expect(status).toBe(1)
    expect(sentence(problem)).toEqual([1, false])
    expect(problem).toMatch(/^This needs Node 20 or newer to start; .* Install a newer Node \(/)
  })

  it('with a registry that has not what is asked for', async () => {
    const registry = createServer((_request, response) => response.writeHead(404).end('{"error":"not found"}'))
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
    const { status, problem } = await start([], { npm_config_registry: address, npm_config_cache: join(place, 'none') })
    registry.close()
    expect(status).toBe(1)
    expect(sentence(problem)).toEqual([1, false])
    expect(problem).toContain(`The npm registry answers 404 to a request for ${address}pnpm. Check`)
  })

  it('without a network, in a folder with spaces, umlauts and an apostrophe whose path has 200 characters, without git', async () => {
    expect(checkout).toHaveLength(200)
    const { status, problem } = await start([], {
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
      npm_config_cache: join(place, 'empty'),
    })
    expect(status).toBe(1)
    expect(sentence(problem)).toEqual([1, false])
    expect(problem).toMatch(/^The packages could not be fetched: .* then run the same command again; it continues/)
  })
})
