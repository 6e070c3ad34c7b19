import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { nodeOptions, jest } from '../stages/jestRuns.ts'
import { listUntried } from '../stages/environment.ts'
import { runLanes } from '../stages/lanes.ts'
import { planRun, sayTooLate, untilTooLate } from '../stages/planRun.ts'
import { all, type Stage } from '../stages/stages.ts'
import { buildStale } from '../workspace/builds.ts'
import { findCleanCommit, notePassed } from '../workspace/changedFiles.ts'
import { root } from '../workspace/files.ts'
import { findJestConfigs, webTests } from '../workspace/jestConfigs.ts'
import { childSeconds } from '../workspace/processorTime.ts'
import { printHeading, node, runProcess } from '../workspace/runProcess.ts'
import { parseStageTotals, type TestTotals } from '../workspace/testTotals.ts'
import { watchTests } from '../workspace/watchTests.ts'

const args = process.argv.slice(2)

// Jest asks the keyboard then, and ends when told to.
if (args.includes('--watch')) process.exit(await watchTests(args, nodeOptions))

const isAll = args.length === 1 && args[0] === '--all'
/** Not: tests or a stage by name. */
const isOverview = isAll || args.length === 0
const commit = isOverview ? findCleanCommit(root) : undefined

const total: TestTotals = { passed: 0, failed: 0 }
const lines: string[] = []
const late: string[] = []
const { stages, words } = choose()
words.forEach((line) => console.log(line))
const inLanes = stages.filter(({ lane }) => lane)
// One alone says what it does while it does it.
const beside = isOverview && inLanes.length > 1 ? inLanes : []
for (const stage of stages) if (!beside.includes(stage) && !isLate(stage)) await run(stage)
// Each waits for its browsers, servers and installations for half of its time.
const going = new Map<string, number>()
const watch = setInterval(sayGoing, 300_000)
await runLanes(beside, { run: runApart, build: buildStale, lanesAtOnce: Math.max(2, availableParallelism()) })
clearInterval(watch)
printHeading('all stages')
if (isOverview) for (const sentence of listUntried()) console.log(`  ${sentence}`)
words.forEach((line) => console.log(line))
console.log([...lines, ...late].join('\n'))
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
// What was edited meanwhile was not tried, or not as it is now.
if (commit && total.failed === 0 && late.length === 0 && findCleanCommit(root) === commit) notePassed(root, commit)
// What a stage left open keeps nobody waiting.
process.exit()

/** What runs, and what is said of the rest. */
function choose(): { readonly stages: readonly Stage[]; readonly words: readonly string[] } {
  if (isAll) return { stages: all, words: [] }
  if (isOverview) return planRun(all, root)
  return { stages: args.includes('--stage') ? chooseByName() : chooseByPath(), words: [] }
}

/** `npm test -- remote-scan`: only the Jest tests whose path contains the words. */
function chooseByPath(): readonly Stage[] {
  return findJestConfigs(args).map((config) => ({
    name: config === webTests ? 'screens and shared code (Jest, jsdom)' : 'server and tools (Jest)',
    count: () => jest(config, {}, ['--passWithNoTests', ...args]),
  }))
}

/** `npm test -- --stage Firefox`: the stages whose name contains the word; `--changed`: of them what a change needs. */
function chooseByName(): readonly Stage[] {
  const word = args[args.indexOf('--stage') + 1] ?? ''
  const known = args.includes('--changed') ? planRun(all, root).stages : all
  const chosen = known.filter(({ name }) => name.includes(word))
  if (chosen.length > 0) return chosen
  console.error(`No stage is called "${word}". There are:\n${all.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(1)
}

function isLate(stage: Stage): boolean {
  const sentence = isOverview ? sayTooLate(stage, performance.now() / 1000, process.env.TEST_SECONDS) : undefined
  if (sentence) late.push(sentence)
  return sentence !== undefined
}

async function run({ name, count }: Stage): Promise<void> {
  if (name !== 'check') printHeading(name)
  const began = performance.now()
  const usedBefore = childSeconds()
  const totals = await count()
  const used = childSeconds() - usedBefore
  add(name, totals, { seconds: (performance.now() - began) / 1000, used })
}

interface Took {
  readonly seconds: number
  /** Of all processors; not known where the system does not say it. */
  readonly used: number | undefined
}

function add(name: string, { passed, failed, failures = [], unsteady = [] }: TestTotals, took: Took): void {
  total.passed += passed
  total.failed += failed
  const processor = took.used ? `, ${Math.round(took.used)} s of processor` : ''
  const sum = `${passed} passed, ${failed} failed, ${Math.round(took.seconds)} s${processor}`
  lines.push(`  ${failed === 0 ? '✓' : '✗'} ${name}: ${sum}`)
  lines.push(...unsteady.map((sentence) => `    unsteady: ${sentence}`))
  // A log that is cut in its middle still says them.
  if (failed > 0)
    lines.push(...failures.flatMap((failure) => tailOf(failure).map((line) => `      ${line.trim().slice(0, 300)}`)))
}

/** What failed, and what was said of it: the lines that are marked, or the last. */
function tailOf(failure: string): readonly string[] {
  const [first = '', ...rest] = failure.split('\n').filter((line) => line.trim() !== '')
  const marked = rest.flatMap((line, at) => (/[✗●]/.test(line) ? rest.slice(at, at + 3) : []))
  return [first, ...(marked.length > 0 ? marked.slice(0, 9) : rest.slice(-6))]
}

/** In a process of its own, whose words come when it has ended. */
async function runApart(stage: Stage): Promise<void> {
  if (isLate(stage)) return
  const { name } = stage
  console.log(`  begun: ${name}`)
  going.set(name, performance.now())
  const command = [join(root, 'scripts/dmp.mjs'), 'test', '--stage', name, ...(isAll ? [] : ['--changed'])]
  const signal = untilTooLate(performance.now() / 1000, process.env.TEST_SECONDS)
  const result = await runProcess(node, command, { isQuiet: true, ...(signal && { signal }) })
  going.delete(name)
  console.log(result.text)
  const { used, ...totals } = parseStageTotals(result)
  add(name, totals, { seconds: result.seconds, used })
}

/** A log that is cut says what was waited for. */
function sayGoing(): void {
  const list = [...going].map(([name, began]) => `${name}, ${Math.round((performance.now() - began) / 1000)} s`)
  console.log(`  after ${Math.round(performance.now() / 1000)} s, under way: ${list.join('; ')}`)
}
