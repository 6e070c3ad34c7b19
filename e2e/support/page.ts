import type { Locator, Page, Request } from 'playwright/test'
import { expect } from 'playwright/test'

/** Everything that the page waits for is there: no skeleton, no table at work. */
export async function settled(page: Page): Promise<void> {
  // The first visit of a busy machine's browser takes its time.
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1, { timeout: 30_000 })
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** Searches the list of the page for the words and opens the one row that has them. */
export async function openRow(page: Page, text: string): Promise<void> {
  const rows = page
    .getByRole('table')
    .first()
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
  await expect(rows.first()).toBeVisible()
  await page.getByRole('searchbox').first().fill(text)
  await expect(rows).toHaveCount(1)
  const row = rows.filter({ hasText: text })
  await expect(row).toBeVisible()
  await row.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/detail\//)
}

/** Chooses in a labelled select, which is one to type into where it has many options. */
export async function choose(choice: Locator, label: string): Promise<void> {
  if (await choice.evaluate((element) => element instanceof HTMLSelectElement))
    return void (await choice.selectOption({ label }))
  await choice.fill(label)
  await choice.press('Enter')
}

/** The chosen option. */
export const readChoice = (choice: Locator): Promise<string> =>
  choice.evaluate(
    (element) =>
      (element instanceof HTMLSelectElement
        ? element.selectedOptions[0]?.label
        : (element as HTMLInputElement).value) ?? '',
  )

/** Counts the page's requests from now on; returns a function that waits until none is open or about to be sent. */
export function untilQuiet(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => void open.add(request))
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
  const isQuiet = async () => {
    // Tabs take turns by locks: who waits for one has not asked yet.
    const lockCount = await page.evaluate(async () => {
      const { held = [], pending = [] } = await navigator.locks.query()
      return held.length + pending.length
    })
    return lockCount === 0 && open.size === 0
  }
  return () => expect.poll(isQuiet, { message: 'nothing is asked any more', intervals: [20, 50, 100] }).toBe(true)
}

/** A transfer that a page began, as the page heard of it. */
interface NotedTransfer {
  id?: string
  /** The series that have arrived. */
  copies: string[]
}

/** Notes the transfer that the page begins next, and what arrived of it: others may begin theirs beside it. */
export function noteTransfer(page: Page): NotedTransfer {
  const noted: NotedTransfer = { copies: [] }
  const take = (data: readonly { id: string; scans: { newSeriesUID: string | null }[] }[]): void => {
    const own = data.find(({ id }) => id === noted.id)
    if (own) noted.copies = own.scans.flatMap(({ newSeriesUID }) => newSeriesUID ?? [])
  }
  page.on('response', (response) => {
    if (!response.ok()) return
    if (response.url().includes('/api/Scan/transfer/'))
      void response.json().then(({ data }: { data: { id: string } }) => (noted.id ??= data.id))
    if (response.url().includes('/api/Scan/listTransfers'))
      // Of an answer to a page that was left nothing can be read.
      void response.json().then(
        ({ data }: { data: Parameters<typeof take>[0] }) => take(data),
        () => undefined,
      )
  })
  return noted
}
