import { join } from 'node:path'
import { root } from '../workspace/files.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import { postgres } from '../stages/jestRuns.ts'
import type { TestTotals } from '../workspace/testTotals.ts'

/** Two scenes, cold and warm, each until its first drawing, its goal and an answer; and the processor of each. */
const lineCount = 14

/**
 * `npm run bench` with one pair of visits: whether it builds, serves and measures, and not what it says of times, which
 * a machine at work does not know.
 */
export async function benchOnce(): Promise<TestTotals> {
  const { code, text } = await runProcess(node, [join(root, 'scripts/dmp.mjs'), 'bench', '1', 'HTTP/2'])
  const measured = text.match(/ \d+ +\d+ {3}\d+\.\d{3} \(/g) ?? []
  const profiled = text.match(/^ {2}react-dom +[1-9]\d* +[1-9]/gm) ?? []
  const failures = [
    ...(code === 0 ? [] : [`npm run bench -- 1 ended with ${code}: ${sayWhy(text)}`]),
    ...(measured.length === lineCount ? [] : [`${measured.length} of ${lineCount} times were measured.`]),
    ...(profiled.length === 2 ? [] : [`${profiled.length} of 2 pages say how long react-dom runs.`]),
  ]
  if (postgres) failures.push(...(await pressSome()))
  failures.forEach((failure) => console.error(failure))
  return { passed: failures.length === 0 ? 1 : 0, failed: failures.length, failures }
}

/** From the line that names the error on: what Node.js prints behind it is longer than the rest. */
function sayWhy(text: string): string {
  const at = text.search(/^\w*Error: /m)
  return at === -1 ? text.slice(-1000) : text.slice(at, at + 1000)
}

/** Each kind of press once, on ours and on the table beside it; it starts a PostgreSQL of its own. */
async function pressSome(): Promise<string[]> {
  const { code, text } = await runProcess(node, [
    join(root, 'scripts/dmp.mjs'),
    'bench',
    'interactions',
    '5',
    'processor',
  ])
  const measured = text.split('\n').filter((line) => /^until the (?:next frame|result), all 5 +[1-9]/.test(line))
  if (code === 0 && measured.length === 2) return []
  return [`npm run bench -- interactions 5 ended with ${code}, ${measured.length} of 2 measured: ${sayWhy(text)}`]
}
