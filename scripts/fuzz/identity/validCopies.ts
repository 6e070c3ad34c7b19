import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestTotals } from '../../workspace/testTotals.ts'
import { copyOf } from './copyOf.ts'
import { listObjects } from './objects.ts'

/** What the validator of dicom3tools finds in a file, without the values that it repeats. */
function listErrors(program: string, path: string): ReadonlySet<string> {
  const { stderr } = spawnSync(program, ['-new', path], { encoding: 'latin1' })
  if (typeof stderr !== 'string') throw new Error(`${program} did not run.`)
  const lines = stderr.split('\n').filter((line) => line.startsWith('Error'))
  return new Set(lines.map((line) => (line.split(' = <')[0] ?? line).replace(/\[\d+\]/g, '')))
}

/** The validator does not inflate what it reads. */
const deflated = '1.2.840.10008.1.2.1.99'

/** A copy may have the faults of its original, and none of its own: judged by a program that is not ours. */
export async function validCopies(program: string): Promise<TestTotals> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-valid-'))
  const totals: TestTotals = { passed: 0, failed: 0 }
  try {
    for (const [number, original] of listObjects().entries()) {
      if (original.subarray(0, 1000).includes(deflated)) continue
      const [before, after] = ['original', 'copy'].map((name) => join(folder, `${number}-${name}.dcm`)) as [
        string,
        string,
      ]
      writeFileSync(before, original)
      writeFileSync(after, await copyOf(original, randomBytes(32)))
      const known = listErrors(program, before)
      const added = [...listErrors(program, after)].filter((error) => !known.has(error))
      totals[added.length === 0 ? 'passed' : 'failed'] += 1
      if (added.length > 0) console.log(`  ✗ the copy of object ${number}:\n    ${added.join('\n    ')}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return totals
}
