import type { Browser, BrowserContext, Page } from 'playwright'
import { account, type Who } from '../support/accounts.ts'

/** The pages that a person has open while releases go live. */
export interface OpenPages {
  /** Opens the area as a new page would; returns why that failed, or nothing. */
  load(): Promise<string | undefined>
  /** Files that came as what changed since a release that the browser had. */
  countDifferences(): number
  /** The pages that were opened before: what no longer works on them, one sentence each. */
  end(): Promise<string[]>
}

const typed = 'a story that is longer than a hundred releases'
const area = { name: 'Complaint', path: '/complaint', heading: 'Complaints' }

/**
 * Signs in and opens three pages: one that has not loaded the area yet, one with something typed into its form, and one
 * that is opened again and again.
 *
 * @param url the product; releases of remote-complaint go live there meanwhile
 */
export async function openPages(browser: Browser, url: string): Promise<OpenPages> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
  // An open page fetches its files when it needs them, even a hundred releases later.
  await context.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
  let differences = 0
  context.on('response', (response) => {
    if (response.headers()['content-encoding'] === 'dcz') differences += 1
  })
  await signIn(context, 'super')
  const [resting, typing, loading] = [
    await opened(context, '/user', 'Users'),
    await opened(context, `${area.path}/add`, 'Make a complaint'),
    await context.newPage(),
  ]
  await typing.getByLabel('Description', { exact: true }).fill(typed)
  for (const page of [resting, typing]) await page.evaluate(() => Object.assign(globalThis, { wasNeverLeft: true }))
  return {
    load: () =>
      findFailure(async () => {
        await loading.goto(area.path, { waitUntil: 'commit' })
        await shows(loading, area.heading)
      }),
    countDifferences: () => differences,
    end: async () => {
      const problems = [
        await findFailure(() => stillOpensTheArea(resting)),
        await findFailure(() => stillSends(typing)),
      ]
      await context.close()
      return problems.filter((problem) => problem !== undefined)
    },
  }
}

/** By the sign-in page, so that the browser's storage is filled as a user's is. */
export async function signIn(context: BrowserContext, who: Who): Promise<void> {
  const page = await context.newPage()
  const { email, password } = account(who)
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL('**/dashboard')
  await page.close()
}

async function opened(context: BrowserContext, path: string, heading: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  await shows(page, heading)
  return page
}

/** The screen is there, and no card in its place. */
async function shows(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  const alert = page.getByRole('main').getByRole('alert').first()
  if (await alert.isVisible()) throw new Error(`${heading}: ${await alert.innerText()}`)
}

/**
 * The newer version is offered, and was not forced; an area that this page never loaded comes from the release that it
 * began with.
 */
async function stillOpensTheArea(page: Page): Promise<void> {
  await page.evaluate(() => void (globalThis as unknown as EventTarget).dispatchEvent(new Event('focus')))
  await page.getByRole('status').filter({ hasText: 'A new version of the application is available.' }).waitFor()
  await page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name: area.name, exact: true }).click()
  await shows(page, area.heading)
  await wasNeverLeft(page)
}

async function stillSends(page: Page): Promise<void> {
  const text = await page.getByLabel('Description', { exact: true }).inputValue()
  if (text !== typed) throw new Error(`What was typed became "${text}".`)
  await page.getByLabel('Type', { exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Module', { exact: true }).selectOption({ label: 'Scan' })
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Complaint has been submitted successfully').waitFor()
  await wasNeverLeft(page)
}

async function wasNeverLeft(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'wasNeverLeft' in globalThis)))
    throw new Error(`${page.url()} was loaded again by itself.`)
}

async function findFailure(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error)
  }
}
