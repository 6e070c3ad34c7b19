import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { details, expect, test } from './support/journey.ts'
import { expectRings } from './support/focusRings.ts'
import { settled } from './support/page.ts'
import { findAddress, publicScreens, screensFor, toStart } from './support/routes.ts'
import { dialogs, open, type State } from './support/states.ts'

/**
 * What axe finds on each screen, and the rings of focus, which it does not look at, in both schemes.
 *
 * E2E_A11Y=all: every screen as every role in every state, in both looks; without it, what a change most likely breaks.
 */
const isWhole = process.env.E2E_A11Y === 'all'

const roles = ['super', 'admin', 'staff'] as const
/** Both schemes, and the widest and the narrowest screen that is promised. */
const looks = [
  { name: 'light', tag: '@desktop', use: { colorScheme: 'light' } },
  { name: 'dark, 320 px', tag: '@mobile', use: { colorScheme: 'dark', viewport: { width: 320, height: 640 } } },
] as const

type Role = (typeof roles)[number]

/**
 * The viewers of each route: in light the role that sees the most; in dark each screen once more, by an administrator
 * where there is one.
 */
function listViewers(look: string): [Role, string][] {
  const all = (who: Role) => screensFor(who).map((route): [Role, string] => [who, route])
  if (isWhole) return roles.flatMap(all)
  if (look === 'light') return all('super')
  const own = new Set(screensFor('admin'))
  return [...all('admin'), ...all('super').filter(([, route]) => !own.has(route))]
}

async function expectNoViolation(page: Page, state: string): Promise<void> {
  // So that the report and junit.xml say how many there were.
  test.info().annotations.push({ type: 'looked at', description: state })
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  expect
    .soft(
      violations.map(
        ({ id, help, nodes }) =>
          `${id}: ${help}: ${nodes.map((node) => `${node.html.slice(0, 160)} (${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? ''})`).join(' | ')}`,
      ),
      state,
    )
    .toEqual([])
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect.soft(width, `${state}: nothing sticks out sideways`).toBeLessThanOrEqual(0)
}

/** The states that are worth their time: lists fail in more ways than forms, and the provider sees the most. */
function listStates(route: string, who: Role, look: string): State[] {
  const isList = !route.includes(':') && (route.split('/').length === 2 || route === '/scan/worklist')
  if (isWhole || (who === 'super' && look === 'light' && isList)) return ['rows', 'empty', 'error', 'loading']
  return ['rows']
}

for (const { name: look, tag, use } of looks) {
  test.describe(`accessible, ${look}`, { tag: ['@a11y', tag] }, () => {
    test.use(use)

    for (const path of publicScreens()) {
      test(`${path} [P29]`, async ({ page }) => {
        await page.goto(path)
        await settled(page)
        await expectNoViolation(page, 'open to all')
        if (look === 'light') await expectRings(page, path)
      })
    }

    test('the command palette and the overlay of keys [P29]', details({ needs: ['admin'] }), async ({ as }) => {
      const page = await as('admin', '/scan/worklist')
      await settled(page)
      await page.keyboard.press('ControlOrMeta+k')
      const field = page.getByRole('combobox', { name: 'Search everything' })
      await expect(field).toBeFocused()
      await expectNoViolation(page, 'palette before anything is typed')
      for (const [text, said] of [
        ['ann', /result/],
        ['zzqq', /Nothing found/],
      ] as const) {
        await field.fill(text)
        await expect(page.getByRole('dialog').getByRole('status')).toHaveText(said)
        await expectNoViolation(page, `palette for ${text}`)
      }
      await page.keyboard.press('Escape')
      await expect(field).toBeHidden()
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await expectNoViolation(page, 'overlay of keys')
    })

    for (const [who, route] of listViewers(look)) {
      test(`${route} as ${who} [P29]`, details({ needs: [who] }), async ({ as, gates }) => {
        if (isWhole) test.setTimeout(300_000)
        // Many states on one page, and in light a Tab for each stop of it.
        else test.slow()
        // Editing one's own organization is for administrators; the screen tells everybody else so.
        if (who === 'staff') gates.expectStatus(403, '/Organization/get')
        const page = await as(who, toStart(route))
        // A role whose list is empty has no detail: the empty list is looked at instead.
        const detail = await findAddress(page, route)
        const address = detail ?? toStart(route)
        for (const state of detail === undefined ? (['rows'] as const) : listStates(route, who, look)) {
          if (state === 'rows' && new URL(page.url()).pathname === address) await settled(page)
          else await open(page, gates, address, state)
          await expectNoViolation(page, detail === undefined ? 'empty list above it' : state)
          if (state === 'rows' && look === 'light') await expectRings(page, address)
        }
        if (isWhole && detail !== undefined)
          for await (const name of dialogs(page, gates, detail)) await expectNoViolation(page, `behind ${name}`)
      })
    }

    test('/no-such-page [P29]', details({ needs: ['staff'] }), async ({ as, gates }) => {
      gates.expectStatus(404, '/no-such-page')
      const page = await as('staff', '/no-such-page')
      await settled(page)
      await expectNoViolation(page, 'not found')
    })
  })
}
