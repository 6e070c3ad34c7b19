import type { Browser } from 'playwright'

const email = 'ann@clinic.example'

/**
 * Opens the sign-in page without its scripts, types into what stands there, and lets them through.
 *
 * @returns what was not there or not kept, and the release of the part that the page has then
 */
export async function typeBeforeCode(browser: Browser, url: string, part: string) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    const open = Promise.withResolvers<void>()
    await page.route(/\/releases\/.*\.js$/, async (route) => {
      await open.promise
      await route.continue()
    })
    await page.goto('/login', { waitUntil: 'commit' })
    const field = page.locator('#root[data-drawn] input[name="email"]')
    const isDrawn = await field.waitFor().then(
      () => true,
      () => false,
    )
    if (isDrawn) await field.fill(email)
    open.resolve()
    await page.locator('#root:not([data-drawn]) input[name="email"]').waitFor()
    const kept = await page.locator('input[name="email"]').inputValue()
    const snapshot = (await page.locator('#dmp-snapshot').textContent()) ?? ''
    const releaseId = new RegExp(`/releases/${part}/([0-9a-f]{16})/`).exec(snapshot)?.[1]
    return { isDrawn, isKept: kept === email, releaseId }
  } finally {
    await context.close()
  }
}
