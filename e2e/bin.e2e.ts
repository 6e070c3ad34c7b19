import type { APIRequestContext, Locator, Page } from 'playwright/test'
import type { Call } from './support/api.ts'
import { caller } from './support/caller.ts'
import { getAccountState } from './support/deployment.ts'
import { aDicomFile, freshUid, toStoreRequest } from './support/dicomFile.ts'
import { details, expect, test } from './support/journey.ts'
import { deleteScans } from './support/marked.ts'

const unique = (): string => `Bin-${Date.now().toString(36)}`

async function store(request: APIRequestContext, patientID: string, studyUID: string): Promise<void> {
  const { headers } = await caller(request, 'admin')
  const identity = { patientName: `${patientID}^Journey`, patientID, studyUID, seriesUID: freshUid() }
  const { body, contentType } = toStoreRequest([aDicomFile(identity)])
  const stored = await request.post('/dicom-web/studies', {
    headers: { ...headers, 'content-type': contentType },
    data: body,
  })
  expect(stored.status()).toBe(200)
}

/** Whatever became of the scan: no hold, no scan, nothing in the bin. */
async function takeAway(call: Call, patientID: string, studyUID: string): Promise<void> {
  const { organizationId } = getAccountState('admin')
  const holds = await call<{ id: string; endedDate: string | null }[]>('GET', `Scan/listHolds?studyUID=${studyUID}`)
  for (const { id, endedDate } of holds) if (endedDate === null) await call('PUT', `Scan/endHold/${id}`)
  await deleteScans(call, organizationId, patientID)
  const rows = await call<{ id: string; studyUID: string }[]>(
    'GET',
    `Scan/listBin?page=1&pageSize=50&search=${encodeURIComponent(patientID)}`,
  )
  const ids = rows.filter((row) => row.studyUID === studyUID).map(({ id }) => id)
  if (ids.length > 0) await call('DELETE', `Scan/purge/${organizationId}`, { ids })
}

async function openScan(page: Page, patientID: string): Promise<void> {
  await page.goto(`/scan?searchTerm=${patientID}`)
  await page
    .getByRole('table', { name: 'Scans' })
    .getByRole('link', { name: /Journey/ })
    .click()
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeVisible()
}

/** Types the phrase into the dialog of the name and presses its button. */
async function confirmByPhrase(page: Page, name: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name, exact: true })
  await dialog.getByRole('textbox').fill('permanently delete')
  await dialog.getByRole('button', { name, exact: true }).click()
  return dialog
}

async function deleteOpened(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await confirmByPhrase(page, 'Delete')
  await expect(page.getByText('Scan deleted')).toBeVisible()
}

/** Goes to the bin and finds the patient there. */
async function findInBin(page: Page, patientID: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Bin', exact: true }).click()
  await page.getByRole('search', { name: 'Deleted scans' }).getByRole('searchbox').fill(patientID)
  const rows = page.getByRole('table', { name: 'Deleted scans' }).getByRole('row')
  const row = rows.filter({ hasText: patientID })
  await expect(row).toBeVisible()
  return row
}

test.describe('the bin', { tag: '@scan' }, () => {
  const needs = ['admin', 'bin', 'remote-scan'] as const
  const writes = 'a scan in the organization of E2E_ADMIN, which is deleted for good at the end'

  test(
    'has a deleted scan, which an administrator restores [P54]',
    details({ needs, writes }),
    async ({ as, request, undo }) => {
      test.slow()
      const [patientID, studyUID] = [unique(), freshUid()]
      undo('the scan', async (callAs) => takeAway(await callAs('admin'), patientID, studyUID))
      await store(request, patientID, studyUID)
      const page = await as('admin', '/scan')
      await openScan(page, patientID)
      await deleteOpened(page)
      await expect(page.getByText('No record found with the filter term.')).toBeVisible()

      const row = await findInBin(page, patientID)
      await row.getByRole('button', { name: /^Restore / }).click()
      await expect(page.getByText('Scan restored')).toBeVisible()
      await expect(row).toHaveCount(0)
      await openScan(page, patientID)
      await expect(page.getByText('Total Slice Count').locator('xpath=following-sibling::*')).toHaveText('1')
    },
  )

  test(
    'neither takes a study under legal hold nor lets it go, until the hold is ended [P54]',
    details({ needs, writes }),
    async ({ as, gates, request, undo }) => {
      test.slow()
      gates.expectStatus(409, '/Scan/delete')
      const [patientID, studyUID] = [unique(), freshUid()]
      undo('the scan', async (callAs) => takeAway(await callAs('admin'), patientID, studyUID))
      await store(request, patientID, studyUID)
      const page = await as('admin', '/scan')
      await openScan(page, patientID)
      const hold = async (reason: string): Promise<void> => {
        const dialog = page.getByRole('dialog', { name: 'Legal hold' })
        await dialog.getByLabel('Reason').fill(reason)
        await dialog.getByRole('button', { name: 'Put under legal hold' }).click()
        await expect(dialog).toHaveCount(0)
      }
      const endHold = async (): Promise<void> => {
        await page.getByRole('button', { name: /^End the legal hold of / }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'End legal hold' }).click()
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }

      await page.getByRole('button', { name: 'Put under legal hold…' }).click()
      await hold('The court has asked.')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      const refused = await confirmByPhrase(page, 'Delete')
      await expect(refused.getByRole('alert')).toContainText('The court has asked.')
      await page.keyboard.press('Escape')
      await endHold()
      await deleteOpened(page)

      const row = await findInBin(page, patientID)
      const more = row.getByRole('button', { name: /^More for / })
      await more.click()
      await row.getByRole('menuitem', { name: 'Put under legal hold…' }).click()
      await hold('The court asks again.')
      await expect(row).toContainText('The court asks again.')
      await expect(more).toHaveCount(0)
      await page.getByRole('search', { name: 'Legal holds' }).getByRole('searchbox').fill(patientID)
      await endHold()
      await more.click()
      await row.getByRole('menuitem', { name: 'Delete for good…' }).click()
      await confirmByPhrase(page, 'Delete for good')
      await expect(page.getByText(/^Deleted for good\./)).toBeVisible()
      await expect(row).toHaveCount(0)
    },
  )
})
