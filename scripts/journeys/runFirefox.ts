import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebianPackage } from '../workspace/debianPackage.ts'
import { root } from '../workspace/files.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import { parseJestTotals, type TestTotals } from '../workspace/testTotals.ts'
import { startDemoServer } from './demoServer.ts'

/**
 * The Firefox named by E2E_FIREFOX, else this machine's, else Debian's: Playwright drives a Firefox of its own only,
 * which is not the one that people have.
 */
async function findFirefox(): Promise<string> {
  const find = (): string | undefined =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .flatMap((folder) => ['firefox-esr', 'firefox'].map((program) => join(folder, program)))
      .find(existsSync)
  const here = process.env.E2E_FIREFOX ?? find()
  if (here) return here
  await installDebianPackage('firefox-esr')
  const installed = find()
  if (installed) return installed
  throw new Error('The journeys in Firefox need Firefox. Install it, or name it: E2E_FIREFOX=/path/to/firefox')
}

/** Runs the journeys of `e2e/firefox` against BASE_URL, else against a demo server of their own. */
export async function runFirefox(): Promise<TestTotals> {
  const firefox = await findFirefox()
  const server = process.env.BASE_URL ? undefined : await startDemoServer({ DMP_LIMIT_FACTOR: '20' })
  try {
    const command = ['--disable-warning=ExperimentalWarning', join(root, 'e2e', 'firefox', 'run.ts')]
    const env = { BASE_URL: process.env.BASE_URL ?? server?.url ?? '', E2E_FIREFOX: firefox }
    return parseJestTotals(await runProcess(node, command, { env }))
  } finally {
    await server?.stop()
  }
}
