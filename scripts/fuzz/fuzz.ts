import type { TestTotals } from '../workspace/testTotals.ts'
import { saveCase, type FuzzCase } from './FuzzCase.ts'
import { FuzzedServer } from './FuzzedServer.ts'
import { playCase } from './playCase.ts'
import { Random } from './Random.ts'
import { targets } from './targets/index.ts'

export interface FuzzOptions {
  readonly seconds: number
  readonly seed: string
  /** Names of targets; all of them where left out. */
  readonly only?: readonly string[]
}

/** The server as a whole is judged after so many cases: leftovers and logs cannot be told apart by case. */
const batchSize = 20
const mostFindings = 20

interface Tally {
  cases: number
  readonly statuses: Map<number, number>
}

/**
 * Sends broken input to a real server until the time is over. Equal seeds send equal cases in equal order; each finding
 * is kept in `scripts/fuzz/cases`, where the tests play it again from then on.
 */
export async function fuzz({ seconds, seed, only }: FuzzOptions): Promise<TestTotals> {
  const names = only ?? Object.keys(targets)
  const tallies = new Map<string, Tally>(names.map((name) => [name, { cases: 0, statuses: new Map() }]))
  const findings = new Map<string, string>()
  let server = await FuzzedServer.start()
  const end = Date.now() + seconds * 1000
  try {
    // However short the time, each target gets a batch.
    for (let batch = 0; (batch < names.length || Date.now() < end) && findings.size < mostFindings; batch += 1) {
      const name = names[batch % names.length] ?? ''
      const cases = Array.from({ length: batchSize }, (_, index) =>
        makeCase(name, seed, Math.floor(batch / names.length) * batchSize + index),
      )
      for (const { problem, fuzzCase } of await playBatch(server, cases, tallies.get(name)))
        keep(findings, problem, fuzzCase)
      if (server.isAlive) await server.signIn()
      else {
        await server.stop()
        server = await FuzzedServer.start()
      }
    }
    print(tallies, findings, seed, server.residentBytes())
  } finally {
    await server.stop()
  }
  return {
    passed: names.filter((name) => ![...findings.keys()].some((key) => key.startsWith(`${name}: `))).length,
    failed: findings.size,
    failures: [...findings.keys()],
  }
}

export function makeCase(target: string, seed: string, number: number): FuzzCase {
  const make = targets[target]
  if (!make) throw new Error(`There is no target "${target}". Targets: ${Object.keys(targets).join(', ')}.`)
  return make(new Random(seed, target, number))
}

type Judged = Pick<FuzzedServer, 'url' | 'token' | 'findProblems'>

/** Plays some cases and names what was wrong with an answer, or with the server after all of them. */
export async function playBatch(
  server: Judged,
  cases: readonly FuzzCase[],
  tally: Tally = { cases: 0, statuses: new Map() },
): Promise<{ problem: string; fuzzCase: FuzzCase }[]> {
  const found: { problem: string; fuzzCase: FuzzCase }[] = []
  for (const fuzzCase of cases) {
    const { problems, statuses } = await playCase(server, fuzzCase)
    tally.cases += 1
    for (const status of statuses) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
    for (const problem of problems) found.push({ problem, fuzzCase })
  }
  const together = { target: cases[0]?.target ?? '', steps: cases.flatMap(({ steps }) => steps) }
  for (const problem of await server.findProblems()) found.push({ problem, fuzzCase: together })
  return found
}

/** One case of each kind is enough to mend it. */
function keep(findings: Map<string, string>, problem: string, fuzzCase: FuzzCase): void {
  const [line = ''] = problem.split('\n', 1)
  const kind = `${fuzzCase.target}: ${line.replace(/[\d.]{4,}|[0-9a-f-]{16,}/g, 'N').slice(0, 90)}`
  if (findings.has(kind)) return
  const file = saveCase({ ...fuzzCase, problem })
  findings.set(kind, file)
  console.log(`  ✗ ${fuzzCase.target}: ${problem}\n    kept as ${file}`)
}

function print(
  tallies: ReadonlyMap<string, Tally>,
  findings: ReadonlyMap<string, string>,
  seed: string,
  bytes: number,
): void {
  for (const [name, { cases, statuses }] of tallies) {
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
    console.log(`  ${name}: ${cases} cases${counts.length > 0 ? `, ${counts.join(', ')}` : ''}`)
  }
  console.log(`  The server took ${Math.round(bytes / 2 ** 20)} MB at the end.`)
  if (findings.size > 0) console.log(`  To send the same again: npm run fuzz -- --seed ${seed}`)
}
