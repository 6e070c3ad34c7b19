import type { Page } from 'playwright/test'
import { details, expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'
import { findAddress, publicScreens, screensFor } from './support/routes.ts'

/** What axe does not see (WCAG 2.4.7): whether whoever tabs sees where they are. */
const schemes = ['light', 'dark'] as const
/** A longer page repeats its rows. */
const maxStops = 90

interface Stop {
  readonly what: string
  /** A ring of at least 1 px in a colour that is not see-through, or a shadow that comes with the focus. */
  readonly hasRing: boolean
  readonly isNew: boolean
}

/** The element that has the focus; undefined outside of the page's content. */
const readStop = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body) return undefined
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element)
    const isClear = /rgba\([^)]*,\s*0\)|transparent/.test(outlineColor)
    const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !isClear
    const isNew = !('focusSeen' in element.dataset)
    element.dataset['focusSeen'] = ''
    return {
      what: element.outerHTML.slice(0, 140),
      hasRing: hasOutline || (boxShadow !== 'none' && element.matches('input, select, textarea')),
      isNew,
    }
  })

/** Presses Tab from the top of the page to its end. */
async function expectRings(page: Page, name: string): Promise<void> {
  let stops = 0
  for (; stops < maxStops; stops += 1) {
    await page.keyboard.press('Tab')
    const stop = await readStop(page)
    // The end of the page: the browser's own bars, or its beginning again.
    if (!stop?.isNew) break
    expect.soft(stop.hasRing, `${name}: a ring around ${stop.what}`).toBe(true)
  }
  expect(stops, `${name}: there are stops`).toBeGreaterThan(1)
}

async function walk(page: Page, address: string): Promise<void> {
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.goto(address)
    await settled(page)
    await expectRings(page, `${address}, ${scheme}`)
  }
}

test.describe('a visible focus', { tag: ['@a11y', '@desktop'] }, () => {
  for (const route of publicScreens()) {
    test(`at every stop of ${route} [P29]`, async ({ page }) => {
      test.slow()
      await walk(page, route)
    })
  }

  for (const route of screensFor('super')) {
    test(`at every stop of ${route} as super [P29]`, details({ needs: ['super'] }), async ({ as }) => {
      test.slow()
      const page = await as('super')
      const address = await findAddress(page, route)
      // Above a route without rows stands an empty list, which has stops of its own.
      await walk(page, address ?? new URL(page.url()).pathname)
    })
  }
})
