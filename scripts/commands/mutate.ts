import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from '../install.mjs'
import { applied, chosen, faultsOf, type Fault } from '../mutation/faults.ts'
import { node, run } from '../stage.ts'
import { filesOf, remotes, root, textOf } from '../tree.ts'

// `npm run mutate -- [count] [--seed n] [folder…]`: in a clone of what is committed, one fault at a time, the tests of the part.
const options = process.argv.slice(2)
const seed = Number(options[options.indexOf('--seed') + 1] ?? 1) || 1
const count = Number(options.find((word) => /^\d+$/.test(word)) ?? 60)
const folders = options.filter((word) => /^[a-z]/.test(word))

const sources = ['shared/contract/src', 'shared/kit/src', 'shared/release/src', 'host/src', ...remotes().map((name) => `${name}/src`), 'server/src']
const wanted = (file: string): boolean => !/\.test\.tsx?$|\/(testing|examples|migrations|seed)\/|tables\.ts$/.test(file)
const files = (folders.length > 0 ? folders : sources).flatMap((folder) => filesOf(folder, /\.tsx?$/)).filter(wanted)

const copy = mkdtempSync(join(tmpdir(), 'dmp-mutate-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
process.on('SIGINT', () => process.exit(130))
await run('git', ['clone', '-q', root, copy], { quiet: true })
const problem = await ensureInstalled(copy)
if (problem) throw new Error(problem)

const faults = chosen(files.flatMap((file) => faultsOf(file, textOf(file))).filter(isCommitted), count, seed)
console.log(`${faults.length} faults in ${new Set(faults.map(({ file }) => file)).size} files, seed ${seed}.`)
// Tests that fail without a fault would count every fault as caught.
for (const config of ['jest.config.mjs', 'jest.node.config.mjs']) {
  if (await jestFails(config, [])) throw new Error(`The tests of ${config} fail as they are committed. Mend them first; then a failing test means a caught fault.`)
}
const survivors: Fault[] = []
for (const [index, fault] of faults.entries()) {
  const path = join(copy, fault.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, applied(source, fault))
  const isCaught = await caught(fault.file)
  writeFileSync(path, source)
  const line = source.slice(0, fault.start).split('\n').length
  console.log(`${String(index + 1).padStart(3)} ${isCaught ? 'caught  ' : 'SURVIVED'} ${fault.file}:${line} ${fault.what}`)
  if (!isCaught) survivors.push(fault)
}
const share = ((1 - survivors.length / faults.length) * 100).toFixed(0)
console.log(`\n${faults.length - survivors.length} of ${faults.length} faults were caught (${share} %).`)

/** A fault in a file that others are editing just now would be seeded into another text. */
function isCommitted({ file }: Fault): boolean {
  try {
    return readFileSync(join(copy, file), 'utf8') === textOf(file)
  } catch {
    return false
  }
}

/** The cheapest proof first: types, then the tests of the part, then of the parts that stand on it. */
async function caught(file: string): Promise<boolean> {
  const part = file.startsWith('shared/') ? file.split('/').slice(0, 2).join('/') : (file.split('/')[0] ?? '')
  if (await fails(join(copy, 'node_modules/.bin/tsc'), ['--noEmit', '-p', part])) return true
  const own = part.replace('shared/', '')
  if (part === 'server' || part === 'shared/release') return jestFails('jest.node.config.mjs', [own])
  if (part === 'shared/contract') return (await jestFails('jest.config.mjs', ['contract'])) || (await jestFails('jest.node.config.mjs', ['server'])) || jestFails('jest.config.mjs', [])
  if (part === 'shared/kit') return (await jestFails('jest.config.mjs', ['kit'])) || jestFails('jest.config.mjs', [])
  return jestFails('jest.config.mjs', [own])
}

function jestFails(config: string, projects: string[]): Promise<boolean> {
  return fails(node, [...(config === 'jest.node.config.mjs' ? ['--experimental-vm-modules'] : []), join(copy, 'node_modules/jest/bin/jest.js'), '-c', config, '--ci', '--bail', '--silent', ...(projects.length > 0 ? ['--selectProjects', ...projects] : [])])
}

async function fails(command: string, args: string[]): Promise<boolean> {
  return (await run(command, args, { quiet: true, cwd: copy, env: { TEST_DATABASE_URL: '' } })).code !== 0
}
