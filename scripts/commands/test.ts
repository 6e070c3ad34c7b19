import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { nodeOptions, jest } from '../stages/jestRuns.ts'
import { listUntried } from '../stages/environment.ts'
import { needsBuild, runLanes } from '../stages/lanes.ts'
import { isTooLate, planRun, sayTooLate, untilTooLate } from '../stages/planRun.ts'
import { all, type Stage } from '../stages/stages.ts'
import { buildStale } from '../workspace/builds.ts'
import { findCleanCommit, notePassed } from '../workspace/changedFiles.ts'
import { root } from '../workspace/files.ts'
import { findJestConfigs, webTests } from '../workspace/jestConfigs.ts'
import { childSeconds, watchIdle } from '../workspace/processorTime.ts'
import { printHeading, node, runProcess } from '../workspace/runProcess.ts'
import { parseStageTotals, type TestTotals } from '../workspace/testTotals.ts'
import { watchTests } from '../workspace/watchTests.ts'

/**
 * What screens show (docs/decisions/0189) and what stories of the server write down becomes their record:
 * `npm test -- --accept-records`, with words of paths or of all.
 */
const accepting = '--accept-records'
const isAccepting = process.argv.includes(accepting)
const given = process.argv.slice(2).filter((word) => word !== accepting)
const args = isAccepting && given.length === 0 ? ['records.test', 'server/src/stories'] : given
if (isAccepting) process.env.TEST_ACCEPT_RECORDS = '1'

// Jest asks the keyboard then, and ends when told to.
if (args.includes('--watch')) process.exit(await watchTests(args, nodeOptions))

const leastIdle = 0.25
/** Bytes that a lane takes at most: browsers and servers beside them. */
const leastMemory = 4 * 1024 ** 3
const isAll = args.length === 1 && args[0] === '--all'
/** Not: tests or a stage by name. */
const isOverview = isAll || args.length === 0
const commit = isOverview ? findCleanCommit(root) : undefined

const total: TestTotals = { passed: 0, failed: 0 }
const passed: string[] = []
const failed: string[] = []
const late: Stage[] = []
/** Not for every change, and ended where nobody could wait for them. */
const unended: Stage[] = []
const { stages, words } = choose()
words.forEach((line) => console.log(line))
const inLanes = stages.filter(({ lane }) => lane)
// One alone says what it does while it does it.
const beside = isOverview && inLanes.length > 1 ? inLanes : []
for (const stage of stages) {
  if (beside.includes(stage) || isLate(stage)) continue
  // What cannot be built is said by the stage.
  if (needsBuild(stage)) await buildStale().catch(() => undefined)
  await run(stage)
}
// Each waits for its browsers, servers and installations for half of its time.
const going = new Map<string, number>()
const watch = setInterval(sayGoing, 300_000)
await runLanes(beside, {
  run: runApart,
  build: buildStale,
  lanesAtOnce: Math.max(2, availableParallelism()),
  watchRoom,
})
clearInterval(watch)
printHeading('all stages')
if (isOverview) for (const sentence of listUntried()) console.log(`  ${sentence}`)
words.forEach((line) => console.log(line))
// A log that is cut keeps its end.
console.log([...passed, ...sayLate(), ...failed].join('\n'))
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
// What was edited meanwhile was not tried, or not as it is now.
if (commit && total.failed === 0 && late.length + unended.length === 0 && findCleanCommit(root) === commit)
  notePassed(root, commit)
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
  const isLeft = isOverview && isTooLate(stage, performance.now() / 1000, process.env.TEST_SECONDS)
  if (isLeft) late.push(stage)
  return isLeft
}

async function run({ name, count }: Stage): Promise<void> {
  if (name !== 'check') printHeading(name)
  const began = performance.now()
  const usedBefore = childSeconds()
  const totals = await count()
  const used = childSeconds() - usedBefore
  add(name, totals, { seconds: (performance.now() - began) / 1000, used })
}

function sayLate(): readonly string[] {
  const most = process.env.TEST_SECONDS
  return [...sayTooLate('begun', late, most), ...sayTooLate('over', unended, most)]
}

interface Took {
  readonly seconds: number
  /** Of all processors; not known where the system does not say it. */
  readonly used: number | undefined
}

function add(name: string, totals: TestTotals, took: Took): void {
  const { failures = [], unsteady = [] } = totals
  total.passed += totals.passed
  total.failed += totals.failed
  const lines = totals.failed === 0 ? passed : failed
  const processor = took.used ? `, ${Math.round(took.used)} s of processor` : ''
  const sum = `${totals.passed} passed, ${totals.failed} failed, ${Math.round(took.seconds)} s${processor}`
  lines.push(`  ${totals.failed === 0 ? '✓' : '✗'} ${name}: ${sum}`)
  lines.push(...unsteady.map((sentence) => `    unsteady: ${sentence}`))
  if (totals.failed > 0)
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
  // What failed before it was ended has failed.
  const hasFailed = /^(?:FAIL | +[✗✘] )/m.test(result.text)
  if (signal?.aborted && stage.about && !hasFailed) return void unended.push(stage)
  const { used, ...totals } = parseStageTotals(result)
  add(name, totals, { seconds: result.seconds, used })
}

/** Stages wait for much: where a quarter of the processors did nothing for half a minute, there is room for a lane. */
function watchRoom(begin: () => void): () => void {
  const idle = watchIdle()
  const often = setInterval(() => {
    if (idle() > leastIdle && process.availableMemory() > leastMemory) begin()
  }, 30_000)
  return () => clearInterval(often)
}

/** A log that is cut says what was waited for. */
function sayGoing(): void {
  const list = [...going].map(([name, began]) => `${name}, ${Math.round((performance.now() - began) / 1000)} s`)
  console.log(`  after ${Math.round(performance.now() / 1000)} s, under way: ${list.join('; ')}`)
}
