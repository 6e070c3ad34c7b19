import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from '../install.mjs'
import { applied, chosen, faultsOf, type Fault } from '../mutation/faults.ts'
import { isCaught, partOf, testsBeside, testsFail, testsOf } from '../mutation/judge.ts'
import { run } from '../stage.ts'
import { filesOf, remotes, root, textOf } from '../tree.ts'

// `npm run mutate -- [count] [--seed n] [--near] [folder…]`: in a clone of what is committed, one fault at a time, the tests of the part.
// --near: only types and the tests beside the fault; minutes instead of hours, and a lower bound of what all tests catch.
const options = process.argv.slice(2)
const seed = Number(options[options.indexOf('--seed') + 1] ?? 1) || 1
const count = Number(options.find((word, at) => /^\d+$/.test(word) && options[at - 1] !== '--seed') ?? 60)
const isNear = options.includes('--near')
const folders = options.filter((word) => /^[a-z]/.test(word))

const sources = ['shared/contract/src', 'shared/kit/src', 'shared/release/src', 'host/src', ...remotes().map((name) => `${name}/src`), 'server/src']
const wanted = (file: string): boolean => !/\.test\.tsx?$|\/(testing|examples|migrations|seed)\/|tables\.ts$/.test(file)
const files = (folders.length > 0 ? folders : sources).flatMap((folder) => filesOf(folder, /\.tsx?$/)).filter(wanted)

const copy = mkdtempSync(join(tmpdir(), 'dmp-mutate-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
await run('git', ['clone', '-q', root, copy], { quiet: true })
const problem = await ensureInstalled(copy)
if (problem) throw new Error(problem)

const faults = chosen(files.flatMap((file) => faultsOf(file, textOf(file))).filter(isCommitted), count, seed)
console.log(`${faults.length} faults in ${new Set(faults.map(({ file }) => file)).size} files, seed ${seed}.`)
// Tests that fail without a fault would count every fault as caught.
const needed = isNear ? faults.map(({ file }) => testsBeside(file)) : [...new Set(faults.map(({ file }) => partOf(file)))].flatMap(testsOf)
const standing = new Map(needed.map((tests) => [JSON.stringify(tests), tests]))
const isWhole = (config: string) => [...standing.values()].some((tests) => tests.config === config && !tests.project)
for (const tests of standing.values()) {
  if (tests.project && isWhole(tests.config)) continue
  const words = await testsFail(copy, tests)
  if (words !== undefined) throw new Error(`The tests of ${tests.project ?? tests.config} fail as they are committed. Mend them first; then a failing test means a caught fault.\n${words}`)
}
const survivors: Fault[] = []
for (const [index, fault] of faults.entries()) {
  const path = join(copy, fault.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, applied(source, fault))
  const wasCaught = await isCaught(copy, fault.file, isNear)
  writeFileSync(path, source)
  const line = source.slice(0, fault.start).split('\n').length
  console.log(`${String(index + 1).padStart(3)} ${wasCaught ? 'caught  ' : 'SURVIVED'} ${fault.file}:${line} ${fault.what}`)
  if (!wasCaught) survivors.push(fault)
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
