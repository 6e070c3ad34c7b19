import { details, expect, test } from '../support/journey.ts'

test(
  'remote-complaint takes what is typed and would send it',
  details({ needs: ['staff', 'remote-complaint'], tag: ['@smoke', '@remote-complaint'] }),
  async ({ as, page }) => {
    await as('staff', '/complaint/add')
    await expect(page.getByRole('button', { name: 'Submit' })).toBeDisabled()
    await page.getByLabel('Type', { exact: true }).selectOption({ index: 1 })
    await page.getByLabel('Module', { exact: true }).selectOption({ label: 'Scan' })
    await page.getByLabel('Description', { exact: true }).fill('The list was slow')
    await expect(page.getByRole('button', { name: 'Submit' })).toBeEnabled()
  },
)
