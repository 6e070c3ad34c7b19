import type { Page } from 'playwright/test'
import { violations } from './support/axe.ts'
import { details, expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'

const screens = ['/dashboard', '/scan/worklist', '/scan', '/scan/detail', '/complaint', '/user', '/account/profile']

/** The screen in Arabic; a detail is that of the first row of its list. */
async function openInArabic(page: Page, path: string): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('preference:language', 'ar'))
  await page.goto(path.replace(/\/detail$/, ''))
  await settled(page)
  if (!path.endsWith('/detail')) return
  await page.locator(`a[href^="${path}/"]`).first().click()
  await page.waitForURL(`**${path}/**`)
  await settled(page)
}

test.describe('languages', () => {
  for (const path of screens)
    test(
      `${path} is mirrored in Arabic, and nothing sticks out sideways at 1280 and 360 px [P29]`,
      details({ needs: ['admin', "admin's scans", 'remote-scan', 'remote-complaint', 'remote-user'] }),
      async ({ as }) => {
        const page = await as('admin')
        await openInArabic(page, path)
        await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
        await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
        const [aside, main] = [page.getByRole('complementary').first(), page.getByRole('main')]
        expect((await aside.boundingBox())!.x).toBeGreaterThan((await main.boundingBox())!.x)
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 740 })
          const outside = await page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement
            const main = document.querySelector('main')!.getBoundingClientRect()
            return Math.max(scrollWidth - clientWidth, -main.left, main.right - clientWidth)
          })
          expect.soft(outside, `nothing sticks out sideways at ${width} px`).toBeLessThanOrEqual(0)
          expect.soft(await violations(page), `axe at ${width} px`).toEqual([])
        }
      },
    )

  test(
    'a person chooses on the sign-in page, the next page is in that language, and another tab follows',
    details({ needs: [] }),
    async ({ page }) => {
      await page.goto('/login')
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      const other = await page.context().newPage()
      await other.goto('/login')
      await settled(other)
      await page.getByRole('button', { name: 'English' }).click()
      await page.getByRole('menuitemradio', { name: 'العربية' }).click()
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
      await expect(other.locator('html')).toHaveAttribute('dir', 'rtl')
      await settled(page)
      await page.getByRole('button', { name: 'العربية' }).click()
      await page.getByRole('menuitemradio', { name: 'English' }).click()
      await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
      await expect(other.locator('html')).toHaveAttribute('lang', 'en')
    },
  )

  test.describe('of the browser', () => {
    test.use({ locale: 'ar-EG' })
    test('decide the first visit, before anything is drawn', details({ needs: [] }), async ({ page }) => {
      await page.addInitScript(() => {
        // What the page looked like when the first thing of it was drawn.
        new MutationObserver((_changes, observer) => {
          if (!document.querySelector('#root > *')) return
          const root = document.documentElement
          root.dataset.firstDirection = root.dir
          observer.disconnect()
        }).observe(document, { childList: true, subtree: true })
      })
      await page.goto('/login')
      await settled(page)
      await expect(page.locator('html')).toHaveAttribute('data-first-direction', 'rtl')
      await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
    })
  })
})
