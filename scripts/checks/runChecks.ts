import { join } from 'node:path'
import type { TestTotals } from '../workspace/testTotals.ts'
import { printHeading, runProcess } from '../workspace/runProcess.ts'
import { listPartsOfPage, listStale } from '../workspace/builds.ts'
import { listFiles, listHiddenFiles, root } from '../workspace/files.ts'
import { checkCatalogues } from '../locales/locales.ts'
import { checkAsvs } from './asvs.ts'
import { checkConformanceStatement } from './conformanceStatement.ts'
import { checkDecisions } from './decisions.ts'
import { checkEditors } from './editors.ts'
import { checkDeprecatedNames, checkPublicNames } from './publicNames.ts'
import { checkRegularExpressions } from './regularExpressions.ts'
import { checkDocumentedSettings } from './documentedSettings.ts'
import { checkExactVersions } from './exactVersions.ts'
import { checkImports } from './imports/checkImports.ts'
import { checkLicences } from './licences.ts'
import { findAllWideLines, listWidthFiles } from './lineWidth.ts'
import { checkLogicalStyles } from './logicalStyles.ts'
import { checkPromises } from './promises.ts'
import { checkShape } from './shape.ts'
import { checkSources } from './sources.ts'
import { importLines, judgeEach, KeptAnswers, listSources } from './keptAnswers.ts'
import { checkTypes } from './types.ts'

interface CheckOptions {
  readonly isFixing: boolean
  readonly answers: KeptAnswers
}

interface Check {
  readonly name: string
  /** The problems, each with its cure; empty when all is well. */
  readonly problems: (options: CheckOptions) => Promise<string[]> | string[]
  /** A key for all that the answer stands on; a check without one takes no time and is always run. */
  readonly key?: (answers: KeptAnswers) => string
  /** Why it cannot judge here and now, which is said and no problem; undefined where it can. */
  readonly unable?: () => string | undefined
}

const tool = (name: string) => join(root, 'node_modules', '.bin', name)

const checks: Check[] = [
  // The longest first: the others run beside it.
  { name: 'types: TypeScript over every package', problems: ({ answers }) => checkTypes(answers) },
  { name: 'layout: oxfmt', problems: checkLayout },
  {
    name: 'line width: at most 120 columns',
    problems: ({ answers }) => judgeEach(answers, 'width', listWidthFiles(), findAllWideLines),
  },
  { name: 'styles: no side is left or right', problems: checkLogicalStyles },
  {
    name: 'lint: oxlint',
    problems: ({ answers }) => judgeEach(answers, 'lint', listSources(), lint),
  },
  { name: 'promises: each is waited for (oxlint with types)', problems: ({ answers }) => checkPromises(answers) },
  {
    name: 'who may import whom: dependency-cruiser',
    problems: ({ answers }) =>
      checkImports(answers, (folders) =>
        reportFailure(tool('depcruise'), ['-c', '.dependency-cruiser.mjs', '-T', 'err-long', ...folders]),
      ),
    key: (answers) => answers.keyOf(listSources(), importLines),
  },
  { name: 'shape: every remote has the same rooms', problems: checkShape },
  { name: 'dependencies: exact versions', problems: checkExactVersions },
  {
    name: 'licences: allowed, or named with a reason',
    problems: ({ answers, isFixing }) => checkLicences({ isFixing, isWhole: answers.isWhole }),
    key: (answers) => answers.keyOf(['docs/licences.md', 'node_modules/.dmp-install']),
  },
  {
    name: 'languages: every text is in every catalogue',
    problems: checkCatalogues,
    key: (answers) => answers.keyOf([...listSources(), ...listFiles('.', /\/locales\/\w+\.json$/)]),
  },
  { name: 'sources: no secret, no foreign host, nothing left behind', problems: checkSources },
  { name: 'contract and kit: no export leaves unnoticed', problems: checkPublicNames },
  { name: 'contract and kit: what is deprecated is told', problems: checkDeprecatedNames },
  { name: 'docs/operations.md has the settings that the server reads', problems: checkDocumentedSettings },
  { name: 'docs/conformance.md says what DICOMweb does', problems: checkConformanceStatement },
  { name: 'docs: every decision has number, date and status, every link leads somewhere', problems: checkDecisions },
  { name: 'editors and containers find the files, commands and ports that they are told of', problems: checkEditors },
  { name: 'docs/asvs.md: every requirement of levels 1 and 2, with tests that exist', problems: checkAsvs },
  {
    name: 'regular expressions are linear [P17]',
    problems: ({ answers, isFixing }) => checkRegularExpressions(answers, { isFixing }),
    key: (answers) => answers.keyOf(listSources()),
  },
  {
    name: 'first pages: within their limits',
    unable: sayUnbuilt,
    problems: async () => (await import('./firstPages.ts')).checkFirstPages(),
    key: (answers) =>
      answers.keyOf([
        'scripts/bench/firstPages.json',
        ...listSources().filter((file) => /^(?:server\/src\/gateway|shared\/(?:contract|release))\//.test(file)),
        ...listPartsOfPage().map((part) => `${part}/dist/inputs.txt`),
      ]),
  },
]

/** Building takes a minute, and is not for checks. */
function sayUnbuilt(): string | undefined {
  const stale = listStale(listPartsOfPage())
  if (stale.length === 0) return undefined
  return `not built from the sources as they are: ${stale.join(', ')}. \`npm run build\` builds and weighs them.`
}

export interface CheckRun {
  readonly isFixing?: boolean
  /** Runs all of every check, whatever is known of the content. */
  readonly isWhole?: boolean
}

/** Runs every check and prints each problem with its cure. Two run at a time, unless they are to mend files. */
export async function runChecks({ isFixing = false, isWhole = isCi() }: CheckRun = {}): Promise<TestTotals> {
  printHeading('check')
  const answers = new KeptAnswers({ isWhole })
  const totals = { passed: 0, failed: 0, known: 0, skipped: 0 }
  const failures: string[] = []
  const queue = [...checks]
  const work = async (): Promise<void> => {
    for (let check = queue.shift(); check; check = queue.shift()) {
      const outcome = await runCheck(check, { isFixing, answers })
      totals[outcome] += 1
      if (outcome === 'failed') failures.push(check.name)
    }
  }
  await Promise.all(isFixing ? [work()] : [work(), work()])
  if (totals.known > 0)
    console.log(
      `  Not run (${totals.known}): what these checks judge is as it was when they passed. npm run check -- --all runs them.`,
    )
  // What failed first has been scrolled away by then.
  if (failures.length > 0)
    console.log(`  ✗ ${failures.length} failed:\n${failures.map((name) => `      ${name}`).join('\n')}`)
  return { passed: totals.passed + totals.known, failed: totals.failed }
}

const isCi = (): boolean => process.env.CI === 'true' || process.env.CI === '1'

async function runCheck(check: Check, options: CheckOptions): Promise<'passed' | 'failed' | 'known' | 'skipped'> {
  const { name, problems, key, unable } = check
  const obstacle = unable?.()
  if (obstacle !== undefined) {
    console.log(`  – ${name}: not judged, ${obstacle}`)
    return 'skipped'
  }
  const began = performance.now()
  const { isFixing, answers } = options
  const content = isFixing ? undefined : key?.(answers)
  if (content !== undefined && answers.hasPassed(name, content)) {
    console.log(`  ✓ ${name} (unchanged)`)
    return 'known'
  }
  const messages = await problems(options)
  const hasPassed = messages.length === 0
  if (content !== undefined) answers.note(name, content, hasPassed)
  console.log(`${hasPassed ? '  ✓' : '  ✗'} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  for (const message of messages) console.log(message.includes('\n') ? message : `      ${message}`)
  return hasPassed ? 'passed' : 'failed'
}

/** What the formatter knows, as far as there is any here; a whole check has it look at everything. */
const laidOut = /\.(?:[cm]?[jt]sx?|jsonc?|css|ya?ml|html|toml)$/

/** Lists what `npm run check -- --fix` would lay out anew; with it, does so. */
async function checkLayout({ isFixing, answers }: CheckOptions): Promise<string[]> {
  if (isFixing) return reportFailure(tool('oxfmt'), ['--write', '.'])
  const files = [...listFiles(), ...listHiddenFiles()].filter((file) => laidOut.test(file))
  return judgeEach(answers, 'layout', files, findOddLayout)
}

async function findOddLayout(files: readonly string[]): Promise<string[]> {
  const { code, text } = await runProcess(tool('oxfmt'), ['--list-different', ...toArguments(files)], { isQuiet: true })
  // It says so of files that are none of its own.
  if (code === 0 || text.startsWith('Expected at least one target file.')) return []
  return text
    .split('\n')
    .filter(Boolean)
    .map((file) => `${file} is not formatted: npm run check -- --fix`)
}

/** A file's imports are read with it, so that a new circle is found from the file that closes it. */
const lint = (files: readonly string[]): Promise<string[]> =>
  reportFailure(tool('oxlint'), [
    '--deny-warnings',
    '--report-unused-disable-directives',
    ...toArguments(files.filter((file) => !file.endsWith('.json'))),
  ])

/** Files by name, or all where they are too many for a command line. */
const toArguments = (files: readonly string[]): readonly string[] => (files.length > 300 ? ['.'] : files)

async function reportFailure(command: string, args: string[]): Promise<string[]> {
  const { code, text } = await runProcess(command, args, {
    isQuiet: true,
    env: { FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
  })
  return code === 0 ? [] : [text.trimEnd()]
}
