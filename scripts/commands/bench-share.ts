import { loadavg } from 'node:os'
import { median, openBrowser } from '../../e2e/bench/measure.ts'
import { visitSharedImage, type SharedImageTimes } from '../../e2e/bench/sharedImage.ts'
import { account } from '../../e2e/support/accounts.ts'
import { openSession } from '../../e2e/support/api.ts'
import { startDemoServer } from '../journeys/demoServer.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import type { ScanRow } from '../../shared/contract/src/scan/index.ts'

/**
 * `npm run bench:share [-- visits]`: from a share link to the first image on a phone at slow 4G, with an empty cache;
 * for a person who presses at once, and for one who reads the page for three seconds first.
 */
const visits = Math.max(1, Number(process.argv[2] ?? 5))
const readingTimes = [
  { name: 'pressed at once', ms: 0 },
  { name: 'after 3 s of reading', ms: 3000 },
]

const server = process.env.BASE_URL ? undefined : await startDemoServer()
const url = server?.url ?? String(process.env.BASE_URL)
try {
  const browser = await openBrowser(await findBrowser())
  try {
    const link = await shareStack()
    for (const { name, ms } of readingTimes) {
      const all: SharedImageTimes[] = []
      for (let n = 0; n < visits; n += 1) all.push(await visitSharedImage(browser, link, ms))
      say(
        `${name}: link to page`,
        all.map(({ page }) => page),
      )
      say(
        `${name}: press to image`,
        all.map(({ picture }) => picture),
      )
      say(
        `${name}: press to viewer`,
        all.map(({ viewer }) => viewer),
      )
      say(
        `${name}: link to image`,
        all.map(({ page, picture }) => page + picture),
      )
    }
    console.log(`load of the machine ${loadavg()[0]?.toFixed(1)}`)
  } finally {
    await browser.close()
  }
} finally {
  await server?.stop()
}

/** The largest stack of the demo, without a password. */
async function shareStack(): Promise<string> {
  const session = await openSession(url, 'dmp-web', account('admin'))
  if (typeof session === 'string') throw new Error('E2E_ADMIN needs a second step; name an account that needs none.')
  const rows = await session.call<ScanRow[]>('GET', 'Scan/list')
  const [first] = [...rows].sort((a, b) => (b.noOfImages ?? 0) - (a.noOfImages ?? 0))
  if (!first) throw new Error('There is no scan to share.')
  const { organizationId } = await session.call<{ organizationId: string }>('GET', 'account/profile')
  const { seriesUID } = first
  const { downloadUrl } = await session.call<{ downloadUrl: string }>('POST', `Scan/share/${organizationId}`, {
    seriesUID,
    expireInDay: 1,
  })
  await session.close()
  return url + new URL(downloadUrl).pathname
}

function say(what: string, times: readonly number[]): void {
  const runs = times.map((time) => Math.round(time)).join(' ')
  console.log(`${what.padEnd(40)} ${String(Math.round(median(times))).padStart(6)} ms   (${runs})`)
}
