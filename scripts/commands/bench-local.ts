import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserType } from '../../e2e/node_modules/playwright/index.js'
import { account } from '../../e2e/support/accounts.ts'
import { copyRemote, serveRemote } from '../../e2e/support/localWork.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { root } from '../workspace/files.ts'

/**
 * `BASE_URL=http://localhost:4000 node scripts/commands/bench-local.ts 3`: work on one remote against a running host,
 * from the command to the page, and from a change to the screen.
 */
const rounds = Number(process.argv[2] ?? 3)
const host = process.env.BASE_URL ?? 'http://localhost:4000'
const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('playwright') as { chromium: BrowserType }
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: ['--no-sandbox', '--disable-background-networking'],
})
const all: Record<string, number[]> = { 'command to link': [], 'link to page': [], 'change to screen': [] }
// The first round compiles everything, the later ones what webpack remembers.
const folder = copyRemote('remote-scan')
for (let round = 0; round < rounds; round += 1) await once(browser)
await browser.close()
rmSync(join(folder, '..'), { recursive: true, force: true })
console.log(`load of the machine   ${loadavg()[0]?.toFixed(1)}`)
for (const [what, times] of Object.entries(all))
  console.log(`${what.padEnd(18)} ${times.map((time) => `${Math.round(time)} ms`).join(', ')}`)
process.exit(0)

async function once(browser: Browser): Promise<void> {
  const page = await (await browser.newContext({ baseURL: host })).newPage()
  await page.goto('/login')
  const { email, password } = account('super')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL('**/dashboard')

  const { result: served, ms: toLink } = await timed(() => serveRemote('remote-scan', folder, host))
  await page.goto(served.link)
  const yes = page.getByRole('button', { name: 'Use it in this browser' })
  await yes.waitFor()
  const { ms: toPage } = await timed(async () => {
    await yes.click()
    await page.getByRole('region', { name: 'Overrides of this browser' }).waitFor()
    await page.getByRole('heading', { level: 1, name: /^Scans/ }).waitFor()
  })
  all['command to link']?.push(toLink)
  all['link to page']?.push(toPage)
  const file = join(folder, 'src/list/ScanListScreen.tsx')
  for (const word of ['one', 'two', 'three']) {
    const { ms } = await timed(async () => {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/<Screen title="[^"]*"/, `<Screen title="Scans, ${word}"`))
      await page.getByRole('heading', { level: 1, name: `Scans, ${word}` }).waitFor()
    })
    all['change to screen']?.push(ms)
  }
  served.process.kill('SIGTERM')
  await page.context().close()
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now()
  return { result: await work(), ms: performance.now() - began }
}
