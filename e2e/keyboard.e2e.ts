import type { Locator, Page } from 'playwright/test'
import { account } from './support/accounts.ts'
import { getAccountState } from './support/deployment.ts'
import { resolveComplaints } from './support/marked.ts'
import { details, expect, test } from './support/journey.ts'

/** Presses Tab until the element has the focus; fails where the keyboard never gets there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let step = 0; step < 80; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target, 'Tab leads here').toBeFocused()
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const firstLink = (page: Page) => page.getByRole('table').first().getByRole('row').nth(1).getByRole('link').first()

test.describe('by keyboard', { tag: '@a11y' }, () => {
  test(
    'signs in, skips the navigation, and opens a scan [P29]',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@smoke' }),
    async ({ page }) => {
      const { email, password } = account('staff')
      await page.goto('/login')
      await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
      await page.keyboard.type(email)
      await tabTo(page, page.getByLabel('Password', { exact: true }))
      await page.keyboard.type(password)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/dashboard$/)
      await expect(heading(page), 'the focus goes to what is new').toBeFocused()
      await tabTo(
        page,
        page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name: 'Scan', exact: true }),
      )
      await page.keyboard.press('Enter')
      await expect(heading(page)).toBeFocused()
      await tabTo(page, firstLink(page))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/scan\/detail\//)
      await expect(heading(page)).toBeFocused()
      await page.goto('/scan')
      await expect(firstLink(page)).toBeVisible()
      await page.keyboard.press('Tab')
      const skip = page.getByRole('link', { name: 'Skip to content' })
      await tabTo(page, skip)
      await page.keyboard.press('Enter')
      expect(
        await page
          .getByRole('main')
          .evaluate((main) => main === document.activeElement || main.contains(document.activeElement)),
        'past the navigation',
      ).toBe(true)
    },
  )

  test(
    'searches scans and sorts them, and hears how many there are [P29, 5.19]',
    details({ needs: ['staff', 'scans', 'remote-scan'] }),
    async ({ as }) => {
      const page = await as('staff', '/scan')
      await expect(firstLink(page)).toBeVisible()
      await tabTo(page, page.getByRole('searchbox').first())
      await page.keyboard.type('no such scan')
      await expect(page.getByText('No record found with the filter term.')).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: /\S/ }).first(), 'the count is said').toBeAttached()
      await page.getByRole('searchbox').first().press('ControlOrMeta+a')
      await page.keyboard.press('Delete')
      await expect(firstLink(page)).toBeVisible()
      await tabTo(page, page.getByRole('columnheader', { name: 'Description' }).getByRole('button'))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/sortDirection=asc/)
    },
  )

  test(
    'makes a complaint [P29, 2.50]',
    details({
      needs: ['staff', 'super', 'remote-complaint'],
      writes: 'a complaint of E2E_STAFF with a mail to that account; it ends Resolved (complaints cannot be deleted)',
    }),
    async ({ as, undo }) => {
      const words = `Written without a mouse at ${new Date().toISOString()}`
      undo('the complaint', async (callAs) => resolveComplaints(await callAs('super'), words))

      const page = await as('staff', '/complaint/add')
      await tabTo(page, page.getByLabel('Type', { exact: true }))
      await page.keyboard.press('ArrowDown')
      await tabTo(page, page.getByLabel('Module', { exact: true }))
      await page.keyboard.press('ArrowDown')
      await tabTo(page, page.getByLabel('Description', { exact: true }))
      await page.keyboard.type(words)
      await tabTo(page, page.getByRole('button', { name: 'Submit' }))
      await page.keyboard.press('Enter')
      await expect(page.getByText('Complaint has been submitted successfully')).toBeVisible()
      await expect(page).toHaveURL(/\/complaint(\?|$)/)
      await expect(heading(page)).toBeFocused()
    },
  )

  test(
    'the provider opens the severities of a complaint, and leaves them by Escape [P29, 2.49]',
    details({ needs: ['super', 'complaints', 'remote-complaint'] }),
    async ({ as }) => {
      const page = await as('super', '/complaint')
      await tabTo(page, firstLink(page))
      await page.keyboard.press('Enter')
      const change = page.getByRole('button', { name: 'Change severity' })
      await tabTo(page, change)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menu')).toBeVisible()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toBeHidden()
      await expect(change, 'the focus is given back').toBeFocused()
    },
  )

  for (const [area, question] of [
    ['organization', 'Deactivate'],
    ['user', 'Deactivate User'],
  ] as const) {
    test(
      `asks before an ${area} is deactivated, and gives up by Escape [P29]`,
      details({
        needs: ['super', 'staff', `remote-${area}`],
      }),
      async ({ as }) => {
        // Not the provider's own organization and not the one who asks: nobody deactivates those.
        const { email, organization } = getAccountState('staff')
        const words = area === 'user' ? email : organization
        const page = await as('super', `/${area}?searchTerm=${encodeURIComponent(words)}&page=1`)
        const link = page
          .getByRole('table')
          .first()
          .getByRole('row')
          .filter({ hasText: words })
          .getByRole('link')
          .first()
        await tabTo(page, link)
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(/\/detail\//)
        const button = page
          .getByRole('main')
          .getByRole('button', { name: question, exact: true })
          .or(
            page
              .getByRole('main')
              .getByRole('button', { name: question.replace('Deactivate', 'Activate'), exact: true }),
          )
        await tabTo(page, button)
        await page.keyboard.press('Enter')
        await expect(page.getByRole('dialog')).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toBeHidden()
        await expect(button).toBeFocused()
      },
    )
  }

  test(
    'opens a registration [P29, 2.57]',
    details({ needs: ['super', 'registrations', 'remote-registration'] }),
    async ({ as }) => {
      const page = await as('super', '/registration')
      await tabTo(page, firstLink(page))
      await page.keyboard.press('Enter')
      await expect(heading(page)).toBeFocused()
    },
  )

  test('a dialog holds the focus and gives it back [P29]', details({ needs: ['staff'] }), async ({ as }) => {
    const page = await as('staff')
    const opener = page.getByRole('contentinfo').getByRole('button', { name: 'Device Label' })
    await tabTo(page, opener)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Device Label' })
    await expect(dialog).toBeVisible()
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab')
      expect(
        await dialog.evaluate((element) => element.contains(document.activeElement)),
        'the focus stays in the dialog',
      ).toBe(true)
    }
    await tabTo(page, dialog.getByRole('button', { name: 'Close' }).last())
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()
  })
})
