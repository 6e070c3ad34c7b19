import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { account } from '../support/accounts.ts'
import { fetchPage, openSession, parseBlock } from '../support/api.ts'
import { openFirefox } from './FirefoxTab.ts'
import { journeys, type Site } from './journeys.ts'
import type { Tab } from './Tab.ts'
import { openWebKit } from './WebKitTab.ts'

/** A journey that hangs is one that fails. */
const journeyTimeoutMs = 300_000

interface Browser {
  /** A tab in a session of its own. */
  another(): Promise<Tab>
  close(): Promise<void>
}
export type OpenBrowser = (executable: string, address: string) => Promise<Browser>

interface Totals {
  passed: number
  failed: number
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function runAll(browser: Browser, address: string, folder: string): Promise<Totals> {
  const totals = { passed: 0, failed: 0 }
  const { session, organizationId } = await openAdmin(address)
  const admin = { call: session.call, headers: { authorization: `Bearer ${session.accessToken}` }, organizationId }
  for (const [name, journey] of Object.entries(journeys)) {
    const tabs: Tab[] = []
    const another = async (): Promise<Tab> => {
      const tab = await browser.another()
      tabs.push(tab)
      return tab
    }
    const site: Site = { admin, folder, another }
    const problem = await inTime(async () => journey(await another(), site))
    for (const tab of tabs) await tab.close().catch(() => undefined)
    const problems = [...(problem === undefined ? [] : [problem]), ...tabs.flatMap(({ errors }) => errors)]
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
    throw new Error('The journeys in other browsers write small scans and delete them. Allow that with E2E_WRITES=1.')
  const session = await openSession(address, settings?.clientId ?? '', account('admin'))
  if (typeof session === 'string') throw new Error('The account E2E_ADMIN cannot sign in by the calls.')
  const { organizationId } = await session.call<{ organizationId: string }>('GET', 'account/profile')
  return { session, organizationId }
}

const browsers: Readonly<Record<string, OpenBrowser>> = { firefox: openFirefox, webkit: openWebKit }
const [kind = '', executable = ''] = process.argv.slice(2)
const open = browsers[kind]
if (!open) throw new Error(`No browser is called "${kind}".`)
const address = process.env.BASE_URL ?? ''
const folder = mkdtempSync(join(tmpdir(), 'dmp-browsers-'))
const browser = await open(executable, address)
try {
  const { passed, failed } = await runAll(browser, address, folder)
  say(`Tests: ${failed} failed, ${passed} passed, ${passed + failed} total`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
