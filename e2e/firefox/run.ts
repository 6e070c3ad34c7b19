import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Browser } from 'puppeteer-core'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { account } from '../support/accounts.ts'
import { fetchPage, openSession, parseBlock } from '../support/api.ts'
import { FirefoxPage } from './FirefoxPage.ts'
import { firefoxJourneys, type FirefoxSite } from './journeys.ts'

/** A journey that hangs is one that fails. */
const journeyTimeoutMs = 120_000

interface Totals {
  passed: number
  failed: number
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function runAll(browser: Browser, address: string, folder: string): Promise<Totals> {
  const totals = { passed: 0, failed: 0 }
  const { session, organizationId } = await openAdmin(address)
  const admin = { call: session.call, headers: { authorization: `Bearer ${session.accessToken}` }, organizationId }
  for (const [name, journey] of Object.entries(firefoxJourneys)) {
    const contexts: Awaited<ReturnType<Browser['createBrowserContext']>>[] = []
    const tabs: FirefoxPage[] = []
    const another = async (): Promise<FirefoxPage> => {
      const context = await browser.createBrowserContext()
      contexts.push(context)
      const tab = new FirefoxPage(await context.newPage(), address)
      tabs.push(tab)
      return tab
    }
    const site: FirefoxSite = { admin, folder, another }
    const problem = await inTime(async () => journey(await another(), site))
    const problems = [...(problem === undefined ? [] : [problem]), ...tabs.flatMap(({ errors }) => errors)]
    for (const context of contexts) await context.close().catch(() => undefined)
    if (problems.length === 0) totals.passed += 1
    else totals.failed += 1
    say(`  ${problems.length === 0 ? '✓' : '✗'} ${name}`)
    for (const text of problems) say(text.replace(/^/gm, '      '))
  }
  await session.close()
  return totals
}

/** What went wrong; undefined when nothing did. */
async function inTime(work: () => Promise<void>): Promise<string | undefined> {
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.resolve('It took too long.'), journeyTimeoutMs)
  const done = work().then(
    () => undefined,
    (cause: unknown) => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)),
  )
  const problem = await Promise.race([done, late.promise])
  clearTimeout(timer)
  return problem
}

async function openAdmin(address: string) {
  const settings = parseBlock<RuntimeSettings>(await fetchPage(address), 'dmp-settings')
  if (settings?.isDemo !== true && !['1', 'yes', 'true'].includes(process.env.E2E_WRITES ?? ''))
    throw new Error('The journeys in Firefox write small scans and delete them. Allow that with E2E_WRITES=1.')
  const session = await openSession(address, settings?.clientId ?? '', account('admin'))
  if (typeof session === 'string') throw new Error('The account E2E_ADMIN cannot sign in by the calls.')
  const { organizationId } = await session.call<{ organizationId: string }>('GET', 'account/profile')
  return { session, organizationId }
}

const { BASE_URL: address = '', E2E_FIREFOX: executablePath = '' } = process.env
const folder = mkdtempSync(join(tmpdir(), 'dmp-firefox-'))
const browser = await launch({ browser: 'firefox', executablePath })
try {
  const { passed, failed } = await runAll(browser, address, folder)
  say(`Tests: ${failed} failed, ${passed} passed, ${passed + failed} total`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
