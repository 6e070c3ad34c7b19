import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from '../install.mjs'
import { printConditions } from '../mutation/conditions.ts'
import { drawFaults, listFaults, type Fault } from '../mutation/faults.ts'
import { Judge } from '../mutation/judge.ts'
import { printSides } from '../mutation/printSides.ts'
import { isProduct } from '../mutation/product.ts'
import { findRelatedTests } from '../mutation/relatedTests.ts'
import { exitOnError } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'

// `npm run mutate -- [count] [--seed n] [--people] [--near | --all] [--only 3,17] [--at commit] [folder…]`: in copies
// of what is committed, one fault at a time.
// --people: faults of omission, place and time instead of changed tokens.
// --near: only types and the nearest tests, no journeys; --all: also the farthest tests; --only: faults of an earlier
// run by their numbers, for example its survivors.
// `npm run mutate -- --conditions [test…]`: no copies; one run of the server's tests names each condition of its
// statements that could be forgotten.
// `npm run mutate -- --sides [folder…]`: one run of the tests in a copy names each decision of which none of them sees
// a side; only decisions and tests of these folders.
const options = process.argv.slice(2)
const valued = ['--seed', '--only', '--at']
const isValue = (at: number) => valued.includes(options[at - 1] ?? '')
const findOption = (name: string) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined)
const seed = Number(findOption('--seed') ?? 1)
const count = Number(options.find((word, at) => /^\d+$/.test(word) && !isValue(at)) ?? 60)
const only = findOption('--only')?.split(',').map(Number)
/** The commit to mutate, now or earlier: a run can be repeated. */
const commit = git(root, 'rev-parse', findOption('--at') ?? 'HEAD')
const folders = options.filter((word, at) => /^[a-z]/.test(word) && !isValue(at))

// Tests that are under way end with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

await exitOnError(async () => {
  if (options.includes('--conditions')) return printConditions(options.filter((word) => !word.startsWith('--')))
  const isOfSides = options.includes('--sides')
  const copies = await Promise.all((isOfSides ? ['1'] : ['1', '2']).map(prepared))
  const [copy = ''] = copies
  const related = findRelatedTests(copy)
  const files = related.files.filter(
    (file) =>
      isProduct(file) &&
      (folders.length === 0 || folders.some((folder) => file.startsWith(`${folder}/`) || file === folder)),
  )
  if (isOfSides) return printSides(copy, files, folders)
  const faults = drawFaults(
    files.flatMap((file) =>
      listFaults(file, readFileSync(join(copy, file), 'utf8'), options.includes('--people') ? 'people' : 'tokens'),
    ),
    count,
    seed,
  )
  console.log(
    `${faults.length} faults in ${new Set(faults.map(({ file }) => file)).size} of ${files.length} files, seed ${seed}, ${git(copy, 'log', '-1', '--format=%h')}.`,
  )

  const queue = [...faults.entries()].filter(([at]) => !only || only.includes(at + 1))
  const faultCount = queue.length
  const survivors: Fault[] = []
  const sound = new Map<string, boolean>()
  await Promise.all(
    copies.map(async (checkout) => {
      const judge = new Judge(checkout, related, sound)
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [at, fault] = next
        const began = performance.now()
        const catcher = await judge.findCatcher(
          fault,
          options.includes('--near') ? 'near' : options.includes('--all') ? 'all' : 'usual',
        )
        const seconds = Math.round((performance.now() - began) / 1000)
        console.log(
          `${String(at + 1).padStart(3)} ${catcher ? 'caught  ' : 'SURVIVED'} ${fault.kind.padEnd(12)} ${fault.file}:${fault.line} ${fault.what}${catcher ? ` · ${catcher}` : ''} · ${seconds} s`,
        )
        if (!catcher) survivors.push(fault)
      }
    }),
  )
  console.log(
    `\n${faultCount - survivors.length} of ${faultCount} faults were caught (${((1 - survivors.length / faultCount) * 100).toFixed(1)} %).`,
  )
})

/** A copy that is kept for the next run: it fetches only newer commits. */
async function prepared(name: string): Promise<string> {
  const copy = join(root, '.cache', 'mutation', name)
  mkdirSync(join(root, '.cache', 'mutation'), { recursive: true })
  if (!existsSync(copy)) git(root, 'clone', '-q', root, copy)
  git(copy, 'fetch', '-q', 'origin')
  git(copy, 'reset', '-q', '--hard', commit)
  git(copy, 'clean', '-fdq')
  const problem = await ensureInstalled(copy)
  if (problem) throw new Error(problem)
  return copy
}

function git(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]} did not work in ${cwd}: ${stderr.trim()}`)
  return stdout.trim()
}
