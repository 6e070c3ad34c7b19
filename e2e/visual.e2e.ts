import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'
import { addressOf, publicScreens, screensFor } from './support/routes.ts'
import { stillData } from './support/stillData.ts'

// A change of looks is accepted with: npm run e2e -- --grep @visual --update-snapshots (then look at the pictures that git shows as changed)

const widths = { 1280: 800, 360: 740 }
const schemes = ['light', 'dark'] as const

const font = (weight: number) => readFileSync(createRequire(import.meta.url).resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`)).toString('base64')
// One font for every machine, nothing that moves or blinks.
const still = `${[400, 600, 700].map((weight) => `@font-face{font-family:Look;font-weight:${weight};src:url(data:font/woff2;base64,${font(weight)})}`).join('')}
*,*::before,*::after{font-family:Look!important;transition:none!important;animation:none!important;caret-color:transparent!important}`

async function hold(page: Page): Promise<void> {
  await page.addInitScript((css) => {
    addEventListener('DOMContentLoaded', () => document.head.append(Object.assign(document.createElement('style'), { textContent: css })))
  }, still)
}

/** For the page: fonts and the pictures in sight are there, decoded. */
async function drawn(): Promise<void> {
  await document.fonts.ready
  const inSight = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight)
  await Promise.all(inSight.map((image) => image.decode().catch(() => undefined)))
}

/** `/scan/detail/:organizationId/:seriesUID` → `scan-detail` */
const nameOf = (route: string): string => route.replace(/\/:\w+/g, '').slice(1).replaceAll('/', '-').toLowerCase()

test.describe('looks', { tag: ['@visual', '@desktop'] }, () => {
  // The style that pins font and motion is not the product's own.
  test.use({ bypassCSP: true, timezoneId: 'UTC', locale: 'en-US' })

  const screens = [...publicScreens().map((route) => ({ route, isPublic: true })), ...[...screensFor('super'), '/no-such-page'].map((route) => ({ route, isPublic: false }))]
  for (const { route, isPublic } of screens) {
    test(`${route}, light and dark, wide and narrow`, async ({ page, as, gates }, { config }) => {
      test.slow()
      if (route === '/no-such-page') gates.expectStatus(404, route)
      await hold(page)
      const accept = config.updateSnapshots === 'none' ? 'nothing' : config.updateSnapshots === 'all' ? 'all' : 'missing'
      const data = await stillData(page, join(import.meta.dirname, 'looks', `${nameOf(route)}.json`), accept)
      if (isPublic) await page.goto(route)
      else {
        await as('super', '/account/profile')
        await settled(page)
        await page.goto((await addressOf(page, route)) ?? route)
      }
      await settled(page)
      for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        for (const [width, height] of Object.entries(widths)) {
          await page.setViewportSize({ width: Number(width), height })
          await page.evaluate(drawn)
          await expect.soft(page).toHaveScreenshot(`${nameOf(route)}-${width}-${scheme}.png`, { maxDiffPixelRatio: 0.002 })
        }
      }
      expect(data.unknown, 'reads that are not kept; accept the change to keep them').toEqual([])
      if (accept !== 'nothing') data.save()
    })
  }
})
