import { getAccountState } from './support/deployment.ts'
import { aDicomFile, freshUid } from './support/dicomFile.ts'
import { details, expect, test } from './support/journey.ts'
import { deleteScans } from './support/marked.ts'

/** The folder that takes pictures of the screen at each width; none without it. */
const folder = process.env.E2E_CONFLICT_PICTURES

test.describe('conflicts of scans', { tag: '@scan' }, () => {
  test(
    'a second patient in a study is refused, told to who uploads, shown beside the first, and settled [P32]',
    details({
      needs: ['admin', 'remote-scan'],
      writes: 'a scan in the organization of E2E_ADMIN, which is deleted at the end with its conflict',
    }),
    async ({ as, gates, undo }) => {
      test.slow()
      gates.expectStatus(409, '/dicom-web/studies')
      const patientID = `K-${Date.now()}`
      undo('the scan', async (callAs) =>
        deleteScans(await callAs('admin'), getAccountState('admin').organizationId, patientID),
      )
      const studyUID = freshUid()
      const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
      const first = aDicomFile({ patientName: 'Journey^First', patientID, studyUID, seriesUID: freshUid() })
      const second = aDicomFile({
        patientName: 'Journey^Second',
        patientID: `${patientID}-2`,
        studyUID,
        seriesUID: freshUid(),
      })
      const page = await as('admin', '/scan/upload')
      const upload = async (name: string, bytes: Buffer) => {
        await page.getByLabel('Files', { exact: true }).setInputFiles([file(name, bytes)])
        await expect(page.getByRole('heading', { name: 'Upload finished' })).toBeVisible({ timeout: 20_000 })
      }
      await upload('first.dcm', first)
      await page.getByRole('button', { name: 'Clear list' }).click()
      await upload('second.dcm', second)
      await expect(page.getByText(/This study is stored as another patient's\. The image was not stored/)).toBeVisible()

      await page.goto('/scan')
      await page.getByRole('button', { name: 'Conflicts', exact: true }).click()
      // Both pages have a search.
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Conflicts')
      await page.getByRole('searchbox', { name: 'Search' }).fill(patientID)
      const compare = page.getByRole('button', { name: new RegExp(`Compare .*${patientID} with .*${patientID}-2`) })
      await expect(compare).toBeVisible()
      for (const width of folder ? [1920, 1280, 768, 360] : []) {
        await page.setViewportSize({ width, height: 900 })
        await page.screenshot({ path: `${folder}/list-${width}.png`, fullPage: true })
      }
      // By the keyboard alone.
      await compare.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Another patient in a study' })
      await expect(dialog.getByRole('row', { name: /Patient ID/ })).toContainText(`${patientID}-2`)
      for (const width of folder ? [1920, 1280, 768, 360] : []) {
        await page.setViewportSize({ width, height: 900 })
        await page.screenshot({ path: `${folder}/compare-${width}.png` })
      }
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await dialog.getByRole('button', { name: 'Mark as settled' }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByText('Conflict marked as settled')).toBeVisible()
      await expect(compare).toHaveCount(0)
    },
  )
})
