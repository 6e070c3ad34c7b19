import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isAcceptingRecords } from '../../settings/settings.ts'

/** The command by which a record is accepted, for who reads a failure. */
const cure =
  'Read it as you would read a change of code. If it is meant: npm test -- --accept-records, and commit the record.'

const toSteps = (text: string): string[] => text.trimEnd().split(/\n\n(?=## )/)
const titleOf = (step: string): string => step.slice(0, step.indexOf('\n'))

/** Compares what a story wrote down with the record beside it, or keeps it where that was asked for. */
export function keepRecord(story: string, text: string): void {
  const file = fileURLToPath(new URL(story)).replace(/\.test\.ts(?:\?.*)?$/, '.record.txt')
  if (isAcceptingRecords()) return writeFileSync(file, text)
  const known = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (known === text) return
  throw new Error(`${describeDifference(known, text)}\n\n${cure}`)
}

const mostSteps = 5

export function describeDifference(known: string, text: string): string {
  const [was, is] = [toSteps(known), toSteps(text)]
  const differing: string[] = []
  for (let at = 0; at < Math.max(was.length, is.length); at += 1) {
    const [before = '', after = ''] = [was[at], is[at]]
    if (before !== after) differing.push(`${titleOf(after || before)}\n${diffLines(before, after)}`)
  }
  const more = differing.length > mostSteps ? [`… and ${differing.length - mostSteps} more steps`] : []
  return [
    `The record differs in ${differing.length} of ${is.length} steps.`,
    ...differing.slice(0, mostSteps),
    ...more,
  ].join('\n\n')
}

/** Lines that are gone and that are new, with what both have left out. */
function diffLines(before: string, after: string): string {
  const [a, b] = [before.split('\n').slice(1), after.split('\n').slice(1)]
  // Lengths of the longest common sequence from each place on.
  const common = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length)
    if (i < a.length && j < b.length && a[i] === b[j]) [i, j] = [i + 1, j + 1]
    else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) lines.push(`  - ${a[i++]}`)
    else lines.push(`  + ${b[j++]}`)
  return lines.join('\n')
}
