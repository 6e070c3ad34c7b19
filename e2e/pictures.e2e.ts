import type { Page } from 'playwright/test'
import { expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'

// The pictures of README and docs/screens.md: E2E_PICTURES=docs/images npm run e2e -- pictures
const folder = process.env.E2E_PICTURES ?? ''

async function take(page: Page, name: string): Promise<void> {
  await settled(page)
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))))
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled', caret: 'hide' })
}

const firstRow = (page: Page) => page.getByRole('table').first().getByRole('row').nth(1).getByRole('link').first()

test.describe('pictures', () => {
  test('signing in', async ({ page }) => {
    await page.goto('/login')
    await take(page, 'login')
  })

  for (const [who, path, name] of [
    ['admin', '/dashboard', 'dashboard'],
    ['staff', '/scan', 'scan-list'],
    ['super', '/complaint', 'complaint-list'],
    ['super', '/user', 'user-list'],
    ['staff', '/complaint/add', 'complaint-add'],
    ['admin', '/account/profile', 'profile'],
  ] as const) {
    test(name, async ({ as }) => {
      await take(await as(who, path), name)
    })
  }

  for (const [area, name] of [['scan', 'scan-detail'], ['complaint', 'complaint-detail'], ['registration', 'registration-detail'], ['organization', 'organization-detail']] as const) {
    test(name, async ({ as }) => {
      const page = await as('super', `/${area}`)
      await firstRow(page).click()
      await expect(page).toHaveURL(/\/detail\//)
      await take(page, name)
    })
  }

  test('the viewer', async ({ as, context }) => {
    const page = await as('staff', '/scan')
    await page.getByRole('searchbox').first().fill('Head')
    await expect(page.getByRole('table').first()).not.toHaveAttribute('aria-busy', 'true')
    await firstRow(page).click()
    const opening = context.waitForEvent('page')
    await page.getByRole('button', { name: 'View', exact: true }).click()
    const viewer = await opening
    await viewer.setViewportSize({ width: 1280, height: 800 })
    await expect(viewer.locator('canvas').first()).toBeVisible()
    await viewer.waitForLoadState('networkidle')
    await viewer.screenshot({ path: `${folder}/viewer.png` })
  })

  test.describe('dark', () => {
    test.use({ colorScheme: 'dark' })
    test('scan list', async ({ as }) => {
      await take(await as('staff', '/scan'), 'scan-list-dark')
    })
  })

  test.describe('narrow', () => {
    test.use({ viewport: { width: 360, height: 740 } })
    test('scan list', async ({ as }) => {
      await take(await as('staff', '/scan'), 'scan-list-narrow')
    })
  })
})
