import type { Browser } from 'playwright'
import { account, type Who } from '../support/accounts.ts'
import { signIn } from './openPages.ts'

/** A user at work, in a browser of their own. */
export interface Visitor {
  readonly email: string
  /**
   * Opens the area as a new page, waits until it is drawn and has told what it saw, and leaves it; returns the release
   * of the area's remote that the page was made of.
   */
  visit(): Promise<string>
  end(): Promise<void>
}

const area = { remote: 'remote-complaint', path: '/complaint', heading: 'Complaints' }

export async function openVisitor(browser: Browser, url: string, who: Who): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
  await context.addInitScript(keepWhatIsTold)
  await signIn(context, who)
  return {
    email: account(who).email,
    visit: async () => {
      const page = await context.newPage()
      let responseCount = 0
      page.on('response', (reply) => {
        if (/\/api\/Release\/report(?:Errors|Times)?$/.test(reply.url())) responseCount += 1
      })
      await page.goto(area.path)
      const card = page.getByRole('main').getByRole('alert').first()
      await page.getByRole('heading', { level: 1, name: area.heading, exact: true }).or(card).first().waitFor()
      if (await card.isVisible()) throw new Error(`${area.path}: ${await card.innerText()}`)
      const snapshot = JSON.parse((await page.locator('#dmp-snapshot').textContent()) ?? '{}') as {
        remotes?: { releaseId: string; declaration: { name: string } }[]
      }
      // A page sends its reports at the latest when the visitor leaves it.
      await page.evaluate(() => void (globalThis as unknown as EventTarget).dispatchEvent(new Event('pagehide')))
      await page.waitForFunction(
        (part) => (globalThis as unknown as Telling).sentReports.some((text) => text.includes(part)),
        area.remote,
      )
      const count = await page.evaluate(() => (globalThis as unknown as Telling).sentReports.length)
      while (responseCount < count) await page.waitForEvent('response')
      await page.close()
      return snapshot.remotes?.find(({ declaration }) => declaration.name === area.remote)?.releaseId ?? ''
    },
    end: () => context.close(),
  }
}

interface Telling {
  sentReports: string[]
}

/** Playwright cannot see what a beacon carries; the page can. */
function keepWhatIsTold(): void {
  const sentReports: string[] = []
  Object.assign(globalThis, { sentReports })
  const beacons = navigator as unknown as { sendBeacon(url: URL, body: Blob): boolean }
  const send = beacons.sendBeacon.bind(navigator)
  beacons.sendBeacon = (url, body) => {
    void body.text().then((text) => sentReports.push(text))
    return send(url, body)
  }
}
