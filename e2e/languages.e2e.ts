import type { Page } from 'playwright/test'
import { violations } from './support/axe.ts'
import { details, expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'
import { findAddress } from './support/routes.ts'

const screens = ['/dashboard', '/scan/worklist', '/scan', '/scan/detail/:organizationId/:studyUID/:seriesUID', '/complaint', '/user', '/account/profile']
const arabic = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('preference:language', 'ar'))

test.describe('languages', () => {
  for (const width of [1280, 360])
    test(
      `Arabic mirrors every main screen, and nothing sticks out sideways at ${width} px [P29]`,
      details({ needs: ['admin', 'remote-scan', 'remote-complaint', 'remote-user'] }),
      async ({ as }) => {
        const page = await as('admin')
        await page.setViewportSize({ width, height: 740 })
        await arabic(page)
        for (const route of screens) {
          await page.goto((await findAddress(page, route)) ?? route)
          await settled(page)
          await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
          await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
          const outside = await page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement
            const main = document.querySelector('main')!.getBoundingClientRect()
            return Math.max(scrollWidth - clientWidth, -main.left, main.right - clientWidth)
          })
          expect.soft(outside, `${route}: nothing sticks out sideways`).toBeLessThanOrEqual(0)
          expect.soft(await violations(page), route).toEqual([])
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
        const { documentElement: root } = document
        // What the page looked like when the first thing of it was drawn.
        new MutationObserver((_changes, observer) => {
          if (!document.querySelector('#root > *')) return
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
