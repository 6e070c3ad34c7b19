import type { BrowserContext, Page } from 'playwright'
import { account } from '../support/accounts.ts'
import { fetchPage, openSession, parseBlock } from '../support/api.ts'

const patience = { timeout: 120_000 }

/** The image viewer, away from the place where it opens, while its sources are edited. */
export interface EditedViewer {
  /** Waits until it has a button of this name. */
  shows(name: string): Promise<void>
  /** Waits until its heading is drawn in this colour; the stage that asks has an end of its own. */
  isDrawnIn(color: string): Promise<void>
  openHelp(): Promise<void>
  /** Waits until the page was left and is there again. */
  isLoadedAnew(): Promise<void>
  /** Waits until it is at the slice, window, zoom and tool that were chosen, and returns what else was lost. */
  losses(): Promise<string[]>
  close(): Promise<void>
}

interface Styled {
  getComputedStyle(node: unknown): { readonly color: string }
}

interface Scan {
  readonly imageSetID: string
  readonly noOfImages: number
  readonly modality: string
}

/** Opens the viewer on a scan of many pictures. */
export async function openEditedViewer(context: BrowserContext, url: string): Promise<EditedViewer> {
  const page = await context.newPage()
  await page.goto(await launch(context, url))
  const says = (text: RegExp | string) =>
    page.locator('.pane:not(.empty):not(.behind) .corner p', { hasText: text }).first().waitFor(patience)
  await says('Zoom 1.00×')
  await changeWindow(page)
  for (const key of ['Home', 'ArrowDown', '+', '+', 'p']) await page.keyboard.press(key)
  await says(/^2 \//)
  await says('Zoom 1.56×')
  const window = await page.locator('.corner.bottom-right p').first().innerText()
  await page.evaluate(() => Object.assign(globalThis, { wasNeverLeft: true }))
  const help = page.getByRole('dialog', { name: 'Keyboard and mouse' })
  let isHelpOpen = false
  return {
    shows: (name) =>
      page
        .getByRole('button', { name, exact: true })
        .first()
        .waitFor({ ...patience, state: 'attached' }),
    isDrawnIn: async (color) => {
      const heading = page.getByRole('heading', { level: 1 })
      const read = (): Promise<string> =>
        heading.evaluate((node) => (globalThis as unknown as Styled).getComputedStyle(node).color)
      while ((await read()) !== color) await page.waitForTimeout(20)
    },
    openHelp: async () => {
      await page.keyboard.press('?')
      await help.waitFor(patience)
      isHelpOpen = true
    },
    isLoadedAnew: async () => {
      await page.waitForFunction(() => !('wasNeverLeft' in globalThis), undefined, patience)
    },
    losses: async () => {
      for (const text of [/^2 \//, window, 'Zoom 1.56×']) await says(text)
      await page.locator('button[aria-label="Pan"][aria-pressed="true"]').waitFor({ ...patience, state: 'attached' })
      if (isHelpOpen) await help.waitFor(patience)
      const wasNeverLeft = await page.evaluate(() => 'wasNeverLeft' in globalThis)
      return wasNeverLeft ? [] : ['The viewer was loaded anew.']
    },
    close: () => page.close(),
  }
}

/** The address of the viewer for a scan of many pictures. */
async function launch(context: BrowserContext, url: string): Promise<string> {
  const settings = parseBlock<{ clientId: string }>(await fetchPage(url), 'dmp-settings')
  const session = await openSession(url, settings?.clientId ?? '', account('staff'))
  if (typeof session === 'string') throw new Error(`Nobody could sign in: ${session}.`)
  const rows = await session.call<Scan[]>('GET', 'Scan/list?page=1&pageSize=100')
  const scan = rows.find(({ modality, noOfImages }) => ['CT', 'MR', 'PT'].includes(modality) && noOfImages > 5)
  if (scan === undefined) throw new Error('The demo has no scan of many pictures.')
  const answer = await context.request.post('/launch', {
    headers: { authorization: `Bearer ${session.accessToken}` },
    data: { imageSetID: scan.imageSetID },
  })
  return ((await answer.json()) as { data: { url: string } }).data.url
}

/** The tool in the hand, drawn over the picture. */
async function changeWindow(page: Page): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.pane .picture').boundingBox()) ?? {}
  const [left, top] = [x + width / 2, y + height / 2]
  await page.mouse.move(left, top)
  await page.mouse.down()
  await page.mouse.move(left + 60, top + 40, { steps: 8 })
  await page.mouse.up()
}
