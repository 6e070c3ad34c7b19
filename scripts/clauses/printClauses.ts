import type { ClauseReport } from './clauseReport.ts'

/** Short: the counts and what has no test yet. Full: every row with its tests. */
export function printClauses(
  { clauses, unknown, crowded, unproven }: ClauseReport,
  { isFull }: { isFull: boolean },
): void {
  if (isFull) {
    for (const clause of clauses) {
      console.log(`${clause.id}  ${clause.behaviour}`)
      for (const { title, where } of clause.tests) console.log(`        ${where}  ${title}`)
      if (unproven.includes(clause)) console.log('        no test yet')
    }
    console.log()
  }
  for (const problem of [...unknown, ...crowded]) console.log(`  ✗ ${problem}`)
  const rows = clauses.filter((clause) => !clause.isNote)
  console.log(`${rows.length - unproven.length} of ${rows.length} rows of docs/product.md are shown by tests.`)
  if (unproven.length > 0) console.log(`No test yet: ${unproven.map((clause) => clause.id).join(', ')}`)
}
