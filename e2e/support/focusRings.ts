import { expect, type Page } from 'playwright/test'

/** And how many stops are looked at: a longer page repeats its rows, and what is dark is drawn by the same rules. */
const schemes = [
  ['light', 60],
  ['dark', 40],
] as const

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

/** What axe does not see (WCAG 2.4.7): in both schemes, that people who tab through the page see where they are. */
export async function expectRings(page: Page, name: string): Promise<void> {
  for (const [scheme, most] of schemes) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.locator(`html[data-theme=${scheme}]`).waitFor({ state: 'attached' })
    await startAtTop(page)
    await tabThrough(page, `${name}, ${scheme}`, most)
  }
  await page.emulateMedia({ colorScheme: null })
}

/** Tab goes on from the last focus, even where that is gone; a body that had the focus is the beginning again. */
const startAtTop = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const seen of document.querySelectorAll<HTMLElement>('[data-focus-seen]')) delete seen.dataset['focusSeen']
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
    scrollTo(0, 0)
  })

/** Presses Tab from the top of the page to its end. */
async function tabThrough(page: Page, name: string, most: number): Promise<void> {
  let stops = 0
  for (; stops < most; stops += 1) {
    await page.keyboard.press('Tab')
    const stop = await readStop(page)
    // The end of the page: the browser's own bars, or its beginning again.
    if (!stop?.isNew) break
    // Styles may still be on their way after a change of the scheme.
    if (!stop.hasRing)
      await expect.soft
        .poll(async () => (await readStop(page))?.hasRing, {
          message: `${name}: a ring around ${stop.what}`,
          timeout: 2000,
        })
        .toBe(true)
  }
  expect(stops, `${name}: there are stops`).toBeGreaterThan(1)
}
