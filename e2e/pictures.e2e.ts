import type { Page } from 'playwright/test'
import { details, expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'
import { untilDrawn, stillStyle } from './support/stillPage.ts'

// The pictures of README and docs/screens.md: E2E_PICTURES=docs/images npm run e2e -- pictures
const folder = process.env.E2E_PICTURES ?? ''

async function shoot(page: Page, name: string): Promise<void> {
  await page.addStyleTag({ content: stillStyle })
  await page.evaluate(untilDrawn)
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled', caret: 'hide' })
}

async function take(page: Page, name: string): Promise<void> {
  await settled(page)
  // Cards come each on its own.
  await expect(page.locator('.dmp-skeleton')).toHaveCount(0)
  await shoot(page, name)
}

const firstRow = (page: Page) => page.getByRole('table').first().getByRole('row').nth(1).getByRole('link').first()

test.describe('pictures', details({ needs: ['demo', 'admin', 'staff', 'super'] }), () => {
  test.use({ bypassCSP: true, timezoneId: 'UTC', locale: 'en-US' })

  for (const [path, name] of [
    ['/login', 'login'],
    ['/register', 'register'],
    ['/forgot-password', 'forgot-password'],
    ['/reset-password', 'reset-password'],
  ] as const) {
    test(name, async ({ page }) => {
      await page.goto(path)
      await take(page, name)
    })
  }

  test(
    'a shared scan, as a stranger sees it',
    details({ writes: 'a share link, which expires' }),
    async ({ as, browser, baseURL }) => {
      const page = await as('admin', '/scan')
      await firstRow(page).click()
      await page.getByRole('button', { name: 'Share', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Share' })
      await dialog.getByRole('checkbox', { name: /Are you sure/ }).check()
      await shoot(page, 'scan-share-dialog')
      await dialog.getByRole('button', { name: 'Create Share Link' }).click()
      const link = await page.getByRole('textbox', { name: 'Share link' }).inputValue()
      const stranger = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        bypassCSP: true,
        ...(baseURL ? { baseURL } : {}),
      })
      const theirs = await stranger.newPage()
      await theirs.goto(link)
      await take(theirs, 'share')
      await stranger.close()
    },
  )

  for (const [who, path, name] of [
    ['admin', '/dashboard', 'dashboard'],
    ['staff', '/scan', 'scan-list'],
    ['staff', '/scan/worklist', 'worklist'],
    ['super', '/complaint', 'complaint-list'],
    ['super', '/user', 'user-list'],
    ['super', '/organization', 'organization-list'],
    ['super', '/registration', 'registration-list'],
    ['staff', '/complaint/add', 'complaint-add'],
    ['admin', '/scan/upload', 'scan-upload'],
    ['admin', '/audit', 'audit-list'],
    ['admin', '/user/add', 'user-add'],
    ['admin', '/account/profile', 'profile'],
    ['admin', '/account/security', 'security'],
    ['admin', '/account/organization', 'own-organization'],
    ['staff', '/not-authorized/Organization/list', 'not-authorized'],
  ] as const) {
    test(name, async ({ as }) => {
      await take(await as(who, path), name)
    })
  }

  test('palette and keys', async ({ as }) => {
    const page = await as('admin', '/scan/worklist')
    await settled(page)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('ann')
    await expect(page.getByRole('group', { name: 'Patients' })).toBeVisible()
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText(/result/)
    await shoot(page, 'palette')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await shoot(page, 'keys')
  })

  for (const [area, name] of [
    ['scan', 'scan-detail'],
    ['complaint', 'complaint-detail'],
    ['registration', 'registration-detail'],
    ['organization', 'organization-detail'],
    ['user', 'user-detail'],
    ['audit', 'audit-detail'],
  ] as const) {
    test(name, async ({ as }) => {
      const page = await as('super', `/${area}`)
      await firstRow(page).click()
      await expect(page).toHaveURL(/\/detail\//)
      await take(page, name)
    })
  }

  test('patient', async ({ as }) => {
    const page = await as('admin', '/scan/worklist')
    await page.getByRole('searchbox', { name: 'Search studies' }).fill('Sample, Anna')
    await page.getByRole('link', { name: 'Sample, Anna' }).first().click()
    await page.getByRole('link', { name: 'All studies of this patient' }).click()
    await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
    await take(page, 'patient')
  })

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
