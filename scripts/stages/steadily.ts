import type { TestTotals } from '../workspace/testTotals.ts'

/** What failed beside others is run again by itself so often at most, and no longer than this; twice in any case. */
export const leastRuns = 2
export const mostRuns = 10
export const longestMs = 180_000
/** Where more files than this fail, it is no hiccup. */
const mostFiles = 5

/**
 * Judges what failed as the suite of journeys does: the file is run again and again, by itself. A hiccup of a machine
 * that is busy with another test passes every time then, and is named as unsteady; a mistake, or a race of the product
 * or of the test, shows itself and stays a failure.
 */
export async function steadily(
  first: TestTotals,
  runAlone: (file: string) => Promise<TestTotals>,
  clock: () => number = () => performance.now(),
): Promise<TestTotals> {
  const { passed, failed, failures = [] } = first
  const files = [...new Set(failures.map((failure) => failure.split(' › ')[0] ?? ''))]
  // Otherwise something failed that has no name: a runner that ended, a file that nobody tells of.
  if (failed === 0 || failures.length < failed || files.length > mostFiles) return first
  const unsteady: string[] = []
  for (const file of files) {
    const runs = await countRuns(file, runAlone, clock)
    if (runs === undefined) return first
    unsteady.push(`${file} failed, and passed ${runs} times by itself`)
  }
  return { passed: passed + failed, failed: 0, failures: [], unsteady }
}

/** How often the file passed; undefined as soon as it fails once. */
async function countRuns(
  file: string,
  runAlone: (file: string) => Promise<TestTotals>,
  clock: () => number,
): Promise<number | undefined> {
  const began = clock()
  for (let runs = 0; ; runs += 1) {
    if (runs === mostRuns || (runs >= leastRuns && clock() - began > longestMs)) return runs
    const { passed, failed } = await runAlone(file)
    if (failed > 0 || passed === 0) return undefined
  }
}
