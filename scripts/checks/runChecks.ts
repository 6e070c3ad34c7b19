import { join } from 'node:path'
import type { TestTotals } from '../workspace/testTotals.ts'
import { printHeading, runProcess } from '../workspace/runProcess.ts'
import { listFiles, listRemotes, root } from '../workspace/files.ts'
import { checkAsvs } from './asvs.ts'
import { checkConformanceStatement } from './conformanceStatement.ts'
import { checkDecisions } from './decisions.ts'
import { checkRegularExpressions } from './regularExpressions.ts'
import { checkDocumentedSettings } from './documentedSettings.ts'
import { checkExactVersions } from './exactVersions.ts'
import { checkLicences } from './licences.ts'
import { checkLineWidth } from './lineWidth.ts'
import { checkShape } from './shape.ts'
import { checkSources } from './sources.ts'
import { findTypeProblems } from './types.ts'

interface Check {
  name: string
  /** The problems, each with its cure; empty when all is well. */
  problems: (options: { isFixing?: boolean }) => Promise<string[]> | string[]
}

const tool = (name: string) => join(root, 'node_modules', '.bin', name)

const checks: Check[] = [
  { name: 'layout: oxfmt', problems: checkLayout },
  { name: 'line width: at most 120 columns', problems: checkLineWidth },
  { name: 'types: TypeScript over every package', problems: checkTypes },
  {
    name: 'lint: oxlint',
    problems: () => reportFailure(tool('oxlint'), ['--deny-warnings', '--report-unused-disable-directives']),
  },
  {
    name: 'who may import whom: dependency-cruiser',
    problems: () =>
      reportFailure(tool('depcruise'), [
        '-c',
        '.dependency-cruiser.mjs',
        '-T',
        'err-long',
        'shared',
        'host',
        ...listRemotes(),
        'server',
        'viewer',
        'uploader',
        'e2e',
        'scripts',
      ]),
  },
  { name: 'shape: every remote has the same rooms', problems: checkShape },
  { name: 'dependencies: exact versions', problems: checkExactVersions },
  { name: 'licences: allowed, or named with a reason', problems: checkLicences },
  { name: 'sources: no secret, no foreign host, nothing left behind', problems: checkSources },
  { name: 'docs/operations.md has the settings that the server reads', problems: checkDocumentedSettings },
  { name: 'docs/conformance.md says what DICOMweb does', problems: checkConformanceStatement },
  { name: 'docs: every decision has number, date and status, every link leads somewhere', problems: checkDecisions },
  { name: 'docs/asvs.md: every requirement of levels 1 and 2, with tests that exist', problems: checkAsvs },
  { name: 'regular expressions are linear [P17]', problems: checkRegularExpressions },
]

/** Runs every check and prints each problem with its cure. */
export async function runChecks(options: { isFixing?: boolean } = {}): Promise<TestTotals> {
  printHeading('check')
  const totals = { passed: 0, failed: 0 }
  for (const { name, problems } of checks) {
    const began = performance.now()
    const messages = await problems(options)
    const time = `${((performance.now() - began) / 1000).toFixed(1)} s`
    console.log(`${messages.length === 0 ? '  ✓' : '  ✗'} ${name} (${time})`)
    for (const message of messages) console.log(message.includes('\n') ? message : `      ${message}`)
    totals[messages.length === 0 ? 'passed' : 'failed'] += 1
  }
  return totals
}

/** Lists what `npm run check -- --fix` would lay out anew; with it, does so. */
async function checkLayout({ isFixing }: { isFixing?: boolean }): Promise<string[]> {
  if (isFixing) return reportFailure(tool('oxfmt'), ['--write', '.'])
  const { code, text } = await runProcess(tool('oxfmt'), ['--list-different', '.'], { isQuiet: true })
  if (code === 0) return []
  return text
    .split('\n')
    .filter(Boolean)
    .map((file) => `${file} is not formatted: npm run check -- --fix`)
}

async function reportFailure(command: string, args: string[]): Promise<string[]> {
  const { code, text } = await runProcess(command, args, {
    isQuiet: true,
    env: { FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
  })
  return code === 0 ? [] : [text.trimEnd()]
}

async function checkTypes(): Promise<string[]> {
  const queue = listFiles('.', /^tsconfig\.json$/)
  const problems: string[] = []
  const work = async () => {
    for (let project = queue.shift(); project; project = queue.shift())
      problems.push(...(await findTypeProblems(project)))
  }
  await Promise.all([work(), work()])
  return [...new Set(problems)]
}
