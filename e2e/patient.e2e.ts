import { details, expect, test } from './support/journey.ts'

test.describe('a patient', { tag: '@scan' }, () => {
  test(
    'has all studies on one page, and says who looked at them, with the record of each look [P23, P24]',
    details({ needs: ['admin', 'scans', 'remote-scan', 'remote-audit'], tag: '@desktop' }),
    async ({ as }) => {
      const page = await as('admin', '/scan/worklist')
      const row = page.getByRole('table', { name: 'Studies' }).locator('[data-study]').first()
      await row.locator('.worklist-patient').getByRole('link').click()
      const header = page.getByRole('group', { name: 'Patient' })
      const name = await header.locator('strong').innerText()
      await page.getByRole('link', { name: 'All studies of this patient' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
      await expect(page).toHaveURL(/\/scan\/patient\/[\w-]+\/[\d.]+$/)
      expect(await page.title()).not.toContain(name.split(',')[0])
      await expect(page.getByRole('heading', { name: /^\d+ stud(y|ies)$/ })).toBeVisible()
      await expect(page.locator('.patient-timeline > li[aria-current=true]')).toHaveCount(
        (await page.locator('.patient-timeline > li').count()) > 1 ? 1 : 0,
      )
      const look = page.locator('.dmp-activity li').filter({ hasText: 'viewed' }).first()
      await expect(look).toBeVisible()
      await look.getByTitle('Its record in the audit').click()
      await expect(page).toHaveURL(/\/audit\/detail\//)
      await expect(page.getByText('Scan viewed').first()).toBeVisible()
      await page.goBack()
      await page.getByRole('link', { name: 'Records in the audit' }).click()
      await expect(page.getByText('Records about the patient')).toContainText(name)
      await expect(page.getByRole('table', { name: 'Audit' })).toContainText('Scan viewed')
      await page.getByRole('button', { name: 'Show all records' }).click()
      await expect(page).toHaveURL(/\/audit$/)
    },
  )
})
