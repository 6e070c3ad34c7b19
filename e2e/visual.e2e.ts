import { join } from 'node:path'
import type { SharedScan } from '@dmp/contract/scan'
import type { Page } from 'playwright/test'
import { details, expect, test } from './support/journey.ts'
import { settled, untilQuiet } from './support/page.ts'
import { findAddress, publicScreens, screensFor } from './support/routes.ts'
import { untilDrawn, stillStyle } from './support/stillPage.ts'
import { replayAnswers } from './support/replayAnswers.ts'
import { servePhantomStudy, phantomStudyMiddle, phantomStudyPath } from './support/phantomStudy.ts'

// A change of looks is accepted with: npm run e2e -- --grep @visual --update-snapshots (then look at the pictures that
// git shows as changed)

const widths = { 1280: 800, 360: 740 }
const schemes = ['light', 'dark'] as const

async function hold(page: Page): Promise<void> {
  await page.addInitScript((css) => {
    addEventListener('DOMContentLoaded', () =>
      document.head.append(Object.assign(document.createElement('style'), { textContent: css })),
    )
  }, stillStyle)
}

/** `/scan/detail/:organizationId/:seriesUID` → `scan-detail` */
const toPictureName = (route: string): string =>
  route
    .replace(/\/:\w+/g, '')
    .slice(1)
    .replaceAll('/', '-')
    .toLowerCase()

/** The page as it is now, in each scheme and width. */
async function compare(page: Page, nameOf: (width: string, scheme: string) => string): Promise<void> {
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme })
    for (const [width, height] of Object.entries(widths)) {
      await page.setViewportSize({ width: Number(width), height })
      await page.evaluate(untilDrawn)
      await expect.soft(page).toHaveScreenshot(`${nameOf(width, scheme)}.png`, { maxDiffPixelRatio: 0.002 })
    }
  }
}

test.describe('looks', details({ needs: ['demo', 'super'], tag: ['@visual', '@desktop'] }), () => {
  // The style that pins font and motion is not the product's own.
  test.use({ bypassCSP: true, timezoneId: 'UTC', locale: 'en-US' })

  const screens = [
    ...publicScreens().map((route) => ({ route, isPublic: true })),
    ...[...screensFor('super'), '/no-such-page'].map((route) => ({ route, isPublic: false })),
  ]
  for (const { route, isPublic } of screens) {
    test(`${route}, light and dark, wide and narrow`, async ({ page, as, gates }, { config }) => {
      test.slow()
      if (route === '/no-such-page') gates.expectStatus(404, route)
      await hold(page)
      const quiet = untilQuiet(page)
      const accept =
        config.updateSnapshots === 'none' ? 'nothing' : config.updateSnapshots === 'all' ? 'all' : 'missing'
      const data = await replayAnswers(page, join(import.meta.dirname, 'looks', `${toPictureName(route)}.json`), accept)
      if (isPublic) await page.goto(route)
      else if (!route.includes(':')) await as('super', route)
      else {
        await as('super', '/account/profile')
        await settled(page)
        await page.goto((await findAddress(page, route)) ?? route)
      }
      await settled(page)
      // Small pictures of scans come after their rows.
      await quiet()
      await compare(page, (width, scheme) => `${toPictureName(route)}-${width}-${scheme}`)
      expect(data.unknown, 'reads that are not kept; accept the change to keep them').toEqual([])
      if (accept !== 'nothing') data.save()
    })
  }

  test('/share/:token, light and dark, wide and narrow', async ({ page }) => {
    await hold(page)
    await page.clock.setFixedTime('2026-01-02T10:00:00.000Z')
    const shared: SharedScan = {
      expireDate: '2026-01-09T10:00:00.000Z',
      hasPassword: true,
      usesLeft: 3,
      codeGoesTo: null,
      allowsDownload: false,
      sharedBy: { person: 'Ms Ada Berg', organization: 'North-Clinic', logo: null },
      studies: [{ description: 'MR Heart', patient: 1, studyDate: '', modalities: ['MR'], series: 2, images: 28 }],
      opened: null,
    }
    // It waits for the end of the link, which does not come.
    await page.route(/\/api\/scan\/watchShared$/i, () => undefined)
    await page.route(/\/api\/scan\/getShared$/i, (route) => route.fulfill({ json: { data: shared } }))
    await page.goto('/share/a-link-that-somebody-got')
    await settled(page)
    await compare(page, (width, scheme) => `share-${width}-${scheme}`)
  })

  // Pictures are judged against black: the viewer is as dark in a light browser.
  test('/viewer, light and dark, wide and narrow', async ({ page }) => {
    await hold(page)
    await servePhantomStudy(page)
    await page.goto(phantomStudyPath)
    // Without what is still being loaded, which would stand behind it.
    await expect(page.locator('.corner.bottom-left')).toHaveText(phantomStudyMiddle, { timeout: 20_000 })
    await expect(page.getByRole('heading', { name: 'Other studies' })).toBeAttached()
    await compare(page, (width) => `viewer-${width}`)
  })
})
