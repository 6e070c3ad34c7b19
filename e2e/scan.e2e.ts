import { details, expect, test } from './support/journey.ts'
import { getDeployment } from './support/deployment.ts'
import { choose, readChoice, settled } from './support/page.ts'

test.describe('scans', { tag: '@scan' }, () => {
  test(
    'staff finds a scan, opens it and looks at its images [1.07, 2.19, 2.20, 2.58, 2.59, 7.42]',
    details({ needs: ['staff', 'two scans', 'viewable scan', 'quick viewer', 'remote-scan'], tag: '@smoke' }),
    async ({ as, context }) => {
      const page = await as('staff', '/scan')
      const table = page.getByRole('table', { name: 'Scans' }).or(page.getByRole('table')).first()
      for (const column of [
        'Patient Name',
        'Acquisition Date',
        'Description',
        'StudyUID',
        'SeriesUID',
        'Source',
        'Slice Count',
        'Compatible SaaS',
      ]) {
        await expect(table.getByRole('columnheader', { name: column })).toBeVisible()
      }
      const view = page.getByRole('button', { name: 'View', exact: true })
      await expect(view).toBeDisabled()
      await table.getByRole('checkbox').nth(1).check()
      await expect(view).toBeEnabled()
      await table.getByRole('checkbox').nth(2).check()
      await expect(view).toBeDisabled()
      // The first row may be a report or a waveform, which has no picture.
      await page.goto(`/scan?searchTerm=${getDeployment().viewable?.seriesUID}&page=1`)
      await table.getByRole('row').nth(1).getByRole('link').first().click()
      await expect(page).toHaveURL(/\/scan\/detail\/[^/]+\/[\d.]+$/)
      for (const section of ['Basic Scan Details', 'Patient Details', 'Advanced Scan Details', 'Tags'])
        await expect(page.getByText(section, { exact: true }).first()).toBeVisible()

      const opening = context.waitForEvent('page')
      await page.getByRole('button', { name: 'View', exact: true }).click()
      const viewer = await opening
      await expect(viewer).toHaveURL(/\/viewer\//)
      await expect(viewer.locator('canvas').first()).toBeVisible()
      await expect
        .poll(
          () =>
            viewer
              .locator('canvas')
              .first()
              .evaluate((canvas: HTMLCanvasElement) => {
                const copy = document.createElement('canvas')
                copy.width = copy.height = 64
                const pen = copy.getContext('2d')
                pen?.drawImage(canvas, 0, 0, 64, 64)
                const pixels = pen?.getImageData(0, 0, 64, 64).data ?? []
                return new Set(pixels).size
              }),
          { message: 'the picture has more than one shade', timeout: 20_000 },
        )
        .toBeGreaterThan(4)
    },
  )

  test(
    'sections open and close together [2.59]',
    details({ needs: ['staff', 'scans', 'remote-scan'] }),
    async ({ as }) => {
      const page = await as('staff', '/scan')
      await page.getByRole('table').first().getByRole('row').nth(1).getByRole('link').first().click()
      await page.getByRole('button', { name: 'Collapse all' }).click()
      await expect(page.getByText('Patient ID', { exact: false }).first()).toBeHidden()
      await page.getByRole('button', { name: 'Expand all' }).click()
      await expect(page.getByText('Patient ID', { exact: false }).first()).toBeVisible()
    },
  )

  test(
    'are sorted by a finger on a phone, too [2.63, P29]',
    details({ needs: ['staff', 'scans', 'remote-scan'], tag: '@mobile' }),
    async ({ as }) => {
      const page = await as('staff', '/scan')
      await expect(page.getByRole('table', { name: 'Scans' }).getByRole('link').first()).toBeVisible()
      await page.getByRole('button', { name: 'Description', exact: true }).tap()
      await expect(page).toHaveURL(/sortDirection=asc/)
      await expect(page.getByRole('columnheader', { name: 'Description' })).toHaveAttribute('aria-sort', 'ascending')
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        'nothing sticks out sideways',
      ).toBeLessThanOrEqual(0)
    },
  )

  test(
    'search, sort and page size stand in the address and come back from it [2.63, 4.16, 5.19, 9.01]',
    details({ needs: ['staff', 'scans', 'remote-scan'] }),
    async ({ as }) => {
      const page = await as('staff', '/scan')
      const rows = page.getByRole('table').first().getByRole('row')
      await expect(rows.nth(1)).toBeVisible()
      const length = await page.evaluate(() => history.length)
      await page.getByRole('main').getByRole('searchbox').first().fill('no such scan anywhere')
      await expect(page.getByText('No record found with the filter term.')).toBeVisible()
      await expect(page).toHaveURL(/search(Term)?=no(\+|%20)such/)
      expect(await page.evaluate(() => history.length), 'no history entries').toBe(length)
      await page.goto('/scan?pageSize=17&page=1&sortDirection=sideways')
      await expect(rows.nth(1)).toBeVisible()
      // Anywhere in the heading, not on its words only: columns move while rows come.
      await page.getByRole('columnheader', { name: 'Description' }).click({ position: { x: 3, y: 3 } })
      await expect(page).toHaveURL(/sortDirection=asc/)
      await page.getByRole('columnheader', { name: 'Description' }).click()
      await expect(page).toHaveURL(/sortDirection=desc/)
      await page.getByRole('columnheader', { name: 'Description' }).click()
      await expect(page).not.toHaveURL(/sortDirection=(asc|desc)/)
    },
  )

  test(
    'the provider chooses an organization, and the choice is remembered [2.58, 6.05]',
    details({ needs: ['super', 'organization with scans', 'remote-scan'] }),
    async ({ as }) => {
      const page = await as('super', '/scan')
      const choice = page.getByRole('combobox', { name: 'Organization' })
      const organization = getDeployment().organizationsWithScans.at(-1) ?? ''
      await choose(choice, organization)
      await expect.poll(() => readChoice(choice)).toBe(organization)
      await settled(page)
      await page.getByRole('table').first().getByRole('row').nth(1).getByRole('link').first().click()
      await expect(page).toHaveURL(/\/scan\/detail\//)
      await page.goBack()
      await expect.poll(() => readChoice(choice)).toBe(organization)
    },
  )

  test(
    "another organization's scan does not exist [P02, 8.03]",
    details({ needs: ['staff', 'scans', 'remote-scan'] }),
    async ({ as, gates }) => {
      gates.expectStatus(404, '/Scan/get')
      gates.expectError('This does not exist, or you have no access to it.')
      const page = await as('staff', '/scan')
      await expect(page.getByRole('table').first().getByRole('row').nth(1)).toBeVisible()
      await page.goto('/scan/detail/11111111-1111-4111-8111-111111111111/1.2.3')
      await expect(page.getByRole('alert').first()).toBeVisible()
    },
  )
})
