import { violations } from './support/axe.ts'
import { account } from './support/accounts.ts'
import { getAccountState } from './support/deployment.ts'
import { aDicomFile, freshUid } from './support/dicomFile.ts'
import { details, expect, test } from './support/journey.ts'
import { deleteScans } from './support/marked.ts'
import { startReceiver } from './support/receiver.ts'

interface Row {
  readonly id: string
}

test.describe('a webhook', { tag: ['@account', '@a11y'] }, () => {
  test(
    'is made for a receiver, told of an upload, looked at, replayed and deleted [P49]',
    details({
      needs: ['admin', 'remote-account', 'own receiver'],
      writes: 'a webhook and a scan of E2E_ADMIN, which are deleted at the end',
    }),
    async ({ as, undo }) => {
      // Uploaded, told, looked at, replayed: slow machines need the time.
      test.slow()
      const name = `Journey ${Date.now().toString(36)}`
      const patientID = `W-${Date.now()}`
      const receiver = await startReceiver()
      undo(`the webhook ${name} and its scan`, async (callAs) => {
        await receiver.close()
        const call = await callAs('admin')
        const rows = await call<Row[]>('GET', `Webhook/list?page=1&pageSize=10&search=${encodeURIComponent(name)}`)
        for (const { id } of rows) await call('DELETE', `Webhook/delete/${id}`)
        await deleteScans(call, getAccountState('admin').organizationId, patientID)
      })
      const page = await as('admin', '/account/webhooks')
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'New webhook' }).click()
      const dialog = page.getByRole('dialog', { name: 'New webhook' })
      await dialog.getByLabel('Name', { exact: true }).fill(name)
      await dialog.getByLabel('Address', { exact: true }).fill(receiver.url)
      await dialog.getByRole('checkbox', { name: 'A series arrives', exact: true }).check()
      // A series that becomes quiet, or is deleted, would be told as well.
      for (const other of [/^A series is complete/, /^A series is deleted/])
        await dialog.getByRole('checkbox', { name: other }).uncheck()
      await dialog.getByLabel('Your password').fill(account('admin').password)
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Create webhook' }).press('Enter')
      const shown = page.getByRole('dialog', { name: `Secret for ${name}` })
      const secret = await shown.getByLabel('Secret', { exact: true }).inputValue()
      expect(secret).toMatch(/^whsec_/)
      await shown.getByRole('button', { name: 'Close' }).last().click()
      expect(await page.content()).not.toContain(secret)

      const ids = { patientName: 'Journey^Webhook', patientID, studyUID: freshUid(), seriesUID: freshUid() }
      const buffer = aDicomFile(ids)
      await page.goto('/scan')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      const files = page.getByLabel('Files', { exact: true })
      await files.setInputFiles([{ name: '1.dcm', mimeType: 'application/octet-stream', buffer }])
      await expect(page.getByRole('heading', { name: 'Upload finished' })).toBeVisible()
      await expect.poll(() => receiver.findVerified(secret, ids.seriesUID).length).toBe(1)

      await page.goto('/account/webhooks')
      await page.getByRole('table', { name: 'Webhooks' }).getByRole('link', { name }).click()
      const deliveries = page.getByRole('table', { name: 'Deliveries' })
      await expect(deliveries.getByText(/^204 in \d+ ms$/).first()).toBeVisible()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page)).toEqual([])
      }
      for (const width of [360, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      }
      await page.getByRole('button', { name: 'Send a test' }).click()
      await expect(deliveries.getByRole('link', { name: 'Test' })).toBeVisible()
      // Others upload meanwhile, and their series are told as well: the id of the message tells them apart.
      const [told] = receiver.findVerified(secret, ids.seriesUID)
      await deliveries.locator(`a[href$="/${told?.id}"]`).first().click()
      await expect(page.getByText(ids.seriesUID).first()).toBeVisible()
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Replay', exact: true }).click()
      await expect.poll(() => receiver.findVerified(secret, ids.seriesUID).length).toBe(2)
      const [first, again] = receiver.findVerified(secret, ids.seriesUID)
      expect(again).toEqual(first)

      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name }).click()
      await page.getByRole('button', { name: 'Delete webhook' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
      await expect(page.getByText(`${name} deleted`)).toBeVisible()
      await expect(page.getByRole('link', { name })).toHaveCount(0)
    },
  )
})
