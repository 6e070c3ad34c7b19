import type { Page } from 'playwright/test'
import { details, expect, test } from './support/journey.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search everything' })
const group = (page: Page, name: string) => page.getByRole('listbox', { name: 'Results' }).getByRole('group', { name })
const rows = (page: Page) => page.getByRole('table', { name: 'Studies' }).locator('[data-study]')

test.describe('the command palette', { tag: ['@shell', '@a11y'] }, () => {
  test(
    'finds a patient from any page by one key and their name, and opens them [P33]',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@smoke' }),
    async ({ as }) => {
      const page = await as('staff', '/scan/worklist')
      await expect(rows(page).first()).toBeVisible()
      const patient = await rows(page).first().getByRole('link').first().innerText()
      await page.goto('/account/profile')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile')
      await page.keyboard.press('ControlOrMeta+k')
      // Letters that are typed before the field is there are not lost.
      await page.keyboard.type(patient.split(', ').toReversed().join(' '))
      await expect(group(page, 'Patients').getByRole('option').first()).toContainText(patient)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/scan\/patient\//)
      await expect(page.getByRole('main')).toContainText(patient)
      expect(page.url(), 'no name in the address').not.toContain(patient.split(',')[0])
      const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
      expect(stored, 'nothing of the patient in the browser').not.toContain(patient)
      // What was opened a moment ago stands first.
      await page.keyboard.press('ControlOrMeta+k')
      await expect(group(page, 'Recent').getByRole('option').first()).toContainText(patient)
      await page.keyboard.press('Escape')
      await expect(field(page)).toBeHidden()
    },
  )

  test(
    'shows a person without rights neither the page nor the record of an organization [P33]',
    details({ needs: ['staff', 'super', 'remote-organization'] }),
    async ({ as, another }) => {
      const owner = await another('super', '/organization')
      const link = owner.getByRole('table').first().getByRole('row').nth(1).getByRole('link').first()
      const name = (await link.innerText()).trim()
      await owner.keyboard.press('ControlOrMeta+k')
      await field(owner).fill(name)
      await expect(group(owner, 'Organizations').getByRole('option').first()).toContainText(name)

      const page = await as('staff', '/dashboard')
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.getByRole('button', { name: 'Search everything' }).click()
      await field(page).fill(name)
      // Its own searches have answered.
      await expect(page.getByRole('dialog').getByRole('status')).toHaveText(/result|Nothing found/)
      await expect(group(page, 'Organizations')).toHaveCount(0)
      expect(asked.filter((url) => /organization\/list/i.test(url))).toEqual([])
      await field(page).fill('organization')
      await expect(group(page, 'Pages')).toHaveCount(0)
    },
  )

  test(
    'gives the focus back, and works by a finger on a phone [P29]',
    details({ needs: ['staff', 'remote-complaint'] }),
    async ({ as }) => {
      const page = await as('staff', '/complaint')
      await page.setViewportSize({ width: 360, height: 740 })
      const button = page.getByRole('button', { name: 'Search everything' })
      await button.click()
      await expect(field(page)).toBeFocused()
      const dialog = await page.getByRole('dialog', { name: 'Search' }).boundingBox()
      expect(dialog && dialog.x >= 0 && dialog.x + dialog.width <= 360, 'nothing stands out at the side').toBe(true)
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await expect(button).toBeFocused()
      await button.click()
      await field(page).fill('make')
      await group(page, 'Actions and settings').getByRole('option', { name: 'Make a complaint' }).click()
      await expect(page).toHaveURL(/\/complaint\/add$/)
    },
  )
})

test.describe('keys', { tag: ['@shell', '@a11y'] }, () => {
  test(
    'lead to pages and through lists, and one choice in the profile switches them off [P34]',
    details({ needs: ['staff', 'scans', 'remote-scan', 'remote-account'], tag: '@desktop' }),
    async ({ as }) => {
      const page = await as('staff', '/dashboard')
      await expect(page.getByRole('navigation', { name: 'Modules' })).toBeVisible()
      await page.keyboard.type('gs')
      await expect(page).toHaveURL(/\/scan$/)
      const links = page.getByRole('table', { name: 'Scans' }).locator('.dmp-row-link')
      await expect(links.first()).toBeVisible()
      await page.keyboard.press('j')
      await expect(links.first()).toBeFocused()
      await page.keyboard.press('x')
      await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected')
      await page.keyboard.press('/')
      await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused()
      await page.keyboard.type('x/?')
      await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('x/?')
      await page.getByRole('searchbox', { name: 'Search' }).fill('')
      await page.getByRole('heading', { level: 1 }).focus()
      await page.keyboard.press('?')
      const overlay = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await expect(overlay.getByRole('region', { name: 'Scans' })).toContainText('Next row')
      await page.keyboard.press('Escape')
      await expect(overlay).toBeHidden()

      await page.keyboard.type('gp')
      const choice = page.getByRole('checkbox', { name: 'Single-key shortcuts' })
      await choice.uncheck()
      await page.keyboard.type('gs')
      await page.keyboard.press('?')
      await expect(page).toHaveURL(/\/account\/profile$/)
      await page.reload()
      await expect(choice).not.toBeChecked()
      await page.keyboard.press('ControlOrMeta+k')
      await expect(field(page), 'a key with Ctrl stays').toBeFocused()
      await page.keyboard.press('Escape')
      await expect(overlay).toBeHidden()
    },
  )
})
