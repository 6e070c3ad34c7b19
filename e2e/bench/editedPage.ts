import type { Browser, BrowserContext, Locator, Page, WebSocket } from 'playwright'
import { openEditedViewer, type EditedViewer } from './editedViewer.ts'
import { findSource } from './findSource.ts'
import { signIn } from './openPages.ts'

/** Types are checked with the processor's leavings, of which a busy machine has few. */
const patience = { timeout: 600_000 }
const typed = 'a story that goes on while the page changes'
/** No longer than a name may be. */
const typedName = 'a name that is half typed'
/** What the development server draws over the page when something does not compile. */
const overlay = '#webpack-dev-server-client-overlay'
/** Of the hot updates; every other channel is the product's. */
const hotChannel = '/releases/hot'

/** A page with something typed into its form, while its sources are edited. */
export interface EditedPage {
  /** Waits until the page shows a text. */
  shows(text: string): Promise<void>
  /** Goes to an address until it shows a text: the server may still be starting anew. */
  showsAt(path: string, text: string): Promise<void>
  /** Waits until the page does not show a text any more. */
  isWithout(text: string): Promise<void>
  /** Waits until the page says what is wrong, and returns that. */
  showsProblem(text: string): Promise<string>
  showsNoProblem(): Promise<void>
  /** Waits until the page was left and is there again. */
  isLoadedAnew(): Promise<void>
  /** Where the browser's debugger shows a text of the running code. */
  findSource(text: string): Promise<string>
  /** What the page has lost of its state since it was opened, one sentence each. */
  losses(): Promise<string[]>
  /** Live channels that the page has opened. */
  countChannels(): number
  /** Waits until the page has a live channel that it opened after that many, and that is not broken off. */
  hasChannelAfter(count: number): Promise<void>
  /** What the page was refused since it was asked last, and what it says is wrong, one sentence each. */
  refusals(): Promise<string[]>
  load(): Promise<void>
  /** Opens the own profile beside the page, with something typed into its form. */
  openProfile(): Promise<Pick<EditedPage, 'shows' | 'losses' | 'close'>>
  /** Opens the image viewer on a scan of many pictures, beside the page. */
  openViewer(): Promise<EditedViewer>
  close(): Promise<void>
}

export async function openEditedPage(browser: Browser, url: string): Promise<EditedPage> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
  await signIn(context, 'staff')
  const page = await context.newPage()
  const channels: WebSocket[] = []
  page.on('websocket', (channel) => channel.url().includes(hotChannel) || channels.push(channel))
  const refused: string[] = []
  page.on('response', (response) => response.status() < 500 || refused.push(`${response.url()}: ${response.status()}`))
  page.on('requestfailed', (request) => refused.push(`${request.url()}: ${request.failure()?.errorText}`))
  const load = async (): Promise<void> => {
    await page.goto('/complaint/add')
    await description(page).waitFor(patience)
    await markPage(page)
  }
  await load()
  await description(page).fill(typed)
  return {
    shows: (text) => showsText(page, text),
    showsAt: async (path, text) => {
      const shown = page.getByText(text, { exact: true }).first()
      const tries = 12
      for (let count = 1; count < tries; count += 1) {
        await page.goto(path, patience)
        const waiting = shown.waitFor({ timeout: patience.timeout / tries, state: 'attached' })
        if (await waiting.then(() => true).catch(() => false)) return
      }
      await shown.waitFor(patience)
    },
    isWithout: (text) =>
      page
        .getByText(text, { exact: true })
        .first()
        .waitFor({ ...patience, state: 'detached' }),
    showsProblem: async (text) => {
      const problem = page.frameLocator(overlay).locator('body')
      await problem.getByText(text).first().waitFor(patience)
      return problem.innerText()
    },
    showsNoProblem: () => page.locator(overlay).waitFor({ ...patience, state: 'detached' }),
    isLoadedAnew: async () => {
      await page.waitForFunction(() => !('wasNeverLeft' in globalThis), undefined, patience)
      await description(page).waitFor(patience)
    },
    findSource: (text) => findSource(page, text),
    losses: () => listLosses(page, description(page), typed),
    countChannels: () => channels.length,
    hasChannelAfter: async (count) => {
      while (!channels.slice(count).some((channel) => !channel.isClosed())) await page.waitForTimeout(50)
    },
    refusals: async () => [...refused.splice(0), ...(await listAlerts(page))],
    load,
    openProfile: () => openProfile(context),
    openViewer: () => openEditedViewer(context, url),
    close: () => context.close(),
  }
}

const description = (page: Page) => page.getByLabel('Description', { exact: true })

const showsText = (page: Page, text: string) =>
  page
    .getByText(text, { exact: true })
    .first()
    .waitFor({ ...patience, state: 'attached' })

const markPage = (page: Page) => page.evaluate(() => Object.assign(globalThis, { wasNeverLeft: true }))

const listLosses = async (page: Page, field: Locator, text: string): Promise<string[]> => [
  ...((await page.evaluate(() => 'wasNeverLeft' in globalThis)) ? [] : ['The page was loaded anew.']),
  ...((await field.inputValue()) === text ? [] : ['What was typed is gone.']),
]

const listAlerts = async (page: Page): Promise<string[]> =>
  (await page.getByRole('alert').allInnerTexts()).map((text) => `The page says: ${text}`)

async function openProfile(context: BrowserContext): Promise<Pick<EditedPage, 'shows' | 'losses' | 'close'>> {
  const page = await context.newPage()
  await page.goto('/account/profile', patience)
  const section = page.getByRole('region', { name: 'Profile Information' })
  await section.getByRole('button', { name: 'Edit' }).click(patience)
  const field = section.getByLabel('Last name')
  await field.fill(typedName)
  await markPage(page)
  return {
    shows: (text) => showsText(page, text),
    losses: () => listLosses(page, field, typedName),
    close: () => page.close(),
  }
}
