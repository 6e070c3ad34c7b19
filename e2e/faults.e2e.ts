import type { Page, Route } from 'playwright/test'
import type { Gates } from './support/gates.ts'
import { expect, test } from './support/journey.ts'

const remotes = { complaint: '/complaint', organization: '/organization', registration: '/registration', scan: '/scan', user: '/user', account: '/account/profile' }

const faults: Record<string, (route: Route) => Promise<void>> = {
  'is not there (404)': (route) => route.fulfill({ status: 404, body: 'gone' }),
  'answers with an error (500)': (route) => route.fulfill({ status: 500, body: 'oops' }),
  'cannot be reached': (route) => route.abort('connectionrefused'),
  'is not the file that was released (wrong hash)': (route) => route.fulfill({ contentType: 'text/javascript', body: 'window.wasReplaced = true' }),
  'never answers': () => new Promise(() => undefined),
}

// The same files are also under /releases/again/, where the page looks when a first request fails.
const rooms = (name: string) => new RegExp(`/releases/(?:again/)?remote-${name}/`)

function expectBroken(gates: Gates, name: string): void {
  const part = `/remote-${name}/`
  gates.expectStatus(404, part)
  gates.expectStatus(500, part)
  gates.expectFailure(part)
  for (const text of ['remote', 'integrity', 'Loading chunk', 'ChunkLoadError', 'Failed to', part]) gates.expectError(text)
}

async function otherAreaLives(page: Page, name: string): Promise<void> {
  const [other, path] = Object.entries(remotes).find(([candidate]) => candidate !== name && candidate !== 'account') ?? ['', '']
  await page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${other}$`, 'i') }).first().click()
  await expect(page).toHaveURL(new RegExp(path))
  await expect(page.getByRole('table').first()).toBeVisible()
}

test.describe('a broken remote breaks only itself', { tag: '@fault' }, () => {
  for (const [name, path] of Object.entries(remotes)) {
    test(`remote-${name} is not there: card, the rest lives, Retry heals [P26]`, async ({ as, page, gates }) => {
      expectBroken(gates, name)
      await page.route(rooms(name), faults['is not there (404)'] as (route: Route) => Promise<void>)
      await as('super', path)
      const card = page.getByRole('main').getByRole('alert').first()
      await expect(card).toBeVisible({ timeout: 20_000 })
      await otherAreaLives(page, name)
      await page.goBack()
      await expect(card).toBeVisible({ timeout: 20_000 })
      await page.unroute(rooms(name))
      await page.getByRole('main').getByRole('button', { name: /retry|try again/i }).click()
      await expect(card).toBeHidden({ timeout: 20_000 })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    })
  }

  for (const [fault, breakIt] of Object.entries(faults).slice(1)) {
    test(`remote-complaint ${fault}: card, and the rest lives [P26]`, async ({ as, page, gates }) => {
      expectBroken(gates, 'complaint')
      await page.route(rooms('complaint'), breakIt)
      await as('super', '/complaint')
      await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible({ timeout: 30_000 })
      expect(await page.evaluate(() => 'wasReplaced' in window), 'a file with a wrong hash never runs').toBe(false)
      await otherAreaLives(page, 'complaint')
    })
  }

  test('the API is away: the screen says so and heals by Retry [P28, 8.02, 8.03]', async ({ as, page, gates }) => {
    gates.expectStatus(503, '/api/Complaint/list')
    await page.route(/\/api\/complaint\/list/i, (route) => route.fulfill({ status: 503, json: { code: 'NOT_READY', message: 'The database is restarting.', requestId: 'x' } }))
    await as('admin', '/complaint')
    await expect(page.getByText('The database is restarting.').first()).toBeVisible({ timeout: 20_000 })
    await page.unroute(/\/api\/complaint\/list/i)
    await page.getByRole('button', { name: /retry|try again/i }).first().click()
    await expect(page.getByRole('columnheader', { name: 'Complaint #' })).toBeVisible()
  })
})
