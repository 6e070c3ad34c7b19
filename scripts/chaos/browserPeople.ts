import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from '../../e2e/bench/measure.ts'
import { signIn } from '../../e2e/bench/openPages.ts'
import { noToll, type Toll } from '../../server/src/testing/people.ts'

export interface BrowserPeople {
  readonly toll: Toll
  readonly complaints: ReadonlySet<string>
  end(): Promise<void>
}

type Page = Awaited<ReturnType<Browser['newPage']>>

/** Each goes to the next of them, back and forth. */
const areas = [
  { link: 'Scan', heading: 'Scans' },
  { link: 'Complaint', heading: 'Complaints' },
]
/** Whoever waits longer gives up. */
const patienceMs = 60_000

/** People with the product open in a browser, from list to list; they press "Try again" where a card offers it. */
export async function startBrowserPeople(browser: Browser, url: string, count: number): Promise<BrowserPeople> {
  const toll = noToll()
  const complaints = new Set<string>()
  let isOver = false

  async function open(nth: number): Promise<Page> {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
    await signIn(context, nth % 2 === 0 ? 'staff' : 'admin')
    const page = await context.newPage()
    await page.goto('/scan')
    return page
  }

  async function work(page: Page): Promise<void> {
    for (let step = 0; !isOver; step += 1) {
      const { link, heading } = areas[(step + 1) % areas.length] ?? { link: '', heading: '' }
      const began = performance.now()
      toll.calls += 1
      const problem = await goTo(page, link, heading).catch((error: unknown) => String(error).split('\n', 1)[0])
      toll.longestMs = Math.max(toll.longestMs, performance.now() - began)
      if (problem === undefined) await pause(500)
      else {
        toll.failed += 1
        complaints.add(`a browser, on the way to ${heading}: ${problem}`)
        await page.goto('/scan').catch(() => undefined)
      }
    }
    await page.context().close()
  }

  async function goTo(page: Page, link: string, heading: string): Promise<string | undefined> {
    const modules = page.getByRole('navigation', { name: 'Modules' })
    await modules.getByRole('link', { name: link, exact: true }).click({ timeout: patienceMs })
    const table = page.getByRole('main').getByRole('table')
    const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
    const title = page.getByRole('heading', { level: 1, name: heading, exact: true })
    for (const end = performance.now() + patienceMs; performance.now() < end; await pause(250)) {
      if (new URL(page.url()).pathname.startsWith('/login')) {
        toll.signedOut += 1
        return 'signed out'
      }
      if (await again.first().isVisible()) {
        toll.repeated += 1
        await again
          .first()
          .click({ timeout: 1000 })
          .catch(() => undefined)
      } else if ((await title.isVisible()) && (await table.first().isVisible())) return undefined
    }
    return `not there after a minute: ${(await page.getByRole('main').innerText()).slice(0, 200)}`
  }

  // Whatever is taken away is taken from people who are at work.
  const pages = await Promise.all(Array.from({ length: count }, (_, nth) => open(nth)))
  const atWork = pages.map(work)
  return {
    toll,
    complaints,
    end: async () => {
      isOver = true
      await Promise.all(atWork)
    },
  }
}
