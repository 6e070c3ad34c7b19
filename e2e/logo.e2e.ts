import type { OrganizationLogo } from '@dmp/contract/organization'
import { caller } from './support/caller.ts'
import { getAccountState } from './support/deployment.ts'
import { freshUid } from './support/dicomFile.ts'
import { details, expect, test } from './support/journey.ts'

/** Draws a banner in the page, as somebody's picture program does. */
const banner = `(() => {
  const canvas = document.createElement('canvas')
  canvas.width = 300
  canvas.height = 100
  const pen = canvas.getContext('2d')
  pen.fillStyle = '#105090'
  pen.fillRect(0, 0, 300, 100)
  return canvas.toDataURL('image/png')
})()`

test.describe("an organization's logo", { tag: '@organization' }, () => {
  test(
    'is set by its administrator, stands on the page of a link that a stranger opens, and goes again [P55]',
    details({
      needs: ['admin', "admin's scans", 'remote-organization', 'remote-scan'],
      writes:
        'another logo of the organization of E2E_ADMIN, for a moment, and a share link to one of its scans, which is revoked',
    }),
    async ({ as, browser, baseURL, request, undo }) => {
      test.slow()
      const { organizationId, organization } = getAccountState('admin')
      const { call } = await caller(request, 'admin')
      const before = await call<OrganizationLogo | null>('GET', `Organization/getLogo?id=${organizationId}`)
      undo('the logo', async (callAs) => {
        const mine = await callAs('admin')
        const now = await mine<OrganizationLogo | null>('GET', `Organization/getLogo?id=${organizationId}`)
        if (before === null) return now && mine('DELETE', `Organization/removeLogo/${organizationId}`)
        const { dataURL: fileDataURL } = before
        const imageData = { filename: 'logo.png', filesize: atob(fileDataURL.split(',')[1] ?? '').length, fileDataURL }
        return mine('PUT', `Organization/setLogo/${organizationId}`, { imageData })
      })

      const page = await as('admin', '/account/organization')
      await page.getByRole('button', { name: before === null ? 'Add logo' : 'Change logo' }).click()
      const dialog = page.getByRole('dialog', { name: 'Logo' })
      const buffer = Buffer.from(((await page.evaluate(banner)) as string).split(',')[1] ?? '', 'base64')
      await dialog
        .getByLabel('Picture', { exact: true })
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Logo changed')).toBeVisible()
      const shown = page.getByRole('img', { name: `Logo of ${organization}` })
      await expect(shown).toBeVisible()
      const picture = await shown.getAttribute('src')

      const recipient = `${freshUid().replaceAll('.', '-')}@qa.invalid`
      await page.goto('/scan')
      await page.getByRole('table', { name: 'Scans' }).getByRole('link').first().click()
      await page.getByRole('button', { name: 'Share', exact: true }).click()
      const share = page.getByRole('dialog', { name: 'Share' })
      await share.getByLabel('Send the link to (optional)').fill(recipient)
      await share.getByRole('checkbox', { name: /Are you sure/ }).check()
      await share.getByRole('button', { name: 'Create Share Link' }).click()
      const link = await page.getByRole('textbox', { name: 'Share link' }).inputValue()
      await page.keyboard.press('Escape')
      const scanAddress = page.url()

      const theirs = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
      await theirs.goto(link)
      const head = theirs.getByRole('img', { name: organization, exact: true })
      await expect(head).toHaveAttribute('src', picture ?? '')
      expect(await head.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

      await page.goto('/account/organization')
      await page.getByRole('button', { name: 'Remove logo' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expect(page.getByText('No logo yet.')).toBeVisible()
      await theirs.reload()
      await expect(theirs.getByText(/has shared medical images with you/)).toBeVisible()
      await expect(head).toHaveCount(0)
      await theirs.context().close()

      await page.goto(scanAddress)
      const links = page.getByRole('table', { name: 'Active share links' }).getByRole('row')
      await links.filter({ hasText: recipient }).getByRole('button', { name: 'Revoke' }).click()
      const question = page.getByRole('dialog', { name: 'Revoke the share link' })
      await question.getByRole('button', { name: 'Revoke' }).click()
      await expect(page.getByText('Share link revoked')).toBeVisible()
    },
  )
})
