import type { Locator, Page } from 'playwright/test'
import { caller } from './caller.ts'
import { getDeployment } from './deployment.ts'
import { expect } from './journey.ts'

/** Signs in by the calls and opens the viewer on a scan: the journey is about the viewer, not the way to it. */
export async function openViewer(page: Page): Promise<{ noOfImages: number }> {
  const scan = await goToViewer(page)
  await expect(page.locator('.pane:not(.empty)').first()).toBeVisible({ timeout: 20_000 })
  return scan
}

export async function goToViewer(page: Page): Promise<{ noOfImages: number }> {
  const request = page.context().request
  const { headers } = await caller(request, 'staff')
  const scan = getDeployment().stack
  const launch = await request.post('/launch', { headers, data: { imageSetID: scan?.imageSetID } })
  const { data } = (await launch.json()) as { data: { url: string } }
  await page.goto(`${data.url}&sessionId=11111111-2222-4333-8444-555555555555`, { waitUntil: 'commit' })
  return { noOfImages: scan?.noOfImages ?? 0 }
}

export const position = (page: Page): Locator => page.locator('.corner.bottom-left p').first()
