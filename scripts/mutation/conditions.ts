import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding } from '../../server/src/testing/conditions/judge.ts'
import { jest, ofMachine, ofPrograms, postgres } from '../stages/jestRuns.ts'
import { root } from '../workspace/files.ts'

const watch = pathToFileURL(join(root, 'server/src/testing/conditions/watch.ts')).href

/** Stories are told on the embedded database, whichever the others have. */
const runs: readonly { readonly env: Record<string, string>; readonly ignored: readonly string[] }[] = postgres
  ? [
      { env: {}, ignored: ['/stories/'] },
      { env: { TEST_DATABASE_URL: '' }, ignored: ['^(?!.*/stories/)'] },
    ]
  : [{ env: {}, ignored: [] }]

/**
 * Runs the server's tests, all or those of these paths, and prints each condition of a statement without which every
 * statement of these tests would have had the same rows: whoever forgets it is told by none of them. Some are so by
 * what the database holds to anyway (an id that is known belongs to one organization); the others lack an example.
 */
export async function printConditions(paths: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-conditions-'))
  const file = join(folder, 'findings.jsonl')
  try {
    let failed = 0
    for (const { env, ignored } of runs) {
      const ofServer = ['--testPathIgnorePatterns', ofPrograms, ofMachine, ...ignored, '--passWithNoTests']
      const watched = { NODE_OPTIONS: `--import ${watch}`, TEST_CONDITIONS: file, ...env }
      const chosen = ['--selectProjects', 'server', ...ofServer, '--', ...paths]
      failed += (await jest('jest.node.config.mjs', watched, chosen)).failed
    }
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    const { judged, unnoticed } = sumUp(lines.map((line) => JSON.parse(line) as Finding))
    for (const line of unnoticed) console.log(line)
    console.log(`\n${unnoticed.length} of ${judged} conditions could be forgotten.`)
    // Such as those that count statements, of which there are more here.
    if (failed > 0) console.log(`${failed} tests failed, and may have left out statements.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A line for each condition that nobody would miss, with where it was asked. One that the same place asks in several
 * statements (with a filter and without) is missed if it is in one of them.
 */
export function sumUp(findings: readonly Finding[]): { readonly judged: number; readonly unnoticed: string[] } {
  const noticed = new Set(findings.flatMap((finding) => ('outcome' in finding ? [finding.key] : [])))
  const lines = new Map<string, boolean>()
  for (const finding of findings) {
    // `true` joins whatever there is.
    if (!('text' in finding) || finding.text === 'true') continue
    const line = `${finding.place} ${finding.text}`
    lines.set(line, (lines.get(line) ?? false) || noticed.has(finding.key))
  }
  const unnoticed = [...lines].flatMap(([line, isNoticed]) => (isNoticed ? [] : [line]))
  return { judged: lines.size, unnoticed: unnoticed.toSorted() }
}
