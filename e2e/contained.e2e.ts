import type { RemoteOnPage } from '@dmp/contract/release'
import type { Page } from 'playwright/test'
import { badWays, elsewhere, toFault, type BadWay } from './support/badWays.ts'
import { breakRemotes, reports, type Fault } from './support/brokenRemotes.ts'
import { deployedRemotes, getFirstPath } from './support/deployment.ts'
import type { Gates } from './support/gates.ts'
import { details, expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'

const remotes = deployedRemotes()
const well = remotes.find(({ declaration }) => declaration.name === 'remote-user') as RemoteOnPage
const others = remotes.filter((remote) => remote !== well)

/** As many ways on a page as it has other parts: what one of them breaks, the next would meet. */
const pages = badWays.reduce<{ way: BadWay; remote: RemoteOnPage }[][]>((all, way, index) => {
  const remote = others[index % others.length] as RemoteOnPage
  if (index % others.length === 0) all.push([])
  all.at(-1)?.push({ way, remote })
  return all
}, [])

const openArea = (page: Page, remote: RemoteOnPage): Promise<void> =>
  page
    .getByRole('navigation', { name: 'Modules' })
    .locator(`a[href="${getFirstPath(remote)}"]`)
    .click()

const findCard = (page: Page, { declaration: { title } }: RemoteOnPage) =>
  page
    .getByRole('main')
    .getByRole('alert')
    .filter({ hasText: `${title} cannot be shown right now` })

/** What bad parts say is no finding here; what reaches another site is. */
function expectNoise(gates: Gates): void {
  gates.expectStatus(429, '/sendApplicationError')
  gates.expectElsewhere(elsewhere)
  gates.expectFailure(elsewhere)
  gates.expectError('')
}

interface Told {
  readonly part: string
  readonly what: string
}

/** Everything that the page tells of releases; the watch over them does not hear it. */
async function hearReports(page: Page): Promise<Told[]> {
  const told: Told[] = []
  await page.context().route(reports, async (route) => {
    const { seen = [] } = route.request().postDataJSON() as { seen?: Told[] }
    told.push(...seen)
    // Some of these parts send the page away while it tells.
    await route.fulfill({ json: { data: null } }).catch(() => undefined)
  })
  return told
}

/** The page, with each of these parts bad in its way, at the part that is well. */
async function openBroken(page: Page, broken: readonly { remote: RemoteOnPage; fault: Fault }[]): Promise<Told[]> {
  await breakRemotes(page, getFirstPath(well), broken)
  // Otherwise this page's own answer would come first.
  await page.unroute(reports)
  const told = await hearReports(page)
  await page.goto(getFirstPath(well))
  await isWell(page)
  return told
}

async function isWell(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await settled(page)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
}

/**
 * Waits for what people see in the part's place. A busy machine may be late with its script; then the card says so, and
 * a retry shows what is expected. Returns whether it was.
 */
async function sees(page: Page, remote: RemoteOnPage, { card }: BadWay): Promise<boolean> {
  const [found, late] = [findCard(page, remote), findCard(page, remote).getByText('· timeout')]
  const screens = page.getByRole('main').locator('.dmp-screen').filter({ hasNotText: 'cannot be shown right now' })
  const expected = card ? found.getByText(`· ${card}`) : screens.getByRole('heading', { level: 1 })
  let isLate = false
  await expect(async () => {
    if (await late.isVisible()) {
      isLate = true
      await found.getByRole('button', { name: 'Try again' }).click()
    }
    await expect(expected).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 90_000 })
  return isLate
}

test.describe('a bad part takes nothing but its own place', { tag: ['@fault', '@desktop'] }, () => {
  for (const ways of pages)
    test(
      `that ${ways.map(({ way }) => way.name).join('; ')} [P26, P30]`,
      details({ needs: ['super'] }),
      async ({ as, context, gates }) => {
        test.slow()
        expectNoise(gates)
        const arrived: string[] = []
        await context.route(`${elsewhere}/**`, (route) => {
          arrived.push(route.request().url())
          return route.abort()
        })
        const page = await as('super')
        const asked: string[] = []
        page.on('dialog', (dialog) => {
          asked.push(dialog.message())
          void dialog.dismiss()
        })
        await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
        const told = await openBroken(
          page,
          ways.map(({ way, remote }) => ({ remote, fault: toFault(way) })),
        )
        for (const { way, remote } of ways) {
          await test.step(way.name, async () => {
            const { name } = remote.declaration
            asked.length = 0
            await openArea(page, remote)
            const isLate = await sees(page, remote, way)
            if (way.asks) await expect.poll(() => asked.join()).toContain('Open elsewhere.example?')
            // Each release is told of once: of a late one, that it was late.
            if (way.told && !isLate) {
              const what = way.told
              await expect
                .poll(() => told, { timeout: 30_000 })
                .toContainEqual(expect.objectContaining({ part: name, what }))
            }
            await openArea(page, well)
            await isWell(page)
            await expect.poll(() => page.title()).toMatch(/^Users ·/)
            const palette = page.getByRole('combobox', { name: 'Search everything' })
            // What a part left hears keys for a second more.
            await expect(async () => {
              await page.keyboard.press('Control+k')
              await expect(palette).toBeVisible({ timeout: 5000 })
            }).toPass({ timeout: 30_000 })
            await page.keyboard.press('Escape')
            await expect(palette).toHaveCount(0)
          })
        }
        expect(arrived, 'what another site got').toEqual([])
        expect(told.filter(({ part }) => part === 'host' || part === well.declaration.name)).not.toContainEqual(
          expect.objectContaining({ what: expect.not.stringMatching(/^loaded$/) as unknown }),
        )
        expect(await page.evaluate(() => 'wasForged' in window), 'text that was made code').toBe(false)
        const tab = await context.newPage()
        await tab.goto('/dashboard')
        await expect(tab.getByRole('navigation', { name: 'Modules' })).toBeVisible()
      },
    )
})

test.describe('a part that holds up the page’s thread', { tag: ['@fault', '@desktop'] }, () => {
  const holdMs = 40_000
  const loop = `window.dmpHeld ??= 1; for (const end = Date.now() + ${holdMs}; window.dmpHeld === 1 && Date.now() < end; );`
  for (const [when, fault] of [
    ['at import', toFault({ name: 'loops at import', atImport: `${loop} window.dmpHeld = 2` })],
    ['while it draws', toFault({ name: 'loops while it draws', drawing: `${loop} window.dmpHeld = 2` })],
  ] as const)
    test(`${when} is told of while it does [P26, P31]`, details({ needs: ['super'] }), async ({ as, gates }) => {
      test.slow()
      expectNoise(gates)
      const page = await as('super')
      const remote = others[0] as RemoteOnPage
      const told = await openBroken(page, [{ remote, fault }])
      const order: string[] = []
      await openArea(page, remote)
      const answers = page.waitForFunction(() => (window as { dmpHeld?: number }).dmpHeld === 2, undefined, {
        timeout: 90_000,
      })
      void answers.then(() => order.push('answers'))
      await expect
        .poll(() => told, { timeout: 60_000 })
        .toContainEqual({ part: remote.declaration.name, releaseId: remote.releaseId, what: 'hang' })
      order.push('told')
      await answers
      expect(order).toEqual(['told', 'answers'])
    })
})

test(
  'styles that hang do not keep the page, and come by their second address [P26]',
  details({ needs: ['staff'], tag: ['@fault', '@desktop'] }),
  async ({ as, gates }) => {
    for (const text of ['net::ERR_BLOCKED_BY_LOCAL_NETWORK_ACCESS', '[host/live]']) gates.expectError(text)
    const page = await as('staff')
    // The host's are in the page itself; these are too many for that.
    await page.route(/\/releases\/remote-scan\/.*\.css$/, () => new Promise(() => undefined))
    await page.goto('/scan/worklist', { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 60_000 })
    await expect
      .poll(() =>
        page.evaluate(() =>
          [...document.styleSheets].some(({ href }) => /\/releases\/again\/remote-scan\/.*\.css$/.test(href ?? '')),
        ),
      )
      .toBe(true)
  },
)
