import type { Browser, BrowserContext, Locator, Page } from 'playwright/test'
import { violations } from './support/axe.ts'
import { freshUid } from './support/dicomFile.ts'
import { details, expect, test } from './support/journey.ts'

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

async function openShareDialog(page: Page): Promise<Locator> {
  await page.getByRole('table', { name: 'Scans' }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  return page.getByRole('dialog', { name: 'Share' })
}

async function createLink(page: Page, dialog: Locator): Promise<string> {
  await expect(dialog.getByText(/^The link opens 1 scan with \d+ images?\.$/)).toBeVisible()
  await dialog.getByRole('checkbox', { name: /Are you sure/ }).check()
  await dialog.getByRole('button', { name: 'Create Share Link' }).click()
  const link = await page.getByRole('textbox', { name: 'Share link' }).inputValue()
  await expect(page.getByRole('img', { name: 'The share link as a QR code' })).toBeVisible()
  return link
}

const openStranger = (browser: Browser, baseURL: string | undefined, more: object = {}): Promise<BrowserContext> =>
  browser.newContext({ ...(baseURL ? { baseURL } : {}), ...more })

/** Journeys beside this one share the same scan: a link is known by its recipient. */
const newRecipient = (): string => `${freshUid().replaceAll('.', '-')}@qa.invalid`
const rowOf = (page: Page, recipient: string): Locator =>
  page.getByRole('table', { name: 'Active share links' }).getByRole('row').filter({ hasText: recipient })

async function revoke(page: Page, recipient: string): Promise<void> {
  await rowOf(page, recipient).getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: 'Revoke the share link' }).getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('Share link revoked')).toBeVisible()
}

const picture = (page: Page): Locator => page.locator('.picture canvas').first()
const ended = 'This link is invalid or has expired.'

test.describe('a share link', { tag: '@scan' }, () => {
  test(
    'is made with a password, opened on a phone without an account, and dead in the open viewer [4.08, 5.13, 8.09, P25]',
    details({
      needs: ['admin', "admin's scans", 'remote-scan', 'quick viewer'],
      writes: 'a share link to a scan of E2E_ADMIN, which is revoked at the end',
    }),
    async ({ as, browser, baseURL, gates }) => {
      // Several people and pages: slow machines need the time.
      test.slow()
      gates.expectStatus(404, '/Scan/getShared')
      const page = await as('admin', '/scan')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const dialog = await openShareDialog(page)
      const recipient = newRecipient()
      await dialog.getByLabel('Send the link to (optional)').fill(recipient)
      const create = dialog.getByRole('button', { name: 'Create Share Link' })
      await expect(create).toBeDisabled()
      // However much there is to fill in, what it leads to is in sight.
      await expect(create).toBeInViewport({ ratio: 1 })
      await dialog.getByRole('slider', { name: 'Valid for' }).fill('3')
      await dialog.getByLabel('Link password (optional)').fill('sesame')
      expect(await violations(page)).toEqual([])
      const link = await createLink(page, dialog)
      await page.getByRole('button', { name: 'Copy Link' }).click()
      await expect(page.getByText('Scan share link successfully copied to clipboard.')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

      const stranger = await openStranger(browser, baseURL, phone)
      const theirs = await stranger.newPage()
      await theirs.goto(link)
      await expect(theirs.getByText(/has shared medical images with you/)).toBeVisible()
      await expect(theirs.getByText('The sender allows looking only.')).toBeVisible()
      expect(await violations(theirs)).toEqual([])
      await theirs.getByLabel('Password', { exact: true }).fill('wrong')
      await theirs.getByRole('button', { name: 'Open' }).click()
      await expect(theirs.getByRole('alert')).toContainText('This password is wrong.')
      await theirs.getByLabel('Password', { exact: true }).fill('sesame')
      await theirs.getByRole('button', { name: 'Open' }).click()
      await expect(theirs.getByText('Patient ID')).toBeVisible()
      await expect(theirs.getByRole('button', { name: 'Download' })).toHaveCount(0)
      expect(await violations(theirs)).toEqual([])
      await theirs.getByRole('button', { name: 'View images' }).click()
      await expect(picture(theirs)).toBeVisible({ timeout: 20_000 })
      expect(new URL(theirs.url()).search).toMatch(/^\?share=[0-9a-f-]{36}$/)

      await page.reload()
      await expect(rowOf(page, recipient).getByText('1 time', { exact: true })).toBeVisible()
      const second = await stranger.newPage()
      await second.goto(link)
      await expect(second.getByText('Patient ID')).toBeVisible()
      await revoke(page, recipient)
      await expect(theirs.getByRole('alert')).toContainText('This link has ended')
      await expect(picture(theirs)).toHaveCount(0)
      await expect(second.getByRole('alert')).toContainText(ended)
      await expect(second.getByText('Patient ID')).toHaveCount(0)
      await theirs.goto(link)
      await expect(theirs.getByRole('alert')).toContainText(ended)
      await stranger.close()
    },
  )

  test(
    'without a secret shows the images with one press, and downloads where that was allowed [5.13, P25]',
    details({
      needs: ['admin', "admin's scans", 'remote-scan', 'quick viewer'],
      writes: 'a share link to a scan of E2E_ADMIN, which is revoked at the end',
    }),
    async ({ as, browser, baseURL }) => {
      test.slow()
      const page = await as('admin', '/scan')
      const dialog = await openShareDialog(page)
      const recipient = newRecipient()
      await dialog.getByLabel('Send the link to (optional)').fill(recipient)
      await dialog.getByRole('checkbox', { name: 'Allow downloading' }).check()
      const link = await createLink(page, dialog)
      await page.keyboard.press('Escape')
      const stranger = await openStranger(browser, baseURL)
      const theirs = await stranger.newPage()
      await theirs.goto(link)
      await theirs.getByRole('button', { name: 'View images' }).click()
      await expect(picture(theirs)).toBeVisible({ timeout: 20_000 })
      await theirs.goBack()
      const answered = stranger.waitForEvent('response', (response) => response.url().includes('/Scan/downloads/'))
      await theirs.getByRole('button', { name: 'Download' }).click()
      expect((await answered).status()).toBe(200)
      expect((await answered).headers()['content-type']).toContain('zip')
      await stranger.close()
      await page.reload()
      await revoke(page, recipient)
    },
  )

  test(
    'that opens once opens for whoever knows its password, and for nobody after them [P25]',
    details({
      needs: ['admin', "admin's scans", 'remote-scan', 'quick viewer'],
      writes: 'a share link to a scan of E2E_ADMIN, which is used up at the end',
    }),
    async ({ as, browser, baseURL, gates }) => {
      // Three people and the viewer: slow machines need the time.
      test.slow()
      gates.expectStatus(404, '/Scan/getShared')
      const page = await as('admin', '/scan')
      const dialog = await openShareDialog(page)
      const recipient = newRecipient()
      await dialog.getByLabel('Send the link to (optional)').fill(recipient)
      await dialog.getByLabel('Number of openings (optional)').fill('1')
      await dialog.getByLabel('Link password (optional)').fill('sesame')
      const link = await createLink(page, dialog)
      await page.keyboard.press('Escape')
      const [first, second] = await Promise.all([openStranger(browser, baseURL), openStranger(browser, baseURL)])
      const theirs = await first.newPage()
      await theirs.goto(link)
      await theirs.getByLabel('Password', { exact: true }).fill('sesame')
      await theirs.getByRole('button', { name: 'Open' }).click()
      await expect(theirs.getByText('Patient ID')).toBeVisible()
      const late = await second.newPage()
      await late.goto(link)
      await expect(late.getByRole('alert')).toContainText(ended)
      await expect(theirs.getByRole('alert')).toHaveCount(0)
      await theirs.getByRole('button', { name: 'View images' }).click()
      await expect(picture(theirs)).toBeVisible({ timeout: 20_000 })
      await Promise.all([first.close(), second.close()])
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(rowOf(page, recipient).getByRole('button', { name: 'Revoke' })).toHaveCount(0)
    },
  )

  test(
    'to the studies of two patients tells them apart on its page and in the viewer, and warns beside each other [P25]',
    details({
      needs: ['admin', "admin's scans", 'remote-scan', 'quick viewer'],
      writes: 'a share link to two scans of E2E_ADMIN, which is revoked at the end',
    }),
    async ({ as, browser, baseURL }) => {
      test.slow()
      const page = await as('admin', '/scan/worklist')
      const studies = page.getByRole('table', { name: 'Studies' }).locator('[data-study]:not([data-follows])')
      for (const at of [0, 1]) await studies.nth(at).getByRole('checkbox').check()
      await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Share' })
      await expect(dialog.getByText(/^These scans are of 2 patients\./)).toBeVisible()
      const recipient = newRecipient()
      await dialog.getByLabel('Send the link to (optional)').fill(recipient)
      await dialog.getByRole('checkbox', { name: /^Are you sure you want to share these scans/ }).check()
      await dialog.getByRole('button', { name: 'Create Share Link' }).click()
      const link = await page.getByRole('textbox', { name: 'Share link' }).inputValue()
      await page.keyboard.press('Escape')

      const stranger = await openStranger(browser, baseURL)
      const theirs = await stranger.newPage()
      await theirs.goto(link)
      for (const text of [/^Patient 1 · \d{4}-\d\d-\d\d · /, /^Patient 2 · \d{4}-\d\d-\d\d · /])
        await expect(theirs.getByText(text).first()).toBeVisible()
      await theirs.getByRole('button', { name: 'View images' }).click()
      await expect(picture(theirs)).toBeVisible({ timeout: 20_000 })
      const groups = theirs.getByRole('navigation', { name: 'Series' }).getByRole('region')
      await expect(groups).toHaveCount(2)
      await theirs.getByRole('button', { name: '2×2' }).click()
      // The last pane stays empty: nothing of the other patient comes of itself.
      const last = theirs.getByLabel('Image 4')
      await expect(last).toContainText('No other series of this patient')
      await last.click()
      await groups.nth(1).getByRole('button').first().click()
      await expect(theirs.getByRole('alert')).toContainText('The images beside each other are of different patients.')
      expect(await violations(theirs)).toEqual([])
      await stranger.close()
      await studies.first().getByRole('link').click()
      await revoke(page, recipient)
    },
  )
})
