import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../../server/src/core/escapeHtml.ts'
import { parseIds, parseClauses } from './clauseReport.ts'
import { root, readText } from '../workspace/files.ts'

/** The properties that the reporter needs of a test that Playwright ran. */
interface FinishedTest {
  readonly title: string
  readonly location: { readonly file: string; readonly line: number }
  outcome(): 'skipped' | 'expected' | 'unexpected' | 'flaky'
  parent: { project(): { name: string } | undefined }
}

const outcomeTexts = { expected: 'passed', unexpected: 'FAILED', flaky: 'flaky', skipped: 'did not run' } as const

/**
 * Playwright reporter: beside the report of the journeys, what they showed clause by clause, and of which composition.
 */
export default class ClauseReporter {
  #tests: readonly FinishedTest[] = []

  onBegin(_config: unknown, suite: { allTests(): FinishedTest[] }): void {
    this.#tests = suite.allTests()
  }

  onEnd(): void {
    const folder = join(root, 'e2e', 'playwright-report')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'clauses.html'),
      formatPage(this.#tests, process.env.BASE_URL ?? '', process.env.E2E_VERSIONS ?? 'unknown'),
    )
  }
}

/** The page: address and versions, then each clause that a journey names, with the journeys and how they went. */
export function formatPage(
  tests: readonly FinishedTest[],
  address: string,
  versions: string,
  product = parseClauses(readText('docs/product.md')),
): string {
  const byClause = Map.groupBy(
    tests.flatMap((test) => parseIds(test.title).map((id) => ({ id, test }))),
    ({ id }) => id,
  )
  const namedClauses = product.filter(({ id }) => byClause.has(id))
  const rows = namedClauses.map(
    ({ id, behaviour }) =>
      `<tr><th scope="row">${id}</th><td>${escapeHtml(behaviour)}</td><td><ul>${(byClause.get(id) ?? []).map(({ test }) => formatJourney(test)).join('')}</ul></td></tr>`,
  )
  const failed = tests.filter((test) => test.outcome() === 'unexpected').length
  const clauseCount = product.filter((clause) => !clause.isNote).length
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Journeys by clause</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem;max-width:80rem}
table{border-collapse:collapse}th,td{border:1px solid #ccc;padding:.4rem;text-align:left;vertical-align:top}
ul{margin:0;padding-left:1.2rem}.FAILED,.flaky{font-weight:bold;color:#b00020}</style>
<h1>Journeys by clause</h1>
<dl><dt>Address</dt><dd>${escapeHtml(address)}</dd>
<dt>Live there</dt><dd>${escapeHtml(versions)}</dd>
<dt>Journeys</dt><dd>${tests.length}, ${failed} failed; ${namedClauses.length} of ${clauseCount} clauses named</dd></dl>
<p><a href="index.html">The journeys one by one, with traces and screenshots of failures</a></p>
<table><thead><tr><th>Clause</th><th>Behaviour</th><th>Journeys</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>
</html>
`
}

function formatJourney(test: FinishedTest): string {
  const outcome = outcomeTexts[test.outcome()]
  return `<li><span class="${outcome}">${outcome}</span> ${escapeHtml(test.title)} (${escapeHtml(test.parent.project()?.name ?? '')})</li>`
}
