import { expect, type Page } from 'playwright/test'

/** And how many stops are looked at: a longer page repeats its rows, and what is dark is drawn by the same rules. */
const schemes = [
  ['light', 60],
  ['dark', 40],
] as const

/** Asking the page after each Tab takes ten times as long as the Tabs do. */
const tabsAtOnce = 10

interface Stop {
  readonly what: string
  /** A ring of at least 1 px in a colour that is not see-through, or a shadow that comes with the focus. */
  readonly hasRing: boolean
}

/** In the page: each element that the focus came to. */
interface Watched {
  readonly stops: HTMLElement[]
  readonly hadRing: boolean[]
  readonly hasRing: (element: HTMLElement) => boolean
}

/** What axe does not see (WCAG 2.4.7): in both schemes, that people who tab through the page see where they are. */
export async function expectRings(page: Page, name: string): Promise<void> {
  const watched = await page.evaluateHandle(watchFocus)
  for (const [scheme, most] of schemes) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.locator(`html[data-theme=${scheme}]`).waitFor({ state: 'attached' })
    await watched.evaluate(startAtTop)
    for (let seen = 0, isAtEnd = false; seen < most && !isAtEnd; seen += tabsAtOnce) {
      await Promise.all(Array.from({ length: tabsAtOnce }, () => page.keyboard.press('Tab')))
      // The end of the page: the browser's own bars, or its beginning again.
      isAtEnd = await watched.evaluate(({ stops }, count) => new Set(stops).size < count, seen + tabsAtOnce)
    }
    const stops = await watched.evaluate(listStops)
    for (const [index, { what, hasRing }] of stops.entries())
      // Styles may still be on their way after a change of the scheme.
      if (!hasRing)
        await expect.soft
          .poll(() => watched.evaluate(focusAgain, index), {
            message: `${name}, ${scheme}: a ring around ${what}`,
            timeout: 2000,
          })
          .toBe(true)
    expect(stops.length, `${name}, ${scheme}: there are stops`).toBeGreaterThan(1)
  }
  await page.emulateMedia({ colorScheme: null })
}

function watchFocus(): Watched {
  const hasRing = (element: HTMLElement): boolean => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element)
    const isClear = /rgba\([^)]*,\s*0\)|transparent/.test(outlineColor)
    const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !isClear
    return hasOutline || (boxShadow !== 'none' && element.matches('input, select, textarea'))
  }
  const stops: HTMLElement[] = []
  const hadRing: boolean[] = []
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === document.body) return
    stops.push(target)
    hadRing.push(hasRing(target))
  })
  return { stops, hadRing, hasRing }
}

/** Tab goes on from the last focus, even where that is gone; a body that had the focus is the beginning again. */
function startAtTop({ stops, hadRing }: Watched): void {
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
  scrollTo(0, 0)
  stops.length = 0
  hadRing.length = 0
}

const listStops = ({ stops, hadRing }: Watched): Stop[] =>
  stops.map((stop, index) => ({ what: stop.outerHTML.slice(0, 140), hasRing: hadRing[index] ?? false }))

function focusAgain({ stops, hasRing }: Watched, index: number): boolean {
  stops[index]?.focus()
  return stops[index] !== undefined && hasRing(stops[index])
}
