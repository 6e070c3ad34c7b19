import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import type { Who } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'

const publicPages = ['/login', '/forgot-password', '/register', '/terms']
const pages: [Who, string][] = [
  ...['/dashboard', '/complaint', '/complaint/add', '/organization', '/registration', '/scan', '/user', '/user/add', '/account/profile', '/account/security', '/account/organization', '/no-such-page', '/not-authorized/Scan/list'].map((path): [Who, string] => ['super', path]),
  ...['/dashboard', '/scan', '/user', '/account/organization'].map((path): [Who, string] => ['admin', path]),
  ...['/dashboard', '/scan', '/complaint'].map((path): [Who, string] => ['staff', path]),
]

async function expectNoViolation(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze()
  expect(violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => `${node.html.slice(0, 160)} (${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? ''})`).join(' | ')}`)).toEqual([])
}

// Light on the desktop, dark on the telephone: both schemes and both widths for the price of two runs.
for (const [scheme, tag] of [['light', '@desktop'], ['dark', '@mobile']] as const) {
  test.describe(`accessible, ${scheme}`, { tag: ['@a11y', tag] }, () => {
    test.use({ colorScheme: scheme })

    for (const path of publicPages) {
      test(`${path} [P29]`, async ({ page }) => {
        await page.goto(path)
        await settled(page)
        await expectNoViolation(page)
      })
    }

    for (const [who, path] of pages) {
      test(`${path} as ${who} [P29]`, async ({ as, gates }) => {
        if (path === '/no-such-page') gates.expectStatus(404, path)
        const page = await as(who, path)
        await settled(page)
        await expectNoViolation(page)
      })
    }

    for (const [area, nth] of [['complaint', 0], ['organization', 1], ['registration', 0], ['user', 0], ['scan', 0]] as const) {
      test(`detail of the first ${area} [P29]`, async ({ as }) => {
        const page = await as('super', `/${area}`)
        await page.getByRole('table').first().getByRole('row').nth(nth + 1).getByRole('link').first().click()
        await expect(page).toHaveURL(/\/detail\//)
        await settled(page)
        await expectNoViolation(page)
      })
    }
  })
}

test.describe('by keyboard', { tag: '@a11y' }, () => {
  test('signs in, reaches the content past the navigation, and opens a scan without a mouse [P29]', { tag: '@smoke' }, async ({ page }) => {
    await page.goto('/login')
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
    await page.keyboard.type('staff@north.example')
    await page.keyboard.press('Tab')
    await page.getByLabel('Password', { exact: true }).focus()
    await page.keyboard.type('DemoPassw0rd!')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard$/)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toBeFocused()
    await page.goto('/scan')
    await expect(page.getByRole('table').first().getByRole('row').nth(1)).toBeVisible()
    await page.getByRole('table').first().getByRole('row').nth(1).getByRole('link').first().focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/scan\/detail\//)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  test('a dialog holds the focus and gives it back [P29]', async ({ as }) => {
    const page = await as('staff')
    const opener = page.getByRole('contentinfo').getByRole('button', { name: 'Device Label' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Device Label' })
    await expect(dialog).toBeVisible()
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab')
      expect(await dialog.evaluate((element) => element.contains(document.activeElement)), 'the focus stays in the dialog').toBe(true)
    }
    await dialog.getByRole('button', { name: 'Close' }).last().focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()
  })
})
