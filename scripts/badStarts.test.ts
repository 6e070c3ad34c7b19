import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './workspace/files.ts'

jest.setTimeout(120_000)

const place = mkdtempSync(join(tmpdir(), 'dmp-bad-'))
/** A path of 200 characters, with spaces and umlauts. */
const checkout = `${join(place, 'Über uns & Röntgen (Kopie 2)/'.repeat(10)).slice(0, 199)}ß`
const programs = join(place, 'bin')

beforeAll(() => {
  for (const file of ['dmp.mjs', 'install.mjs'])
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

function start(options: string[] = [], env: Record<string, string> = {}) {
  const variables = { PATH: [programs, dirname(process.execPath)].join(':'), HOME: place, ...env }
  const { status, stdout, stderr } = spawnSync(process.execPath, [...options, 'scripts/dmp.mjs', 'start'], {
    cwd: checkout,
    env: variables,
    encoding: 'utf8',
  })
  return { status, said: stdout.trim(), problem: stderr.trim() }
}

/** One line with an end, and no trace of the program's own code. */
const sentence = (problem: string) => [problem.split('\n').length, /\bat .*:\d/.test(problem)]

describe('a first start that cannot succeed ends in a sentence with its cure', () => {
  it('under a Node that is too old', () => {
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } })'
    const { status, problem } = start(['--import', `data:text/javascript,${encodeURIComponent(older)}`])
    expect(status).toBe(1)
    expect(sentence(problem)).toEqual([1, false])
    expect(problem).toMatch(/^This needs Node 20 or newer to start; .* Install a newer Node \(/)
  })

  it('without a network, in a folder with spaces and umlauts whose path has 200 characters, without git', () => {
    expect(checkout).toHaveLength(200)
    const { status, problem } = start([], {
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
      npm_config_cache: join(place, 'empty'),
    })
    expect(status).toBe(1)
    expect(sentence(problem)).toEqual([1, false])
    expect(problem).toMatch(/^The packages could not be fetched: .* then run the same command again; it continues/)
  })
})
