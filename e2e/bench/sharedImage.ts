import { devices } from 'playwright'
import type { Browser, Page } from 'playwright'

/** Slow 4G as Lighthouse and web.dev mean it, and the processor of a middling phone beside a laptop's. */
const slow4G = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 750_000 / 8 }
const slowdown = 4

export interface SharedImageTimes {
  /** From the touch on the link until the page can be pressed. */
  readonly page: number
  /** From the press on "View images" until the first picture is there, drawn by the server or by the viewer. */
  readonly picture: number
  /** From the press until the viewer itself has drawn. */
  readonly viewer: number
}

/** One visit of a stranger with an empty cache; `readingMs` passes before the press. */
export async function visitSharedImage(browser: Browser, link: string, readingMs: number): Promise<SharedImageTimes> {
  const context = await browser.newContext(devices['Pixel 5'])
  try {
    const page = await context.newPage()
    await throttle(page)
    const opened = Date.now()
    await page.goto(link, { waitUntil: 'commit' })
    const view = page.getByRole('button', { name: 'View images' })
    await view.waitFor()
    const ready = Date.now()
    await page.waitForTimeout(readingMs)
    const pressed = Date.now()
    await view.click({ noWaitAfter: true })
    await page.waitForURL(/\/viewer\//, { waitUntil: 'commit' })
    await until(page, `${hasPreview} || ${hasDrawn}`)
    const seen = Date.now()
    await until(page, hasDrawn)
    return { page: ready - opened, picture: seen - pressed, viewer: Date.now() - pressed }
  } finally {
    await context.close()
  }
}

/** Asked from outside: the policy of the page lets nobody evaluate within it. */
async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate(condition))) await page.waitForTimeout(20)
}

async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

/** For the page: the picture that the server draws. */
const hasPreview = `(document.querySelector('.preview img')?.naturalWidth > 0)`
/** For the page: a canvas that is not of one colour any more. */
const hasDrawn = `(() => {
  const canvas = document.querySelector('.picture canvas')
  const text = document.querySelector('.corner.bottom-left')?.textContent ?? ''
  if (!canvas || canvas.width === 0 || text === '') return false
  const copy = document.createElement('canvas')
  copy.width = copy.height = 16
  const pen = copy.getContext('2d')
  pen.drawImage(canvas, 0, 0, 16, 16)
  const { data } = pen.getImageData(0, 0, 16, 16)
  return data.some((value, at) => at % 4 === 0 && value !== data[0])
})()`
