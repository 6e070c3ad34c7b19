import type { APIRequestContext } from 'playwright/test'
import { caller } from './support/caller.ts'
import { getAccountState } from './support/deployment.ts'
import { freshUid, toStoreRequest } from './support/dicomFile.ts'
import { details, expect, test } from './support/journey.ts'
import { deleteScans } from './support/marked.ts'
import { farthest, quarteredObjects, readQuarters } from './support/quarteredObjects.ts'

async function store(request: APIRequestContext, headers: Record<string, string>, file: Buffer): Promise<void> {
  const { body, contentType } = toStoreRequest([file])
  const stored = await request.post('/dicom-web/studies', {
    headers: { ...headers, 'content-type': contentType, accept: 'application/dicom+json' },
    data: body,
  })
  expect(stored.status()).toBe(200)
}

const seeing = details({
  needs: ['admin', 'quick viewer'],
  tag: '@viewer',
  writes: 'small scans in the organization of E2E_ADMIN, who deletes them at the end',
})

test.describe('pixels in the image viewer', seeing, () => {
  for (const { name, file, quarters } of quarteredObjects) {
    test(`${name} look as they are [7.42]`, async ({ page, undo }) => {
      const { organizationId = '' } = getAccountState('admin') ?? {}
      const patientID = `J${freshUid().slice(-12)}`
      undo('the scan', async (callAs) => deleteScans(await callAs('admin'), organizationId, patientID))
      const { request } = page.context()
      const { headers, call } = await caller(request, 'admin')
      const identity = { patientName: 'Journey^Pixels', patientID, studyUID: freshUid(), seriesUID: freshUid() }
      await store(request, headers, file(identity))
      const [row] = await call<{ imageSetID: string }[]>('GET', `Scan/list?page=1&pageSize=10&search=${patientID}`)
      const launch = await request.post('/launch', { headers, data: { imageSetID: row?.imageSetID } })
      const { data } = (await launch.json()) as { data: { url: string } }
      await page.goto(`${data.url}&sessionId=11111111-2222-4333-8444-555555555555`)
      await expect(page.locator('.pane:not(.empty)').first()).toBeVisible()
      const canvas = page.locator('.picture canvas').first()
      await expect.poll(async () => farthest(await canvas.evaluate(readQuarters), quarters)).toBeLessThan(12)
    })
  }
})
