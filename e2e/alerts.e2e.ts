import type { Page } from 'playwright/test'
import type { Account } from './support/accounts.ts'
import { addCustomer } from './support/colleague.ts'
import { aDicomFile, freshUid, toStoreRequest } from './support/dicomFile.ts'
import { details, expect, fillIn, test } from './support/journey.ts'
import { deactivateOrganization, markedAddress } from './support/marked.ts'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

async function signIn(page: Page, who: Account): Promise<void> {
  await page.goto('/login')
  await fillIn(page, who)
  await page.waitForURL('**/dashboard')
}

test.describe('alerts about looks at patients', { tag: '@audit' }, () => {
  test(
    'an administrator chooses hours, is told of a look outside of them, and says what came of it [P72]',
    details({
      needs: ['super', 'mailbox', 'remote-audit', 'remote-organization', 'remote-scan'],
      writes: 'an organization Hours-… with two people and a scan; the organization is deactivated at the end',
    }),
    async ({ page, browser, baseURL, request, undo }) => {
      // A new customer, two people, and a server that looks at intervals: slow machines need the time.
      test.setTimeout(240_000)
      const name = `Hours-${Date.now().toString(36)}`
      undo(`the organization ${name}`, async (callAs) => deactivateOrganization(await callAs('super'), name))
      const customer = await addCustomer(request, {
        name,
        adminEmail: markedAddress('ada'),
        staffEmail: markedAddress('jo'),
      })
      const ids = { patientName: 'Journey^Hours', patientID: name, studyUID: freshUid(), seriesUID: freshUid() }
      const { body, contentType } = toStoreRequest([aDicomFile(ids)])
      const headers = { ...customer.headers, 'content-type': contentType }
      const stored = await request.post('/dicom-web/studies', { headers, data: body })
      expect(stored.status()).toBe(200)

      await signIn(page, customer.admin)
      await page.goto('/account/organization')
      await page.getByRole('button', { name: 'Change rules' }).click()
      const rules = page.getByRole('dialog', { name: 'Rules for alerts' })
      const hours = rules.getByRole('group', { name: 'Out of hours' })
      await hours.getByRole('checkbox', { name: 'Tell of it' }).check()
      await hours.getByLabel('From so many different patients').fill('1')
      // Open on one day only, which is neither today nor tomorrow in any zone.
      const open = days[(new Date().getUTCDay() + 3) % 7] ?? ''
      for (const day of days) await hours.getByRole('checkbox', { name: day }).setChecked(day === open)
      await rules.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Rules saved')).toBeVisible()
      await expect(page.getByText(`A patient outside of ${open}, 07:00–19:00`)).toBeVisible()

      const theirs = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
      await signIn(theirs, customer.staff)
      await theirs.goto('/scan')
      await theirs.getByRole('table', { name: 'Scans' }).getByRole('link').first().click()
      await page.goto('/inbox')
      const told = page.getByRole('link', { name: /Jo Journey opened a patient out of hours\./ })
      // What happened before the server began to watch a new organization is not told, so the look is repeated.
      await expect(async () => {
        await theirs.reload()
        await expect(theirs.getByRole('button', { name: 'Collapse all' })).toBeVisible()
        await expect(told).toBeVisible({ timeout: 25_000 })
      }).toPass({ timeout: 150_000 })
      await theirs.context().close()

      await told.click()
      await expect(page).toHaveURL(/\/audit\/alerts\/[0-9a-f-]{36}$/)
      await expect(page.getByRole('link', { name: /Jo Journey/ }).first()).toBeVisible()
      await expect(page.getByText(/Jo Journey viewed CT/).first()).toBeVisible()
      await page.getByRole('button', { name: 'Looked into…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Looked into' })
      await dialog.getByLabel('What you found out').fill('She was on call.')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('The alert is closed')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Looked into…' })).toHaveCount(0)

      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Alerts' }).click()
      const row = page.getByRole('table', { name: 'Alerts' }).getByRole('row').nth(1)
      await expect(row).toContainText('She was on call.')
      await expect(row).toContainText('Looked into')
    },
  )
})
