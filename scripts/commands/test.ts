import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { askForAdvisories } from '../checks/advisories.ts'
import { runChecks } from '../checks/runChecks.ts'
import { createClauseReport } from '../clauses/clauseReport.ts'
import { findJestConfigs, webTests } from '../workspace/jestConfigs.ts'
import { parseJestTotals, parseStageTotals, type TestTotals } from '../workspace/testTotals.ts'
import { manyReleases } from '../drills/manyReleases.ts'
import { monitorRollback } from '../drills/monitorRollback.ts'
import { firstChange } from '../drills/firstChange.ts'
import { editHot } from '../drills/hotEdits.ts'
import { fuzz } from '../fuzz/fuzz.ts'
import { validCopies } from '../fuzz/identity/validCopies.ts'
import { skew } from '../drills/skew.ts'
import { automaticRollback } from '../drills/automaticRollback.ts'
import { ownRepository } from '../drills/ownRepository.ts'
import { runOtherBrowser } from '../journeys/runOtherBrowser.ts'
import { runJourneys } from '../journeys/runJourneys.ts'
import { printClauses } from '../clauses/printClauses.ts'
import { examineMachine } from '../workspace/machine.ts'
import { printHeading, node, runProcess } from '../workspace/runProcess.ts'
import { watchTests } from '../workspace/watchTests.ts'
import { root } from '../workspace/files.ts'

const args = process.argv.slice(2)

/** `npm test -- remote-scan`: only the Jest tests whose path contains the words. */
const some: Stage[] = findJestConfigs(args).map((config) => ({
  name: config === webTests ? 'screens and shared code (Jest, jsdom)' : 'server and tools (Jest)',
  count: () => jest(config, {}, ['--passWithNoTests', ...args]),
}))

/** Many databases in one process end a Node that guards its compiled code by keys (nodejs/node#64500). */
const nodeOptions = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--no-memory-protection-keys',
]
const postgres = process.env.TEST_DATABASE_URL
/** Tests that ask no database, or nothing particular of it, or start servers on an embedded one: once is enough. */
const withoutDatabase = [
  'dicom/|core/|gateway/|outside/(?:objectStore|hanging)|modules/scan/download/zipWriter|db/statistics',
  'http/(?:hostile|floods|requestTimeouts|openapi|origins)',
  String.raw`(?:admin|auditCommand|fsck|ingest|keysCommand|main|stopping|wrongClock)\.`,
].join('|')
/**
 * Areas in which the embedded database might differ: starting, keeping, lists and searches of every area. The journeys
 * stand on it, too.
 */
const ofBothDatabases = 'db/|modules/areas|modules/scan/(?:reading/|intake/durability)'
/** Comparisons with a decoder that is not here. */
const withoutReference = process.env.TEST_PYTHON ? [] : ['\\.reference\\.test\\.ts$']
/** They have a stage of their own, one after the other. */
const ofMachine = String.raw`\.machine\.test\.ts$`
const archive = process.env.TEST_DICOMWEB_URL
const machine = examineMachine()
const dciodvfy = process.env.TEST_DCIODVFY
/** The paths of scans, again on each store that objects may lie in. */
const scans = [
  'outside/objectStores',
  'scan/deletion/deletion',
  'scan/download/download',
  'scan/sharing/sharing',
  'scan/transfer/transfer',
  'dicomweb/stow',
  'dicomweb/resumableUploads',
].map((name) => `server/src/.*${name}(?:\\.\\w+)?\\.test`)
const scansOn = (store: string, more: string[] = []): Promise<TestTotals> => scansWith({ TEST_OBJECTS: store }, more)
const scansWith = (variables: Record<string, string>, more: string[] = []): Promise<TestTotals> =>
  jest('jest.node.config.mjs', { TEST_DATABASE_URL: '', ...variables }, [
    '--selectProjects',
    'server',
    ...more,
    '--',
    ...scans,
  ])

interface Stage {
  readonly name: string
  readonly count: () => Promise<TestTotals>
  /** It takes one core: two such stages, of different lanes, run beside each other. */
  readonly lane?: 'archive' | 'machine'
}

/** Every stage runs, also after one that failed: the reader wants to know every problem. */
const all: Stage[] = [
  { name: 'check', count: () => runChecks({ isWhole: true }) },
  { name: 'known vulnerabilities of packages', count: () => orFailed(askForAdvisories) },
  { name: 'screens and shared code (Jest, jsdom)', count: () => jest('jest.config.mjs') },
  {
    name: 'server and tools (Jest, embedded database)',
    count: () =>
      jest(
        'jest.node.config.mjs',
        { TEST_DATABASE_URL: '' },
        // This takes the place of what the configuration leaves out.
        postgres
          ? [
              '--testPathIgnorePatterns',
              `/server/src/(?!${withoutDatabase}|${ofBothDatabases})`,
              ofMachine,
              ...withoutReference,
            ]
          : [],
      ),
  },
  ...(postgres
    ? [
        {
          name: 'server (Jest, PostgreSQL)',
          count: () =>
            jest('jest.node.config.mjs', {}, [
              '--selectProjects',
              'server',
              '--testPathIgnorePatterns',
              `/server/src/(?:${withoutDatabase})`,
              ofMachine,
            ]),
        },
      ]
    : []),
  { name: 'scans in a bucket (Jest, S3)', count: () => scansOn('bucket') },
  { name: 'encrypted scans (Jest, folder)', count: () => scansWith({ TEST_ENCRYPTION: '1' }) },
  // One archive, so one file at a time.
  ...(archive
    ? [
        {
          name: 'scans in a DICOM archive (Jest, Orthanc)',
          lane: 'archive' as const,
          count: () => scansOn('archive', ['-i']),
        },
      ]
    : []),
  // Where there is an Orthanc, `.ci/run` has installed the others, too.
  ...(archive
    ? [
        {
          name: 'with other software (Jest; Orthanc, dcmtk, gdcm, pydicom, PyKMIP)',
          lane: 'archive' as const,
          count: () => jest('jest.peers.config.mjs', { TEST_DATABASE_URL: '' }),
        },
      ]
    : []),
  ...(machine.lacks === undefined
    ? [
        {
          name: 'faults of the machine (Jest, small disks and a stopped PostgreSQL)',
          lane: 'machine' as const,
          count: () => faultsOfMachine(),
        },
      ]
    : []),
  { name: 'a remote of a team with a repository of its own', lane: 'machine', count: () => orFailed(ownRepository) },
  ...(dciodvfy
    ? [{ name: 'de-identified copies are valid (dciodvfy)', count: () => orFailed(() => validCopies(dciodvfy)) }]
    : []),
  {
    name: 'broken input, for a minute (npm run fuzz)',
    count: () => orFailed(() => fuzz({ seconds: 60, seed: randomBytes(4).toString('hex') })),
  },
  { name: 'journeys in a real browser (Playwright)', count: () => runJourneys([]) },
  ...(process.env.TEST_FIREFOX
    ? [{ name: 'journeys in Firefox (WebDriver BiDi)', count: () => orFailed(() => runOtherBrowser('firefox')) }]
    : []),
  ...(process.env.TEST_WEBKIT
    ? [{ name: 'journeys in WebKit (WebDriver)', count: () => orFailed(() => runOtherBrowser('webkit')) }]
    : []),
  { name: 'version skew: host and remotes of now and before, pair by pair (Playwright)', count: () => orFailed(skew) },
  { name: 'a hundred releases under open and opening pages', count: () => orFailed(manyReleases) },
  { name: 'bad releases, taken back by what pages report', count: () => orFailed(automaticRollback) },
  { name: 'a bad release, taken back by a monitor (Playwright)', count: () => orFailed(monitorRollback) },
  { name: 'edits under npm run dev, on the open page (Playwright)', count: () => orFailed(editHot) },
  { name: "a stranger's first change, as docs/first-change.md leads to it", count: () => orFailed(firstChange) },
  { name: 'clauses', count: clauses },
]

// Jest asks the keyboard then, and ends when told to.
if (args.includes('--watch')) process.exit(await watchTests(args, nodeOptions))

const total: TestTotals = { passed: 0, failed: 0 }
const lines: string[] = []
const beside = args.length > 0 ? [] : all.filter(({ lane }) => lane)
for (const stage of chooseStages()) if (!beside.includes(stage)) await run(stage)
await Promise.all(['archive', 'machine'].map((name) => runLane(beside.filter(({ lane }) => lane === name))))
printHeading('all stages')
if (!postgres && args.length === 0)
  console.log('  PostgreSQL was not tried: TEST_DATABASE_URL is not set (.ci/run sets it).')
if (!archive && args.length === 0)
  console.log(
    '  A DICOM archive, a KMIP service and other software were not tried: TEST_DICOMWEB_URL is not set (.ci/run sets it).',
  )
if (machine.lacks !== undefined && args.length === 0)
  console.log(`  Faults of the machine were not tried: ${machine.lacks} (.ci/run has it).`)
if (!dciodvfy && args.length === 0)
  console.log('  A DICOM validator did not judge the copies: TEST_DCIODVFY is not set (.ci/run sets it).')
if (!process.env.TEST_FIREFOX && args.length === 0)
  console.log('  Firefox was not tried: TEST_FIREFOX is not set (.ci/run sets it); npm run e2e -- firefox tries it.')
if (!process.env.TEST_WEBKIT && args.length === 0)
  console.log('  WebKit was not tried: TEST_WEBKIT is not set (.ci/run sets it); npm run e2e -- webkit tries it.')
if (!process.env.TEST_PYTHON && args.length === 0)
  console.log('  Pictures were not compared with another decoder: TEST_PYTHON is not set (.ci/run sets it).')
console.log(lines.join('\n'))
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

/** `npm test -- --stage Firefox`: the stages whose name contains the word. */
function chooseStages(): readonly Stage[] {
  const at = args.indexOf('--stage')
  if (at < 0) return args.length > 0 ? some : all
  const word = args[at + 1] ?? ''
  const chosen = all.filter(({ name }) => name.includes(word))
  if (chosen.length > 0) return chosen
  console.error(`No stage is called "${word}". There are:\n${all.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(1)
}

async function run({ name, count }: Stage): Promise<void> {
  if (name !== 'check') printHeading(name)
  const began = performance.now()
  const { passed, failed, failures = [] } = await count()
  add(name, { passed, failed, failures }, performance.now() - began)
}

function add(name: string, { passed, failed, failures = [] }: TestTotals, ms: number): void {
  total.passed += passed
  total.failed += failed
  lines.push(`  ${failed === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed, ${Math.round(ms / 1000)} s`)
  // A log that is cut in its middle still says them.
  if (failed > 0) lines.push(...failures.map((failure) => `      ${failure.split('\n')[0]}`))
}

/** One after the other, each as a process of its own, whose words come when it has ended. */
async function runLane(lane: readonly Stage[]): Promise<void> {
  for (const { name } of lane) {
    const result = await runProcess(node, [join(root, 'scripts/dmp.mjs'), 'test', '--stage', name], { isQuiet: true })
    console.log(result.text)
    add(name, parseStageTotals(result), result.seconds * 1000)
  }
}

async function jest(config: string, env: Record<string, string> = {}, options: string[] = []): Promise<TestTotals> {
  const command = [
    ...(config === 'jest.config.mjs' ? [] : nodeOptions),
    join(root, 'node_modules/jest/bin/jest.js'),
    '-c',
    config,
    '--ci',
    ...options,
  ]
  return parseJestTotals(await runProcess(node, command, { env }))
}

/** In a mount namespace of its own: whatever ends the run, no mount is left behind. */
async function faultsOfMachine(): Promise<TestTotals> {
  const command = [
    '--mount',
    node,
    ...nodeOptions,
    join(root, 'node_modules/jest/bin/jest.js'),
    '-c',
    'jest.node.config.mjs',
    '--ci',
    '-i',
    '--selectProjects',
    'server',
    '--testPathPatterns',
    ofMachine,
  ]
  return parseJestTotals(await runProcess('unshare', command, { env: { TEST_MACHINE: '1', TEST_DATABASE_URL: '' } }))
}

/** A stage that cannot even start has failed, and the others run all the same. */
async function orFailed(stage: () => Promise<TestTotals>): Promise<TestTotals> {
  try {
    return await stage()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}

async function clauses(): Promise<TestTotals> {
  const report = createClauseReport()
  printClauses(report, { isFull: false })
  const failed = report.unknown.length + report.crowded.length + report.unproven.length
  return { passed: report.clauses.length - report.unproven.length, failed }
}
