import { join } from 'node:path'
import { root } from '../workspace/files.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import type { TestTotals } from '../workspace/testTotals.ts'

/** Two scenes, cold and warm, each with a line for its first drawing and one for its goal; and each's processor. */
const lineCount = 10

/**
 * `npm run bench` with one pair of visits: whether it builds, serves and measures, and not what it says of times, which
 * a machine at work does not know.
 */
export async function benchOnce(): Promise<TestTotals> {
  const { code, text } = await runProcess(node, [join(root, 'scripts/dmp.mjs'), 'bench', '1', 'HTTP/2'])
  const measured = text.match(/ \d+ +\d+ {3}\d+\.\d{3} \(/g) ?? []
  const profiled = text.match(/^ {2}react-dom +[1-9]\d* +[1-9]/gm) ?? []
  const failures = [
    ...(code === 0 ? [] : [`npm run bench -- 1 ended with ${code}: ${text.slice(-1000)}`]),
    ...(measured.length === lineCount ? [] : [`${measured.length} of ${lineCount} times were measured.`]),
    ...(profiled.length === 2 ? [] : [`${profiled.length} of 2 pages say how long react-dom runs.`]),
  ]
  failures.forEach((failure) => console.error(failure))
  return { passed: failures.length === 0 ? 1 : 0, failed: failures.length, failures }
}
