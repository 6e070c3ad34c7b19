import { join } from 'node:path'
import { root } from '../workspace/files.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import { parseJestTotals, type TestTotals } from '../workspace/testTotals.ts'
import { steadily } from './steadily.ts'

/**
 * Many databases in one process end a Node that guards its compiled code by keys (nodejs/node#64500). What lives for
 * seconds spends more on making WebAssembly quick than that saves: a quarter of the time with embedded databases.
 */
export const nodeOptions = ['--disable-warning=ExperimentalWarning', '--no-memory-protection-keys', '--liftoff-only']
/** What a test left open keeps Jest for ever, and nothing behind it is tried. */
const stuck = 'Jest did not exit one second after the test run has completed'
export const postgres = process.env.TEST_DATABASE_URL
/** Tests that ask no database, or nothing particular of it, or start servers on an embedded one: once is enough. */
export const withoutDatabase = [
  // Two databases would have two records, and the clock of a story is that of the embedded one.
  'stories/',
  'dicom/|core/|gateway/|outside/(?:objectStore|hanging)|modules/scan/download/zipWriter|db/statistics',
  'http/(?:hostile|floods|requestTimeouts|openapi|origins)',
].join('|')
/**
 * Areas in which the embedded database might differ: starting, keeping, lists and searches of every area. The journeys
 * stand on it, too.
 */
export const ofBothDatabases = 'db/|modules/areas|modules/scan/reading/'
/**
 * The server, its commands and the uploader as people start them: each test starts programs, and a data folder takes
 * longer than a test of anything else. They have a stage of their own.
 */
export const ofPrograms = String.raw`/(?:server/src/(?!backup\.test)(?:\w+\.)+test\.ts|server/src/modules/organization/import/importKilled\.|server/src/operator/backup/backupCommand\.|uploader/src/)`
/** Those of them that ask the database of the tests: they run on each. */
export const ofProgramsAndDatabase = String.raw`/server/src/(?:backup|modules/scan/intake/durability)\.test\.ts`
/** Comparisons with a decoder that is not here. */
export const withoutReference = process.env.TEST_PYTHON ? [] : ['\\.reference\\.test\\.ts$']
/** They have a stage of their own, one after the other. */
export const ofMachine = String.raw`\.machine\.test\.ts$`
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
export const scansOn = (store: string, more: string[] = []): Promise<TestTotals> =>
  scansWith({ TEST_OBJECTS: store }, more)
export const scansWith = (variables: Record<string, string>, more: string[] = []): Promise<TestTotals> =>
  jestSteadily('jest.node.config.mjs', { TEST_DATABASE_URL: '', ...variables }, [
    '--selectProjects',
    'server',
    ...more,
    '--',
    ...scans,
  ])

/** These tests of a configuration; undefined where there are none. */
export function jestOf(
  config: string,
  tests: readonly string[],
  env: Record<string, string> = {},
): (() => Promise<TestTotals>) | undefined {
  if (tests.length === 0) return undefined
  // Those of a machine or a decoder that is not here are named, too, and not run.
  return () => jest(config, env, ['--passWithNoTests', '--runTestsByPath', ...tests])
}

export async function jest(
  config: string,
  env: Record<string, string> = {},
  options: string[] = [],
): Promise<TestTotals> {
  const command = [
    ...(config === 'jest.config.mjs' ? [] : nodeOptions),
    join(root, 'node_modules/jest/bin/jest.js'),
    '-c',
    config,
    '--ci',
    ...options,
  ]
  return parseJestTotals(await runProcess(node, command, { env, stuck }))
}

/** The same, and what failed is judged again by itself. */
export const jestSteadily = async (
  config: string,
  env: Record<string, string> = {},
  options: string[] = [],
): Promise<TestTotals> =>
  steadily(await jest(config, env, options), (file) => jest(config, env, ['-i', '--runTestsByPath', file]))

/** In a mount namespace of its own: whatever ends the run, no mount is left behind. */
export const faultsOfMachine = async (): Promise<TestTotals> =>
  steadily(await onMachine(['--testPathPatterns', ofMachine]), (file) => onMachine(['--runTestsByPath', file]))

async function onMachine(chosen: readonly string[]): Promise<TestTotals> {
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
    ...chosen,
  ]
  return parseJestTotals(
    await runProcess('unshare', command, { env: { TEST_MACHINE: '1', TEST_DATABASE_URL: '' }, stuck }),
  )
}
