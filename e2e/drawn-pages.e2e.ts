import type { Locator, Page } from 'playwright/test'
import { details, expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'

const [email, password] = ['ann@clinic.example', 'se cret']
const root = '#root'
const field = (page: Page, name: string) => page.locator(`${root} input[name="${name}"]`)
const caretIn = (of: Locator) => of.evaluate((element: HTMLInputElement) => element.selectionStart)
const whenAdopted = (page: Page) => expect(page.locator(`${root}[data-drawn]`)).toHaveCount(0)

interface Shifted {
  shifted?: number
}

/** Scripts wait until they are let through, and nobody signs in: what would be sent is noted. */
async function slowDown(page: Page) {
  const [sent, said]: [string[], string[]] = [[], []]
  let open = Promise.withResolvers<void>()
  page.on('console', (message) => message.text().includes('drawn anew') && said.push(message.text()))
  await page.route(/\/releases\/[\w-]+\/[0-9a-f]{16}\/.*\.js$/, async (route) => {
    await open.promise
    // Each comes when it can.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 200))
    await route.continue().catch(() => undefined)
  })
  await page.route(/\/api\/account\/login$/i, async (route) => {
    sent.push(route.request().postData() ?? '')
    const json = { code: 'UNAUTHORIZED', message: 'Incorrect username or password', requestId: 'x' }
    await route.fulfill({ status: 401, json })
  })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) (window as Shifted).shifted = ((window as Shifted).shifted ?? 0) + entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  // A typeface that comes later moves words, whoever drew them.
  await page.route(/\.woff2$/, (route) => route.abort('aborted'))
  return {
    sent,
    said,
    hold: () => void (open = Promise.withResolvers<void>()),
    letThrough: () => open.resolve(),
  }
}

/** Marks the field, so that another in its place is known. */
async function openDrawn(page: Page): Promise<void> {
  await page.goto('/login', { waitUntil: 'commit' })
  await field(page, 'email').waitFor()
  await field(page, 'email').evaluate((element) => element.setAttribute('data-mine', ''))
}

test.describe('a public page stands before its code', { tag: ['@session', '@desktop'] }, () => {
  test(
    'and keeps what is typed, where the caret is and what Enter asks for, fifty times at random moments [P99]',
    details({ needs: ['drawn pages'] }),
    async ({ page, gates }) => {
      test.setTimeout(15 * 60_000)
      gates.expectStatus(401, '/login')
      for (const text of ['net::ERR_BLOCKED_BY_LOCAL_NETWORK_ACCESS', '[host/live]']) gates.expectError(text)
      const { sent, said, hold, letThrough } = await slowDown(page)
      let early = 0
      for (let turn = 0; turn < 50; turn += 1) {
        const isSent = turn % 2 === 1
        const keys = [...email, 'Tab', ...password, 'ArrowLeft', ...(isSent ? ['Enter'] : [])]
        // In every fifth turn all is typed before.
        const isLast = turn % 5 === 0
        const moment = isLast ? keys.length : Math.floor(Math.random() * keys.length)
        sent.length = 0
        hold()
        await openDrawn(page)
        await expect(field(page, 'email')).toBeFocused()
        for (const [index, key] of keys.entries()) {
          if (index === moment) letThrough()
          await page.keyboard.press(key === ' ' ? 'Space' : key)
        }
        if (isLast) early += await page.locator(`${root}[data-drawn]`).count()
        letThrough()
        await whenAdopted(page)
        await expect(field(page, 'email')).toHaveAttribute('data-mine', '')
        await expect(field(page, 'email')).toHaveValue(email)
        await expect(field(page, 'password')).toHaveValue(password)
        if (isSent) await expect.poll(() => sent.length).toBe(1)
        else {
          await expect(field(page, 'password')).toBeFocused()
          expect(await caretIn(field(page, 'password'))).toBe(6)
          await expect(page.getByRole('button', { name: 'Submit' })).toBeEnabled()
          expect(await page.evaluate(() => (window as Shifted).shifted ?? 0)).toBe(0)
          expect(sent).toEqual([])
        }
        expect(page.url()).not.toContain('?')
      }
      expect(said).toEqual([])
      expect(early).toBe(10)
    },
  )

  test(
    'and a registration that was begun before goes on, with what was chosen and ticked [5.02, P99]',
    details({ needs: ['drawn pages'] }),
    async ({ page }) => {
      const { said, letThrough } = await slowDown(page)
      await page.goto('/register', { waitUntil: 'commit' })
      await field(page, 'firstName').fill('Ada')
      await page.getByLabel('Title').selectOption('Dr')
      await field(page, 'organizationName').fill('Clinic-9')
      await page.getByRole('checkbox').check()
      letThrough()
      await whenAdopted(page)
      await field(page, 'lastName').fill('Byron')
      await expect(field(page, 'firstName')).toHaveValue('Ada')
      await expect(page.getByLabel('Title')).toHaveValue('Dr')
      await expect(field(page, 'organizationName')).toHaveValue('Clinic-9')
      await expect(page.getByRole('checkbox')).toBeChecked()
      await expect(page.getByRole('button', { name: 'Register' })).toBeDisabled()
      await expect(page.getByText('Still needed: Email.')).toBeVisible()
      await field(page, 'email').fill(email)
      await expect(page.getByRole('button', { name: 'Register' })).toBeEnabled()
      expect(said).toEqual([])
    },
  )

  test(
    'and is drawn anew where the code draws another, without a loss [P99]',
    details({ needs: ['drawn pages'] }),
    async ({ page }) => {
      const { said, letThrough } = await slowDown(page)
      await page.route(/\/login$/, async (route) => {
        if (route.request().resourceType() !== 'document') return route.fallback()
        const response = await route.fetch()
        const body = (await response.text()).replace('<h1 tabindex="-1">Login</h1>', '<h1 tabindex="-1">Enter</h1>')
        await route.fulfill({ response, body })
      })
      await openDrawn(page)
      await page.keyboard.type(email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(password)
      await page.keyboard.press('ArrowLeft')
      letThrough()
      await whenAdopted(page)
      await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
      await expect(field(page, 'email')).toHaveValue(email)
      await expect(field(page, 'password')).toHaveValue(password)
      await expect(field(page, 'password')).toBeFocused()
      expect(await caretIn(field(page, 'password'))).toBe(6)
      expect(said).toHaveLength(1)
    },
  )

  test(
    'but not in a language that is not the person’s [P99]',
    details({ needs: ['drawn pages'] }),
    async ({ page }) => {
      await page.addInitScript(() => localStorage.setItem('preference:language', 'fr'))
      const { letThrough } = await slowDown(page)
      await page.goto('/login', { waitUntil: 'commit' })
      await expect(page.locator('template#dmp-drawn')).toHaveCount(1)
      await expect(page.locator(root)).toBeEmpty()
      letThrough()
      await settled(page)
      await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
      await expect(page.getByRole('button', { name: 'Submit' })).toHaveCount(0)
      await expect(field(page, 'email')).toBeVisible()
    },
  )

  test(
    'but not without scripts: nobody can send a password in an address [P30, P99]',
    details({ needs: ['drawn pages'] }),
    async ({ browser, baseURL }) => {
      const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) })
      const page = await context.newPage()
      await page.goto('/login')
      await expect(page.locator('noscript')).toBeVisible()
      await expect(page.locator(root)).toBeEmpty()
      await expect(page.locator('form, input')).toHaveCount(0)
      await context.close()
    },
  )
})
