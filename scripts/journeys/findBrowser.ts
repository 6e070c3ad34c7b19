import { existsSync, globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { installDebianPackage } from '../workspace/debianPackage.ts'
import { runProcess } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'

const fromJourneys = createRequire(join(root, 'e2e', 'package.json'))

/** The package does not export its command line, but the test runner is started by it. */
export const playwright = join(root, 'e2e', 'node_modules', 'playwright', 'cli.js')
/** For Node: runs journeys; options follow. */
export const journeys = [playwright, 'test', '-c', 'e2e/playwright.config.ts'] as const

// Chromium without a window's machinery: the pages are the same, journeys need less than half of the time, and pictures
// are drawn alike everywhere.
const shells = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell']
const wholes = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'chrome.exe',
  'msedge.exe',
]
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/**
 * A Chromium for the journeys: the one named by E2E_BROWSER, else a headless shell (this machine's, Playwright's,
 * Debian's), else a whole browser of this machine.
 */
export async function findBrowser(): Promise<string> {
  const browserPath = process.env.E2E_BROWSER
  if (browserPath) {
    if (!existsSync(browserPath))
      throw new Error(
        `E2E_BROWSER names ${browserPath}, but nothing is there. Correct it, or unset it to let one be found.`,
      )
    return browserPath
  }
  const here = shell()
  if (here) return here
  console.log('Downloading a headless Chromium (once) …')
  await runProcess(process.execPath, [playwright, 'install', 'chromium', '--only-shell'], { isQuiet: true })
  const own = shell()
  if (own) return own
  await installDebianPackage('chromium-headless-shell')
  const last = shell() ?? [...onPath(wholes), ...places].find(existsSync)
  if (last) return last
  throw new Error(
    'The journeys need Chromium or Chrome, and none could be installed. Install one with your package manager (Debian: apt-get install chromium-headless-shell), or name it: E2E_BROWSER=/path/to/chrome npm test',
  )
}

function shell(): string | undefined {
  const { chromium } = fromJourneys('playwright') as { chromium: { executablePath(): string } }
  // <where Playwright keeps browsers>/chromium-1255/chrome-linux64/chrome
  const browsers = dirname(dirname(dirname(chromium.executablePath())))
  return (
    onPath(shells).find(existsSync) ??
    globSync(join(browsers, 'chromium_headless_shell-*', '*', '*headless*shell{,.exe}')).at(-1)
  )
}

const onPath = (programs: readonly string[]): string[] =>
  (process.env.PATH ?? '').split(delimiter).flatMap((folder) => programs.map((program) => join(folder, program)))
