import type { Page } from 'playwright/test'
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
