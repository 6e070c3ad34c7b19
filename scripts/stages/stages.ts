import { randomBytes } from 'node:crypto'
import { askForAdvisories } from '../checks/advisories.ts'
import { runChecks } from '../checks/runChecks.ts'
import { createClauseReport } from '../clauses/clauseReport.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { bareDirectory } from '../drills/bareDirectory.ts'
import { containers } from '../drills/containers.ts'
import { benchOnce } from '../drills/benchOnce.ts'
import { keptAddresses } from '../drills/keptAddresses.ts'
import { manyReleases } from '../drills/manyReleases.ts'
import { monitorRollback } from '../drills/monitorRollback.ts'
import { firstChange } from '../drills/firstChange.ts'
import { editHot } from '../drills/hotEdits.ts'
import { fuzz } from '../fuzz/fuzz.ts'
import { validCopies } from '../fuzz/identity/validCopies.ts'
import { skew } from '../drills/skew.ts'
import { guests } from '../drills/guests.ts'
import { automaticRollback } from '../drills/automaticRollback.ts'
import { ownRepository } from '../drills/ownRepository.ts'
import { releasedAlone } from '../drills/releasedAlone.ts'
import { runOtherBrowser } from '../journeys/runOtherBrowser.ts'
import { runJourneys } from '../journeys/runJourneys.ts'
import { printClauses } from '../clauses/printClauses.ts'
import { buildStale } from '../workspace/builds.ts'
import type { Choice } from '../workspace/chooseTests.ts'
import {
  faultsOfMachine,
  jestOf,
  jestSteadily,
  ofBothDatabases,
  ofMachine,
  ofPrograms,
  ofProgramsAndDatabase,
  postgres,
  scansOn,
  scansWith,
  withoutDatabase,
  withoutReference,
} from './jestRuns.ts'
import { exceptPages, journeysOf, pages, pagesOf } from './journeyRuns.ts'
import { archive, dciodvfy, engine, machine } from './environment.ts'

/** Of stages that are not for every change. */
const scanFiles = /^(?:server\/src\/(?!gateway|identity)|shared\/(?:bucket|dicom)\/)/
const releaseFiles =
  /^(?:shared\/(?:build|contract|kit|release)|host|server\/src\/gateway|scripts\/(?:drills|journeys))\//
const seenInBrowsers =
  /^(?:e2e\/(?:browsers|support)|host|viewer|shared|remote-(?:scan|account)|server\/src\/gateway)\//

const shownFiles = /^(?:host|remote-[^/]+|shared\/(?:build|contract|kit|release)|server\/src\/gateway)\//

/** In the order in which they begin: those that take longest first, so that none is left over at the end. */
export const laneNames = ['jest', 'journeys', 'machine', 'database', 'archive', 'releases'] as const
type Lane = (typeof laneNames)[number]

export interface Stage {
  readonly name: string
  readonly count: () => Promise<TestTotals>
  /** Stages of different lanes run beside each other, in processes of their own; without one it runs before them. */
  readonly lane?: Lane
  /** The files that it is about, where it is not a stage for every change. */
  readonly about?: RegExp
  /** What of it a change needs; undefined: nothing. All of it where this is left out. */
  readonly some?: (choice: Choice) => (() => Promise<TestTotals>) | undefined
}

/** What this machine must have for it. */
const onlyWith = (needed: string | boolean | undefined, stage: Stage): Stage[] => (needed ? [stage] : [])

const inLane = (lane: Lane, stages: readonly Stage[]): Stage[] => stages.map((stage) => ({ lane, ...stage }))

/** Every stage runs, also after one that failed: the reader wants to know every problem. */
export const all: readonly Stage[] = [
  // What passed on the same content passes again, unless everything is run.
  { name: 'check', count: () => runChecks({ isWhole: true }), some: () => () => runChecks() },
  {
    name: 'known vulnerabilities of packages',
    about: /(?:package\.json|pnpm-lock\.yaml|advisoryExceptions\.json)$/,
    count: () => orFailed(askForAdvisories),
  },
  ...inLane('jest', [
    {
      name: 'screens and shared code (Jest, jsdom)',
      count: () => jestSteadily('jest.config.mjs'),
      some: ({ web }) => jestOf('jest.config.mjs', web),
    },
    {
      name: 'server and tools (Jest, embedded database)',
      count: () =>
        jestSteadily(
          'jest.node.config.mjs',
          { TEST_DATABASE_URL: '' },
          // This takes the place of what the configuration leaves out.
          [
            '--testPathIgnorePatterns',
            ...(postgres ? [`/server/src/(?!${withoutDatabase}|${ofBothDatabases})`] : []),
            ofPrograms,
            ofProgramsAndDatabase,
            ofMachine,
            ...withoutReference,
          ],
        ),
      some: ({ node: tests }) =>
        jestOf(
          'jest.node.config.mjs',
          tests.filter((test) => !isOfPrograms(test) && !(postgres && isOnPostgres(test))),
          { TEST_DATABASE_URL: '' },
        ),
    },
    {
      name: 'programs as people start them (Jest, processes of their own)',
      about: /^(?:server|shared|uploader)\//,
      count: () =>
        jestSteadily('jest.node.config.mjs', { TEST_DATABASE_URL: '' }, [
          '--testPathPatterns',
          ofPrograms,
          ofProgramsAndDatabase,
        ]),
      some: ({ node: tests }) => jestOf('jest.node.config.mjs', tests.filter(isOfPrograms), { TEST_DATABASE_URL: '' }),
    },
  ]),
  ...inLane('journeys', [
    {
      name: 'journeys in a real browser (Playwright)',
      count: () => runJourneys([exceptPages]),
      some: ({ journeys }) => journeysOf(journeys),
    },
    {
      name: 'every page: accessibility, keyboard, looks (Playwright)',
      about: shownFiles,
      count: () => runJourneys([pages]),
      some: ({ journeys }) => pagesOf(journeys),
    },
    { name: 'first pages: within their limits', about: shownFiles, count: () => orFailed(weighFirstPages) },
    // Its report takes the place of theirs.
    {
      name: 'a bad release, taken back by a monitor (Playwright)',
      about: releaseFiles,
      count: () => orFailed(monitorRollback),
    },
  ]),
  ...inLane('database', [
    ...onlyWith(postgres, {
      name: 'server (Jest, PostgreSQL)',
      count: () =>
        jestSteadily('jest.node.config.mjs', {}, [
          '--selectProjects',
          'server',
          '--testPathIgnorePatterns',
          `/server/src/(?:${withoutDatabase})`,
          ofPrograms,
          ofMachine,
        ]),
      some: ({ node: tests }: Choice) => jestOf('jest.node.config.mjs', tests.filter(isOnPostgres)),
    }),
    { name: 'scans in a bucket (Jest, S3)', about: scanFiles, count: () => scansOn('bucket') },
    { name: 'encrypted scans (Jest, folder)', about: scanFiles, count: () => scansWith({ TEST_ENCRYPTION: '1' }) },
  ]),
  ...inLane('archive', [
    // One archive, so one file at a time.
    ...onlyWith(archive, {
      name: 'scans in a DICOM archive (Jest, Orthanc)',
      about: scanFiles,
      count: () => scansOn('archive', ['-i']),
    }),
    // Where there is an Orthanc, `.ci/run` has installed the others, too.
    ...onlyWith(archive, {
      name: 'with other software (Jest; Orthanc, dcmtk, gdcm, pydicom, PyKMIP)',
      about: /^(?:server|shared\/(?:bucket|dicom)|uploader)\//,
      count: () => jestSteadily('jest.peers.config.mjs', { TEST_DATABASE_URL: '' }),
    }),
    ...onlyWith(dciodvfy, {
      name: 'de-identified copies are valid (dciodvfy)',
      about: /^(?:server\/src\/dicom|shared\/dicom|scripts\/fuzz)\//,
      count: () => orFailed(() => validCopies(dciodvfy)),
    }),
    {
      name: 'broken input, for a minute (npm run fuzz)',
      about: /^(?:server|shared|scripts\/fuzz)\//,
      count: () => orFailed(() => fuzz({ seconds: 60, seed: randomBytes(4).toString('hex') })),
    },
    ...onlyWith(process.env.TEST_WEBKIT, {
      name: 'journeys in WebKit (WebDriver)',
      about: seenInBrowsers,
      count: () => orFailed(() => runOtherBrowser('webkit')),
    }),
    {
      name: 'edits under npm run dev, on the open page (Playwright)',
      about: /^(?:scripts|host|shared\/(?:build|kit))\/|^server\/src\/(?:startServer|db\/embedded)/,
      count: () => orFailed(editHot),
    },
    {
      name: 'npm run bench measures (Chromium, one pair)',
      about: /^(?:scripts|e2e)\/bench\/|^shared\/build\//,
      count: () => orFailed(benchOnce),
    },
  ]),
  ...inLane('releases', [
    {
      name: 'version skew: host and remotes of now and before, pair by pair (Playwright)',
      about: releaseFiles,
      count: () => orFailed(skew),
    },
    {
      name: 'a hundred releases under open and opening pages',
      about: releaseFiles,
      count: () => orFailed(manyReleases),
    },
    { name: 'a changed line: what browsers get again', about: releaseFiles, count: () => orFailed(keptAddresses) },
    {
      name: 'a part released alone: its pages before their code',
      about: releaseFiles,
      count: () => orFailed(releasedAlone),
    },
    {
      name: 'bad releases, taken back by what pages report',
      about: releaseFiles,
      count: () => orFailed(automaticRollback),
    },
    {
      name: 'parts that are not trusted, in frames of their own (Playwright)',
      about: releaseFiles,
      count: () => orFailed(guests),
    },
  ]),
  ...inLane('machine', [
    ...onlyWith(machine.lacks === undefined, {
      name: 'faults of the machine (Jest, small disks and a stopped PostgreSQL)',
      about: /^server\//,
      count: () => faultsOfMachine(),
    }),
    {
      name: 'a remote of a team with a repository of its own',
      about: /^(?:shared|scripts)\/|^docs\/own-repository/,
      count: () => orFailed(ownRepository),
    },
    ...onlyWith(process.env.TEST_FIREFOX, {
      name: 'journeys in Firefox (WebDriver BiDi)',
      about: seenInBrowsers,
      count: () => orFailed(() => runOtherBrowser('firefox')),
    }),
    {
      name: "a stranger's first change, as docs/first-change.md leads to it",
      about: /^(?:scripts|shared|remote-complaint|server\/src\/modules\/complaint)\/|^docs\/first-change/,
      count: () => orFailed(firstChange),
    },
    {
      name: 'the server in a bare folder, as the image has it',
      about: /^(?:deploy|server|shared)\/|^scripts\/workspace\/b|(?:package\.json|pnpm-lock\.yaml)$/,
      count: () => orFailed(bareDirectory),
    },
    ...onlyWith(engine.lacks === undefined, {
      name: 'the image and compose.yaml (podman)',
      about: /^(?:deploy|server\/src\/[^/]+$)|^scripts\/(?:workspace\/b|drills\/(?:containers|standIns))/,
      count: () => orFailed(containers),
    }),
  ]),
  { name: 'clauses', count: clauses },
]

const isOn = (pattern: string, test: string): boolean => new RegExp(pattern).test(`/${test}`)

const isOfPrograms = (test: string): boolean => isOn(ofProgramsAndDatabase, test) || isOn(ofPrograms, test)

const isOnPostgres = (test: string): boolean =>
  isOn(ofProgramsAndDatabase, test) ||
  (test.startsWith('server/') && !isOfPrograms(test) && !isOn(`/src/(?:${withoutDatabase})`, test))

/** A stage that cannot even start has failed, and the others run all the same. */
async function orFailed(stage: () => Promise<TestTotals>): Promise<TestTotals> {
  try {
    return await stage()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(reason)
    return { passed: 0, failed: 1, failures: [reason] }
  }
}

/** `npm run check` does so where the build is there; here it is made. */
async function weighFirstPages(): Promise<TestTotals> {
  await buildStale()
  const { checkFirstPages } = await import('../checks/firstPages.ts')
  const failures = await checkFirstPages()
  failures.forEach((failure) => console.error(failure))
  return { passed: failures.length === 0 ? 1 : 0, failed: failures.length, failures }
}

async function clauses(): Promise<TestTotals> {
  const report = createClauseReport()
  printClauses(report, { isFull: false })
  const failed = report.unknown.length + report.crowded.length + report.unproven.length
  return { passed: report.clauses.length - report.unproven.length, failed }
}
