import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fromPackages } from './packages.ts'
import { run } from './stage.ts'
import { root } from './tree.ts'

const fromJourneys = createRequire(join(root, 'e2e', 'package.json'))

/** The package exports its command line to nobody, but that is how the test runner is started. */
export const playwright = join(root, 'e2e', 'node_modules', 'playwright', 'cli.js')

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge', 'chrome.exe', 'msedge.exe']
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** A Chromium for the journeys: the one named by E2E_BROWSER, one on this machine, Playwright's own, else one from Debian's packages. */
export async function findBrowser(): Promise<string> {
  const named = process.env.E2E_BROWSER
  if (named) {
    if (!existsSync(named)) throw new Error(`E2E_BROWSER names ${named}, but nothing is there. Correct it, or unset it to let one be found.`)
    return named
  }
  const here = installed()
  if (here) return here
  console.log('No Chromium here yet; getting one (once) …')
  await run(process.execPath, [playwright, 'install', 'chromium'], { quiet: true })
  const own = installed()
  if (own) return own
  await fromPackages('chromium')
  const last = installed()
  if (last) return last
  throw new Error('The journeys need Chromium or Chrome, and none could be installed. Install one with your package manager (Debian: apt-get install chromium), or name it: E2E_BROWSER=/path/to/chrome npm test')
}

function installed(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const { chromium } = fromJourneys('playwright') as { chromium: { executablePath(): string } }
  return [...onPath, ...places, chromium.executablePath()].find((path) => path && existsSync(path))
}
