import type { Page } from 'playwright/test'
import { getAccountState } from './support/deployment.ts'
import { aDicomFile, freshUid } from './support/dicomFile.ts'
import { details, expect, test } from './support/journey.ts'
import { deleteScans } from './support/marked.ts'

/** Opens the first scan of the list. */
async function openFirst(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Scans' }).getByRole('link').first().click()
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeVisible()
}

test.describe('work on scans', { tag: '@scan' }, () => {
  test(
    'a scan is downloaded after a question [5.14, 7.38, 8.09]',
    details({ needs: ['staff', 'scans', 'remote-scan'] }),
    async ({ as, context }) => {
      const page = await as('staff', '/scan')
      await openFirst(page)
      await page.getByRole('button', { name: 'Download', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Download' })
      await expect(dialog.getByRole('button', { name: 'Download' })).toBeDisabled()
      await dialog.getByRole('checkbox').check()
      const answered = context.waitForEvent('response', (response) => response.url().includes('/Scan/downloads/'))
      await dialog.getByRole('button', { name: 'Download' }).click()
      await expect(page.getByText('Download started')).toBeVisible()
      expect((await answered).headers()['content-disposition']).toContain('attachment')
    },
  )

  test(
    'files are uploaded, found, and deleted for good [1.07, 5.15, 8.09]',
    details({
      needs: ['admin', 'remote-scan'],
      writes: 'a scan in the organization of E2E_ADMIN, which is deleted at the end',
    }),
    async ({ as, gates, undo }) => {
      // Uploaded, found, opened and deleted: slow machines need the time.
      test.slow()
      gates.expectStatus(404, '/Scan/get')
      const patientID = `J-${Date.now()}`
      undo('the scan', async (callAs) =>
        deleteScans(await callAs('admin'), getAccountState('admin').organizationId, patientID),
      )
      const ids = { patientName: 'Journey^Upload', patientID, studyUID: freshUid(), seriesUID: freshUid() }
      const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
      const page = await as('admin', '/scan')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      await page
        .getByLabel('Files', { exact: true })
        .setInputFiles([
          file('1.dcm', aDicomFile(ids)),
          file('2.dcm', aDicomFile(ids)),
          file('notes.txt', Buffer.from('not an image')),
          file('letter.pdf', Buffer.from('not an image')),
        ])
      await expect(page.getByRole('heading', { name: 'Upload finished' })).toBeVisible({ timeout: 20_000 })
      const series = page.getByRole('table', { name: 'Series' })
      await expect(
        series.getByRole('row', { name: new RegExp(`Journey, Upload · ${patientID}.*2 of 2`) }),
      ).toBeVisible()
      const refused = page.getByRole('table', { name: 'Refused files' })
      await expect(refused.getByText('letter.pdf')).toBeVisible()
      await expect(refused.getByText('This is not a DICOM file')).toBeVisible()
      // What lies beside images in any folder is none of its faults.
      await expect(refused.getByText('notes.txt')).toHaveCount(0)

      await page.goto(`/scan?searchTerm=${patientID}`)
      const row = page.getByRole('table', { name: 'Scans' }).getByRole('row').nth(1)
      await expect(row.getByText('Journey, Upload')).toBeVisible()
      await row.getByRole('link').click()
      await expect(page.getByText('Total Slice Count').locator('xpath=following-sibling::*')).toHaveText('2')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete' })
      await dialog.getByRole('textbox').fill('permanently')
      await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled()
      await dialog.getByRole('textbox').fill('permanently delete')
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByText('Scan deleted')).toBeVisible()
      await expect(page).toHaveURL(/\/scan(\?|$)/)
      await expect(page.getByText('No record found with the filter term.')).toBeVisible()
    },
  )

  test(
    'a large file goes on after a reload where it was, when it is chosen again [1.07, 5.15]',
    details({
      needs: ['admin', 'remote-scan'],
      writes: 'a scan in the organization of E2E_ADMIN, which is deleted at the end',
    }),
    async ({ as, undo }) => {
      const patientID = `L-${Date.now()}`
      undo('the scan', async (callAs) =>
        deleteScans(await callAs('admin'), getAccountState('admin').organizationId, patientID),
      )

      const buffer = aDicomFile(
        { patientName: 'Journey^Large', patientID, studyUID: freshUid(), seriesUID: freshUid() },
        2048,
      )
      const choose = () =>
        page
          .getByLabel('Files', { exact: true })
          .setInputFiles([{ name: 'large.dcm', mimeType: 'application/octet-stream', buffer }])
      const page = await as('admin', '/scan/upload')
      // The page asks before it is left while something is on its way.
      page.on('dialog', (dialog) => void dialog.accept())
      const line = await page.context().newCDPSession(page)
      await line.send('Network.enable')
      const upload = (uploadThroughput: number) =>
        line.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput,
        })
      await upload(1_500_000)
      await choose()
      await expect
        .poll(async () => Number(await page.getByRole('progressbar').first().getAttribute('aria-valuenow')))
        .toBeGreaterThan(40)
      await page.reload()
      await upload(-1)
      const [rest] = await Promise.all([page.waitForRequest((request) => request.method() === 'PATCH'), choose()])
      expect(Number(rest.headers()['upload-offset']), 'bytes that are not sent again').toBeGreaterThan(0)
      await expect(page.getByRole('heading', { name: 'Upload finished' })).toBeVisible()
    },
  )
})
