import type { BrowserContext } from 'playwright'
import { account } from '../support/accounts.ts'
import { fetchPage, openSession, parseBlock } from '../support/api.ts'

const patience = { timeout: 120_000 }

/** The image viewer, away from the place where it opens. */
export interface EditedViewer {
  /** Waits until it has a button of this name. */
  shows(name: string): Promise<void>
  /** Waits until it is at the slice, the window and the zoom that were chosen. */
  isAtPlace(): Promise<void>
  close(): Promise<void>
}

interface Scan {
  readonly imageSetID: string
  readonly noOfImages: number
  readonly modality: string
}

/** Opens the viewer on a scan of many pictures. */
export async function openEditedViewer(context: BrowserContext, url: string): Promise<EditedViewer> {
  const settings = parseBlock<{ clientId: string }>(await fetchPage(url), 'dmp-settings')
  const session = await openSession(url, settings?.clientId ?? '', account('staff'))
  if (typeof session === 'string') throw new Error(`Nobody could sign in: ${session}.`)
  const rows = await session.call<Scan[]>('GET', 'Scan/list?page=1&pageSize=100')
  const scan = rows.find(({ modality, noOfImages }) => ['CT', 'MR', 'PT'].includes(modality) && noOfImages > 5)
  if (scan === undefined) throw new Error('The demo has no scan of many pictures.')
  const launch = await context.request.post('/launch', {
    headers: { authorization: `Bearer ${session.accessToken}` },
    data: { imageSetID: scan.imageSetID },
  })
  const page = await context.newPage()
  await page.goto(((await launch.json()) as { data: { url: string } }).data.url)
  const says = (text: RegExp | string) =>
    page.locator('.pane:not(.empty):not(.behind) .corner p', { hasText: text }).first().waitFor(patience)
  await says('Zoom 1.00×')
  // The tool in the hand changes the window.
  await page.mouse.move(600, 400)
  await page.mouse.down()
  await page.mouse.move(700, 450, { steps: 8 })
  await page.mouse.up()
  for (const key of ['Home', 'ArrowDown', '+', '+']) await page.keyboard.press(key)
  for (const text of [/^2 \//, 'Zoom 1.56×']) await says(text)
  const window = await page.locator('.corner.bottom-right p').first().innerText()
  const isAtPlace = async (): Promise<void> => {
    for (const text of [/^2 \//, window, 'Zoom 1.56×']) await says(text)
  }
  return {
    shows: (name) => page.getByRole('button', { name, exact: true }).first().waitFor(patience),
    isAtPlace,
    close: () => page.close(),
  }
}
