import { createClauseReport } from '../clauses/clauseReport.ts'
import { printClauses } from '../clauses/printClauses.ts'

const options = process.argv.slice(2)
const report = createClauseReport()
printClauses(report, { isFull: !options.includes('--short') })
process.exitCode =
  report.unknown.length + report.crowded.length > 0 || (options.includes('--strict') && report.unproven.length > 0)
    ? 1
    : 0
