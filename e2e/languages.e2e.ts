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
    'the viewer names itself, and measures, in words and numbers of the page [7.42]',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@desktop' }),
    async ({ as }) => {
      const page = await as('staff')
      await page.context().addInitScript(() => localStorage.setItem('preference:language', 'de'))
      await page.goto('/scan/worklist')
      const opening = page.waitForEvent('popup')
      await page.getByRole('button', { name: 'ansehen' }).and(page.locator(':enabled')).first().click()
      const viewer = await opening
      await expect(viewer).toHaveTitle(/^Bildbetrachter · /)
      await expect(viewer.locator('.pane:not(.empty)').first()).toBeVisible({ timeout: 20_000 })
      const picture = (await viewer.locator('.picture').first().boundingBox())!
      const [x, y] = [picture.x + picture.width / 2, picture.y + picture.height / 2]
      await viewer.keyboard.press('e')
      await viewer.mouse.move(x, y)
      await viewer.mouse.down()
      await viewer.mouse.move(x + 60, y + 40, { steps: 8 })
      await viewer.mouse.up()
      const text = viewer.locator('.picture svg text')
      await expect(text).toContainText(/Fläche: \d+(,\d+)? (mm|px)²/)
      for (const word of ['Mittelwert: ', 'Max.: ', 'Std.-Abw.: ']) await expect(text).toContainText(word)
    },
  )

  test(
    'the side bar calls the person by a title of the language [2.32, 5.07]',
    details({ needs: ['staff'] }),
    async ({ as }) => {
      const page = await as('staff')
      await page.addInitScript(() => localStorage.setItem('preference:language', 'de'))
      await page.goto('/dashboard')
      await expect(page.locator('.dmp-side-person strong')).toHaveText(/^(?:Herr|Frau|Dr\.|Prof\.) /)
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
