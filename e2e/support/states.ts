import type { Page, Route } from 'playwright/test'
import type { Gates } from './gates.ts'
import { expect } from './journey.ts'
import { settled } from './page.ts'

/** How the data of a screen fare. */
export type State = 'rows' | 'empty' | 'error' | 'loading'

/** Whether a call is about the session and not about what the screen shows. */
export const isSessionCall = (url: string): boolean =>
  /\/api\/account\/(?:validateToken|renewToken|login|logout)/i.test(url)

const answers: Record<Exclude<State, 'rows'>, (route: Route) => Promise<void>> = {
  async empty(route) {
    const response = await route.fetch()
    const body: unknown = await response.json().catch(() => null)
    if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data))
      return route.fulfill({ response })
    await route.fulfill({ response, json: { ...body, data: [], total: 0 } })
  },
  error: (route) =>
    route.fulfill({ status: 503, json: { code: 'NOT_READY', message: 'The database is restarting.', requestId: 'x' } }),
  loading: () => new Promise(() => undefined),
}

/** Opens the address with its data in the state, and waits until there is nothing more to come. */
export async function open(page: Page, gates: Gates, address: string, state: State): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  if (state === 'error') {
    gates.expectStatus(503, '/api/')
    gates.expectError('The database is restarting.')
  }
  if (state !== 'rows')
    await page.route(/\/api\//, (route) =>
      isSessionCall(route.request().url()) ? route.fallback() : answers[state](route),
    )
  const firstCall = page.waitForRequest((request) => /\/api\//.test(request.url()) && !isSessionCall(request.url()))
  firstCall.catch(() => undefined)
  await page.goto(address)
  if (state !== 'loading') return settled(page)
  // The screen's code is there and has asked for its data; what stands before that is the frame's.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await firstCall
}

/** Opens each dialog that a button of the screen's content leads to; nothing that is clicked reaches the server. */
export async function* dialogs(page: Page, gates: Gates, address: string): AsyncGenerator<string> {
  gates.expectStatus(503, '/api/')
  gates.expectError('The database is restarting.')
  await open(page, gates, address, 'rows')
  // A hidden input of files is the system's dialog, behind a button of the screen.
  // The rows of a list repeat the buttons of its first one.
  const buttons = page.getByRole('main').getByRole('button').and(page.locator(':not(input, tbody tr ~ tr *)'))
  const names = await buttons.evaluateAll((all) =>
    all.map((button) => button.getAttribute('aria-label') ?? button.textContent?.trim() ?? ''),
  )
  for (const name of new Set(names.filter(Boolean))) {
    await open(page, gates, address, 'rows')
    await page.route(/\/api\//, (route) =>
      route.request().method() === 'GET' ? route.fallback() : answers.error(route),
    )
    const button = buttons.and(page.getByRole('button', { name, exact: true })).first()
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue
    await button.click({ timeout: 10_000 })
    const opened = page.getByRole('dialog').or(page.getByRole('menu')).first()
    if (
      await opened.waitFor({ timeout: 1500 }).then(
        () => true,
        () => false,
      )
    )
      yield name
  }
}
