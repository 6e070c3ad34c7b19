import type { Locator, Page } from 'playwright/test'
import type { Study } from '@dmp/contract/scan'
import { details, expect, test } from './support/journey.ts'

const studies = (page: Page) => page.getByRole('table', { name: 'Studies' })
const rows = (page: Page) => studies(page).locator('[data-study]')

test.describe('the worklist', { tag: '@scan' }, () => {
  test(
    'leads by keys from the first line to the images of a study, and back to where one was',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@desktop' }),
    async ({ as }) => {
      const page = await as('staff', '/dashboard')
      const first = page.getByRole('navigation', { name: 'Modules' }).getByRole('link').first()
      await expect(first).toHaveText('Worklist')
      await first.click()
      // Others may arrive above it until one is back.
      const study = await rows(page).first().getAttribute('data-study')
      await page.keyboard.press('j')
      await page.keyboard.press(' ')
      const preview = page.getByRole('complementary', { name: 'Preview' })
      await expect(preview.getByRole('group', { name: 'Patient' })).toBeVisible()
      const patient = await preview.getByRole('group', { name: 'Patient' }).locator('strong').innerText()
      await page.keyboard.press('Escape')
      await expect(preview).toBeHidden()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/scan\/detail\//)
      // Screens name the patient, the tab does not (P23).
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(patient)
      await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText(patient)
      expect(await page.title()).not.toContain(patient.split(',')[0])
      await page.goBack()
      await expect(page.locator(`[data-study="${study}"]`)).not.toHaveAttribute('data-new', /.*/)
      await expect(page.locator(`[data-study="${study}"] .worklist-link`)).toBeFocused()
    },
  )

  test(
    'keeps a selection in sight over searches, and lists it',
    details({ needs: ['staff', 'two scans', 'remote-scan'] }),
    async ({ as }) => {
      const page = await as('staff', '/scan/worklist')
      await expect(rows(page).first()).toBeVisible()
      await rows(page).first().getByRole('checkbox').check()
      const bar = page.getByRole('region', { name: 'Selection' })
      await expect(bar).toContainText('1 selected')
      await page.getByRole('searchbox', { name: 'Search studies' }).fill('no such study anywhere')
      await expect(page.getByText('No studies match “no such study anywhere”')).toBeVisible()
      await expect(bar).toContainText('1 selected · 1 not in this view')
      await bar.getByRole('button', { name: 'Show' }).click()
      await expect(page.getByRole('dialog', { name: 'Selected scans' }).getByRole('listitem')).toHaveCount(1)
      await page.getByRole('dialog').getByRole('button', { name: 'Deselect' }).click()
      await expect(bar).toBeHidden()
    },
  )

  test(
    'is narrowed by chips, and its address holds what was chosen',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@desktop' }),
    async ({ as }) => {
      const page = await as('staff', '/scan/worklist')
      await expect(rows(page).first()).toBeVisible()
      const chips = page.getByRole('group', { name: 'Filters' })
      await chips.locator('summary', { hasText: 'Modality' }).click()
      const choice = chips.getByRole('checkbox').first()
      const modality = (await choice.locator('xpath=..').innerText()).trim()
      await choice.check()
      await expect(page).toHaveURL(new RegExp(`modality=${modality}$`))
      await expect(chips.getByText(`: ${modality}`)).toBeVisible()
      const modalities = rows(page).locator('[data-column="modality"]')
      await expect(modalities.filter({ hasNotText: modality })).toHaveCount(0)
      await expect(modalities.first()).toContainText(modality)
      await page.reload()
      await expect(rows(page).first().locator('[data-column="modality"]')).toContainText(modality)
      await page.getByRole('button', { name: 'Clear Modality' }).click()
      await expect(page).toHaveURL(/\/scan\/worklist$/)
    },
  )

  test(
    'prints every column, whole IDs too, on upright paper',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@desktop' }),
    async ({ as }) => {
      const page = await as('staff', '/scan/worklist')
      await expect(rows(page).first()).toBeVisible()
      // A4 between margins of 1 cm.
      await page.setViewportSize({ width: 718, height: 1047 })
      await page.emulateMedia({ media: 'print' })
      const headings = studies(page).getByRole('columnheader')
      for (const name of ['Patient', 'Patient ID', 'Study', 'Modality', 'Study date', 'Images', 'Received', 'Born'])
        await expect(headings.getByText(name, { exact: true })).toBeVisible()
      // Of buttons nothing is drawn in the head of the second page.
      for (const sort of await headings.getByRole('button').all()) await expect(sort).toHaveCSS('display', 'contents')
      await expect(page.getByText(/^Printed /)).toBeVisible()
      for (const id of await studies(page).locator('tbody [data-column="patientID"]').all())
        await expect.poll(() => isWhole(id)).toBe(true)
    },
  )

  test(
    'says whole how many series a new study has, in rows that are all as high',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@desktop' }),
    async ({ as }) => {
      const page = await as('staff', '/dashboard')
      await page.route(/\/api\/Scan\/listStudies\b/i, async (route) => {
        const response = await route.fetch()
        const answer: { data: Study[] } = await response.json()
        const data = answer.data.map((study, at) => ({ ...study, isNew: at % 3 > 0, seriesCount: 2 + (at % 2) }))
        await route.fulfill({ response, json: { ...answer, data } })
      })
      await page.getByRole('navigation', { name: 'Modules' }).getByRole('link').first().click()
      for (const width of [1440, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await expect(rows(page).first()).toBeVisible()
        const counts = rows(page).getByText(/^[23] series$/)
        await expect(counts).toHaveCount(await rows(page).count())
        for (const count of await counts.all()) expect(await isWhole(count)).toBe(true)
        const heights = await rows(page).evaluateAll((lines) =>
          lines.map((line) => line.getBoundingClientRect().height),
        )
        expect(new Set(heights).size).toBe(1)
      }
    },
  )

  test(
    'keeps its preview and the buttons of a selection clear of each other, beside the list and over it',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@desktop' }),
    async ({ as }) => {
      const page = await as('staff', '/scan/worklist')
      await expect(rows(page).first()).toBeVisible()
      for (const key of ['j', 'x', ' ']) await page.keyboard.press(key)
      const preview = page.getByRole('complementary', { name: 'Preview' })
      const bar = page.getByRole('region', { name: 'Selection' })
      for (const width of [1280, 1000, 360]) {
        await page.setViewportSize({ width, height: 800 })
        await expect(preview).toBeVisible()
        for (const button of await bar.getByRole('button').all())
          await expect.poll(() => isOnTop(button), { message: `at ${width}` }).toBe(true)
        const close = preview.getByRole('button', { name: 'Close preview' })
        await expect.poll(() => isOnTop(close), { message: `at ${width}` }).toBe(true)
      }
    },
  )

  test(
    'keeps its error and its last rows clear of the notice that there is no line [P28]',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@desktop' }),
    async ({ as, gates }) => {
      // Without a line nothing arrives, thumbnails and the live channel neither.
      gates.expectFailure('/')
      gates.expectError('ERR_INTERNET_DISCONNECTED')
      const page = await as('staff', '/scan/worklist')
      await expect(rows(page).first()).toBeVisible()
      await page.context().setOffline(true)
      await page.getByRole('searchbox', { name: 'Search studies' }).fill('knee')
      const again = page.locator('.worklist-list').getByRole('button', { name: 'Try again' })
      const notice = page.getByText(/^You are offline\. This page/)
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 })
        await expect(notice).toBeVisible()
        await expect.poll(() => isOnTop(again), { message: `at ${width}` }).toBe(true)
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
        const foot = page.getByRole('contentinfo').getByRole('link').last()
        await expect.poll(() => isOnTop(foot), { message: `at ${width}` }).toBe(true)
      }
      await page.context().setOffline(false)
    },
  )

  test(
    'has no button under a notice, on any width [P77]',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@desktop' }),
    async ({ as }) => {
      const page = await as('staff', '/scan')
      for (const width of [1280, 768, 360]) {
        await page.setViewportSize({ width, height: 800 })
        await page.locator('.dmp-row-link').first().focus()
        await page.keyboard.press('c')
        await expect(page.getByRole('region', { name: 'Notifications' }).locator('.dmp-notice').last()).toBeVisible()
        await expect.poll(() => listCovered(page)).toEqual([])
      }
    },
  )
})

/** Nothing of it is cut, and nothing lies beyond the page. */
const isWhole = (cell: Locator): Promise<boolean> =>
  cell.evaluate((element) => {
    const text = document.createRange()
    text.selectNodeContents(element)
    const [inner, outer] = [text.getBoundingClientRect(), element.getBoundingClientRect()]
    return inner.width > 0 && inner.right <= outer.right + 1 && outer.right <= document.documentElement.clientWidth
  })

/** A finger on its middle meets it. */
const isOnTop = (button: Locator): Promise<boolean> =>
  button.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
  })

/** The buttons that lie under a notice. */
const listCovered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll('.dmp-notice')].map((notice) => notice.getBoundingClientRect())
    const buttons = [...document.querySelectorAll('button, summary, select, input')]
    return buttons
      .filter((button) => !button.closest('.dmp-notices') && button.checkVisibility())
      .filter((button) => {
        const { top, bottom, left, right } = button.getBoundingClientRect()
        return boxes.some((box) => left < box.right && box.left < right && top < box.bottom && box.top < bottom)
      })
      .map((button) => button.textContent || button.getAttribute('aria-label') || button.tagName)
  })
