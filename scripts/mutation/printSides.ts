import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeOptions, ofMachine, ofPrograms } from '../stages/jestRuns.ts'
import { findJestConfigs, webTests } from '../workspace/jestConfigs.ts'
import { node } from '../workspace/runProcess.ts'
import { markSides, tellUnseen, type Decision } from './sides.ts'

/**
 * Marks each decision of these files of a checkout, runs the tests there (all but those of programs, machines and
 * sources, or those of these paths), and prints the decisions of which no test sees a side: whoever gets that side
 * wrong is told by none of them.
 */
export function printSides(checkout: string, files: readonly string[], paths: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-sides-'))
  const record = join(folder, 'sides')
  writeFileSync(record, '')
  const sources = new Map(files.map((file) => [file, readFileSync(join(checkout, file), 'utf8')]))
  const decisions: Decision[] = []
  try {
    for (const [file, source] of sources) {
      const marked = markSides(file, source, decisions.length, record)
      decisions.push(...marked.decisions)
      writeFileSync(join(checkout, file), marked.source)
    }
    for (const config of findJestConfigs(paths)) runTests(checkout, config, paths)
    const unseen = tellUnseen(decisions, readFileSync(record, 'utf8'))
    for (const line of unseen) console.log(line)
    console.log(`\n${unseen.length} of ${decisions.length} decisions have a side that no test sees.`)
  } finally {
    for (const [file, source] of sources) writeFileSync(join(checkout, file), source)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tests that fail say so; those that read sources as text do, and have none to say here. */
function runTests(checkout: string, config: string, paths: readonly string[]): void {
  const isWeb = config === webTests
  const ofNode = ['--ignoreProjects', 'scripts', '--testPathIgnorePatterns', ofMachine, ofPrograms]
  const options = [...(isWeb ? [] : ofNode), '--ci', '--silent', '--passWithNoTests', '--', ...paths]
  const jest = [join(checkout, 'node_modules/jest/bin/jest.js'), '-c', config, ...options]
  spawnSync(node, [...(isWeb ? [] : nodeOptions), ...jest], { cwd: checkout, stdio: ['ignore', 2, 2] })
}
