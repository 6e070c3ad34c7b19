import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebianPackage } from '../workspace/debianPackage.ts'
import { root } from '../workspace/files.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import { parseJestTotals, type TestTotals } from '../workspace/testTotals.ts'
import { startDemoServer } from './demoServer.ts'

const findProgram = (names: readonly string[]): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(existsSync)

/**
 * The Firefox named by E2E_FIREFOX, else this machine's, else Debian's: Playwright drives a Firefox of its own only,
 * which is not the one that people have.
 */
async function findFirefox(): Promise<string> {
  const names = ['firefox-esr', 'firefox']
  const here = process.env.E2E_FIREFOX ?? findProgram(names)
  if (here) return here
  await installDebianPackage('firefox-esr')
  const installed = findProgram(names)
  if (installed) return installed
  throw new Error('The journeys in Firefox need Firefox. Install it, or name it: E2E_FIREFOX=/path/to/firefox')
}

/** WebKit's own small browser. Debian's package names its folder after the library's version. */
async function findWebKit(): Promise<string> {
  const find = (): string | undefined =>
    ['WebKitWebDriver', 'Xvfb'].every((program) => findProgram([program]))
      ? globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').sort().at(-1)
      : undefined
  const here = find()
  if (here) return here
  await installDebianPackage('webkit2gtk-driver', 'xvfb')
  const installed = find()
  if (installed) return installed
  throw new Error('The journeys in WebKit need WebKitWebDriver and Xvfb (Debian: webkit2gtk-driver, xvfb).')
}

export type OtherBrowser = 'firefox' | 'webkit'
const find: Readonly<Record<OtherBrowser, () => Promise<string>>> = { firefox: findFirefox, webkit: findWebKit }

/** Runs the journeys of `e2e/browsers` against BASE_URL, else against a demo server of their own. */
export async function runOtherBrowser(kind: OtherBrowser): Promise<TestTotals> {
  const executable = await find[kind]()
  const server = process.env.BASE_URL ? undefined : await startDemoServer({ DMP_LIMIT_FACTOR: '20' })
  try {
    const command = ['--disable-warning=ExperimentalWarning', join(root, 'e2e', 'browsers', 'run.ts')]
    const env = { BASE_URL: process.env.BASE_URL ?? server?.url ?? '' }
    return parseJestTotals(await runProcess(node, [...command, kind, executable], { env }))
  } finally {
    await server?.stop()
  }
}
