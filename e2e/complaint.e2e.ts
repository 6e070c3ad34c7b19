import { details, expect, test } from './support/journey.ts'
import { resolveComplaints } from './support/marked.ts'
import { openRow } from './support/page.ts'

/** One red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)

test.describe('complaints', { tag: '@complaint' }, () => {
  test(
    'staff complains with a picture; the provider answers it [1.04, 2.12, 2.48, 2.49, 2.50, 4.01, 4.02, 5.09, 5.10, 8.09]',
    details({
      needs: ['staff', 'super', 'remote-complaint'],
      writes:
        'a complaint of E2E_STAFF with two mails to that account; it ends Resolved (complaints cannot be deleted)',
    }),
    async ({ as, another, undo }) => {
      const words = `The list was slow at ${new Date().toISOString()}`
      undo('the complaint', async (callAs) => resolveComplaints(await callAs('super'), words))
      const page = await as('staff', '/complaint/add')
      const submit = page.getByRole('button', { name: 'Submit' })
      await expect(submit).toBeDisabled()
      await page.getByLabel('Type', { exact: true }).selectOption({ index: 1 })
      await page.getByLabel('Module', { exact: true }).selectOption({ label: 'Scan' })
      await page.getByLabel('Description', { exact: true }).fill(words)
      await page
        .getByLabel('Image', { exact: true })
        .setInputFiles({ name: 'screen.png', mimeType: 'image/png', buffer: png })
      await submit.click()
      await expect(page.getByText('Complaint has been submitted successfully')).toBeVisible()
      await expect(page).toHaveURL(/\/complaint(\?|$)/)

      const provider = await another('super', '/complaint')
      await openRow(provider, words)
      await expect(provider.getByRole('heading', { level: 1, name: /^Complaint \S+$/ })).toBeVisible()
      await expect(provider.getByRole('img').last()).toBeVisible()
      await provider.getByRole('button', { name: 'Change status' }).click()
      await provider.getByRole('menuitem', { name: 'InProgress' }).click()
      const dialog = provider.getByRole('dialog', { name: 'Change status' })
      await expect(dialog.getByRole('button', { name: 'Submit' })).toBeDisabled()
      await dialog.getByLabel('Comment').fill('We look into it.')
      await dialog.getByRole('button', { name: 'Submit' }).click()
      await expect(provider.getByText('Complaint status updated to InProgress')).toBeVisible()
      await expect(
        provider
          .getByRole('table', { name: 'Status History' })
          .getByRole('row')
          .filter({ hasText: 'We look into it.' }),
      ).toBeVisible()
      await provider.getByRole('button', { name: 'Change severity' }).click()
      await provider.getByRole('menuitem', { name: 'Critical' }).click()
      await expect(provider.getByText('Complaint severity updated to Critical')).toBeVisible()
    },
  )

  test(
    'Clear empties the form, and a picture that is none is refused [2.50, 5.09]',
    details({ needs: ['staff', 'remote-complaint'] }),
    async ({ as }) => {
      const page = await as('staff', '/complaint/add')
      await page.getByLabel('Description', { exact: true }).fill('half a thought')
      await page
        .getByLabel('Image', { exact: true })
        .setInputFiles({ name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') })
      await expect(page.getByText('Only image files are allowed.')).toBeVisible()
      await page.getByRole('button', { name: 'Clear' }).click()
      await expect(page.getByLabel('Description', { exact: true })).toHaveValue('')
    },
  )

  test(
    'a half-written complaint survives a reload [P27]',
    details({ needs: ['staff', 'remote-complaint'] }),
    async ({ as }) => {
      const page = await as('staff', '/complaint/add')
      await page.getByLabel('Description', { exact: true }).fill('a long story that took ten minutes')
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await expect(page.getByLabel('Description', { exact: true })).toHaveValue('a long story that took ten minutes')
    },
  )
})
