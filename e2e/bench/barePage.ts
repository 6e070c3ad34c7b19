import type { Browser } from 'playwright'
import { signInWithoutServer } from './measure.ts'

const patience = { timeout: 120_000 }

/** The screen "Make a complaint", wherever it is served from, while its sources are edited. */
export interface BarePage {
  shows(text: string): Promise<void>
  isWithout(text: string): Promise<void>
}

export async function openBarePage(browser: Browser, url: string): Promise<BarePage> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
  await signInWithoutServer(context)
  const page = await context.newPage()
  await page.goto('/')
  await page.getByLabel('Description', { exact: true }).waitFor(patience)
  const find = (text: string) => page.getByText(text, { exact: true }).first()
  return {
    shows: (text) => find(text).waitFor({ ...patience, state: 'attached' }),
    isWithout: (text) => find(text).waitFor({ ...patience, state: 'detached' }),
  }
}
