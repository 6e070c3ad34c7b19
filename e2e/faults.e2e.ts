import type { RemoteOnPage } from '@dmp/contract/release'
import type { Page } from 'playwright/test'
import { breakRemotes, faults, planPages, withholdReports, type Broken } from './support/brokenRemotes.ts'
import { deployedRemotes, getFirstPath } from './support/deployment.ts'
import type { Gates } from './support/gates.ts'
import { details, expect, fillIn, test } from './support/journey.ts'
import { settled } from './support/page.ts'

const remotes = deployedRemotes()

/** Reports of errors have a limit, which so many faults in one hour reach. */
const expectManyReports = (gates: Gates): void => gates.expectStatus(429, '/sendApplicationError')

function expectBroken(gates: Gates, broken: readonly Broken[]): void {
  expectManyReports(gates)
  for (const { remote } of broken) {
    const part = `/${remote.declaration.name}/`
    gates.expectStatus(404, part)
    gates.expectStatus(500, part)
    gates.expectFailure(part)
    gates.expectError(part)
    gates.expectError(`[${remote.declaration.name}@`)
  }
  // A page that comes through the test has no address of its own, and the browser lets it have no live channel.
  for (const text of ['net::ERR_BLOCKED_BY_LOCAL_NETWORK_ACCESS', '[host/live]']) gates.expectError(text)
  // The browser's, webpack's and the bad scripts' own words.
  for (const text of [
    'integrity',
    'ChunkLoadError',
    'Loading chunk',
    'Unexpected token',
    'thrown at the start',
    'thrown while drawing',
    'Shared module @dmp/kit/gone',
    'RemoteError',
  ])
    gates.expectError(text)
}

async function openArea(page: Page, remote: RemoteOnPage): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Modules' })
    .locator(`a[href="${getFirstPath(remote)}"]`)
    .click()
}

const findCard = (page: Page, remote: RemoteOnPage) =>
  page
    .getByRole('main')
    .getByRole('alert')
    .filter({ hasText: `${remote.declaration.title} cannot be shown right now` })

async function isWell(page: Page, remote: RemoteOnPage): Promise<void> {
  await expect(findCard(page, remote)).toHaveCount(0, { timeout: 20_000 })
  await settled(page)
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
}

const formatNames = (broken: readonly Broken[]): string => {
  const brokenFaults = [...new Set(broken.map(({ fault }) => fault))]
  return brokenFaults
    .map(
      (fault) =>
        `${broken
          .filter((item) => item.fault === fault)
          .map(({ remote }) => remote.declaration.name.replace('remote-', ''))
          .join(', ')} ${fault.name}`,
    )
    .join('; ')
}

test.describe('a broken remote breaks only itself', { tag: '@fault' }, () => {
  for (const { well, broken } of planPages(remotes)) {
    test(
      `${formatNames(broken)}: the card says what happened, ${well.declaration.name} lives, a retry heals [P26]`,
      details({ needs: ['super'] }),
      async ({ as, page, gates }) => {
        // Many areas on one page, and requests that are waited for.
        test.slow()
        expectBroken(gates, broken)
        // Idle moments are taken away, so that only what is opened is asked for.
        await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
        const heal = await breakRemotes(page, getFirstPath(well), broken)
        await as('super', getFirstPath(well))
        await isWell(page, well)
        const showsCard = ({ remote, fault }: Broken) =>
          expect(findCard(page, remote)).toContainText(
            `${remote.declaration.name} · release ${remote.releaseId} · ${fault.word}`,
            { timeout: 30_000 },
          )
        // The areas wait at the same time for files that never come.
        if (broken.some(({ fault }) => fault.word === 'timeout'))
          for (const { remote } of broken) await openArea(page, remote)
        const [first] = broken
        if (first) {
          await openArea(page, first.remote)
          await showsCard(first)
          await openArea(page, well)
          await isWell(page, well)
        }
        for (const item of broken) {
          await openArea(page, item.remote)
          await showsCard(item)
          await heal(item.remote)
          await findCard(page, item.remote).getByRole('button', { name: 'Try again' }).click()
          await isWell(page, item.remote)
        }
        expect(await page.evaluate(() => 'wasForged' in window), 'a file with a wrong hash never runs').toBe(false)
      },
    )
  }

  test('every remote meets every fault', () => {
    const met = new Set(
      planPages(remotes).flatMap(({ broken }) =>
        broken.map(({ remote, fault }) => `${remote.declaration.name} ${fault.name}`),
      ),
    )
    expect(met.size).toBe(remotes.length * faults.length)
  })

  test(
    'the API is away: the screen says so and heals by Retry [P28, 8.02, 8.03]',
    details({ needs: ['admin', 'remote-complaint'] }),
    async ({ as, page, gates }) => {
      gates.expectStatus(503, '/api/Complaint/list')
      await page.route(/\/api\/complaint\/list/i, (route) =>
        route.fulfill({
          status: 503,
          json: { code: 'NOT_READY', message: 'The database is restarting.', requestId: 'x' },
        }),
      )
      await as('admin', '/complaint')
      await expect(page.getByText('The database is restarting.').first()).toBeVisible({ timeout: 20_000 })
      await page.unroute(/\/api\/complaint\/list/i)
      await page
        .getByRole('button', { name: /retry|try again/i })
        .first()
        .click()
      await expect(page.getByRole('columnheader', { name: 'Complaint #' })).toBeVisible()
    },
  )
})

test.describe('a page that was opened before a redeploy took its files away', { tag: '@fault' }, () => {
  /** Until the page is loaded again, files that it did not load yet are gone, and another version is live. */
  async function takeAway(page: Page, gates: Gates, files: RegExp): Promise<{ loads: () => number }> {
    expectManyReports(gates)
    gates.expectStatus(404, '/releases/')
    for (const text of ['ChunkLoadError', 'Loading chunk', 'RemoteError', 'integrity']) gates.expectError(text)
    await withholdReports(page)
    let loads = 0
    await page.route(files, (route) => (loads === 0 ? route.fulfill({ status: 404, body: 'gone' }) : route.fallback()))
    await page.route(/\/releases\/live\?/, (route) =>
      loads === 0 ? route.fulfill({ json: { data: { snapshot: 'f'.repeat(16) } } }) : route.fallback(),
    )
    page.on('request', (request) => {
      if (request.resourceType() === 'document') loads += 1
    })
    return { loads: () => loads }
  }

  test(
    'loads itself again, once, and says so [P26]',
    details({ needs: ['super', 'remote-user', 'remote-organization'] }),
    async ({ as, page, gates }) => {
      await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
      await as('super', '/user')
      await settled(page)
      const { loads } = await takeAway(page, gates, /\/releases\/(?:again\/)?remote-organization\//)
      await page
        .getByRole('navigation', { name: 'Modules' })
        .getByRole('link', { name: 'Organization', exact: true })
        .click()
      await expect(
        page.getByRole('status').filter({ hasText: 'The application was updated, so this page was reloaded.' }),
      ).toBeVisible()
      await expect(page).toHaveURL(/\/organization$/)
      await expect(page.getByRole('heading', { level: 1, name: 'Organizations' })).toBeVisible()
      expect(loads()).toBe(1)
    },
  )

  test(
    'keeps what was typed, also when the session ended meanwhile [P27]',
    details({ needs: ['staff', 'remote-complaint'] }),
    async ({ page, gates }) => {
      await page.goto('/login')
      await fillIn(page, 'staff')
      await expect(page).toHaveURL(/\/dashboard$/)
      await page.goto('/complaint/add')
      await expect(page.getByLabel('Description', { exact: true })).toBeVisible()
      const { loads } = await takeAway(page, gates, /\/releases\/(?:again\/)?host\/.*\.js/)
      await page.getByLabel('Description', { exact: true }).fill('a long story that took ten minutes')
      await page.getByLabel('Type', { exact: true }).selectOption({ index: 1 })
      await page.getByLabel('Module', { exact: true }).selectOption({ label: 'Scan' })
      gates.expectStatus(401, '/api/')
      for (const text of ['CallError', 'Sign in again.']) gates.expectError(text)
      await page.route('**/api/**', (route) =>
        loads() === 0
          ? route.fulfill({ status: 401, json: { code: 'TOKEN_EXPIRED', message: 'Sign in again.', requestId: 'x' } })
          : route.fallback(),
      )
      await page.getByRole('button', { name: 'Submit' }).click()
      await expect(page).toHaveURL(/\/login$/)
      await fillIn(page, 'staff')
      await expect(page).toHaveURL(/\/complaint\/add$/)
      await expect(page.getByLabel('Description', { exact: true })).toHaveValue('a long story that took ten minutes')
    },
  )
})

test(
  'a script of the host that did not come is asked for once more by loading the page again, by itself [P26]',
  details({ needs: [], tag: '@fault' }),
  async ({ page, gates }) => {
    let loads = 0
    page.on('request', (request) => void (loads += Number(request.isNavigationRequest())))
    await page.route(/\/releases\/host\/.*\/main\..*\.js$/, (route) =>
      loads === 1 ? route.fulfill({ status: 502, body: '' }) : route.fallback(),
    )
    const reports: string[] = []
    page.on('request', (request) => void (request.url().endsWith('/api/Release/report') && reports.push(request.url())))
    for (const text of ['setGlobalFederationConstructor']) gates.expectError(text)
    gates.expectStatus(502, '/releases/host/')
    await page.goto('/login')
    await expect.poll(() => loads).toBe(2)
    await settled(page)
    await page.getByLabel('Email').fill('somebody@north.example')
    await page.getByLabel('Password', { exact: true }).fill('Something1!')
    await expect(page.getByRole('button', { name: 'Submit' })).toBeEnabled()
    expect([loads, reports]).toEqual([2, []])
  },
)

test(
  'an override of the host that does not start is no blank page: a button turns it off [P26, P29]',
  details({ needs: ['super'], tag: '@fault' }),
  async ({ as, page, gates }) => {
    await as('super', '/dashboard')
    await settled(page)
    const host = await page.evaluate(
      () => (JSON.parse(document.getElementById('dmp-snapshot')?.textContent ?? '') as { host: string }).host,
    )
    await page.goto(`/dashboard?dmp-override=host@${host}`)
    gates.expectStatus(404, '/releases/host/')
    gates.expectError('integrity')
    const files = /\/releases\/host\/.*\.js$/
    // Only the page that comes does not start; what this one still fetches is another story.
    let isNext = false
    page.on('request', (request) => void (isNext ||= request.isNavigationRequest()))
    await page.route(files, (route) => (isNext ? route.fulfill({ status: 404, body: 'gone' }) : route.fallback()))
    await page.getByRole('button', { name: 'Use it in this browser' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'The application did not start' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Turn the override off' })).toBeFocused()
    await page.unroute(files)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Overrides of this browser' })).toHaveCount(0)
    await expect(page).toHaveURL(/\/dashboard$/)
  },
)
