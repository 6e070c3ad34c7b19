import { details, expect, test } from './support/journey.ts'
import type { Who } from './support/accounts.ts'
import { getDeployment } from './support/deployment.ts'

const entries: Partial<Record<Who, string[]>> = {
  super: ['Dashboard', 'Complaint', 'Organization', 'Registration', 'Scan', 'User'],
  admin: ['Dashboard', 'Complaint', 'Scan', 'User'],
  staff: ['Dashboard', 'Complaint', 'Scan'],
}

test.describe('the shell', { tag: '@shell' }, () => {
  for (const [who, names] of Object.entries(entries)) {
    test(
      `navigation of ${who}: ${names.join(', ')} [2.32, 2.33, 1.02, 6.02]`,
      details({ needs: [who as Who] }),
      async ({ as }) => {
        const page = await as(who as Who)
        const navigation = page.getByRole('navigation', { name: 'Modules' })
        for (const name of names) await expect(navigation.getByRole('link', { name, exact: true })).toBeVisible()
        for (const name of entries.super?.filter((entry) => !names.includes(entry)) ?? [])
          await expect(navigation.getByRole('link', { name, exact: true })).toHaveCount(0)
      },
    )
  }

  test(
    'on paper a screen is its facts alone, light in the dark too, and an open label is the label alone',
    details({ needs: ['admin'] }),
    async ({ as }) => {
      const page = await as('admin', '/account/organization')
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      const fact = page.getByRole('main').getByText('Name', { exact: true }).first()
      await expect(fact).toBeVisible()
      for (const frame of [page.getByRole('navigation', { name: 'Modules' }), page.getByRole('contentinfo')])
        await expect(frame).toBeHidden()
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(245, 247, 250)')
      await page.emulateMedia({ media: 'screen' })
      await page.getByRole('button', { name: 'Device Label' }).click()
      await expect(page.getByRole('dialog', { name: 'Device Label' })).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByText('NOT FOR SALE')).toBeVisible()
      await expect(fact).toBeHidden()
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toHaveCount(0)
    },
  )

  for (const [title, colorScheme, choice] of [
    ['the system is dark', 'dark', null],
    ['somebody chose dark', 'light', 'dark'],
  ] as const)
    test(`a page is dark before its code is here, where ${title}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      if (choice) await page.addInitScript((theme) => localStorage.setItem('preference:theme', theme), choice)
      // They wait until the journey is over.
      await page.route('**/releases/**/*.js', () => undefined)
      await page.goto('/scan', { waitUntil: 'commit' })
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(15, 20, 27)')
    })

  test(
    'its name is drawn in its own typeface, which comes once and from nowhere else [1.01]',
    details({ tag: '@smoke' }),
    async ({ page }) => {
      const files: string[] = []
      page.on('request', (request) => {
        if (request.resourceType() === 'font') files.push(request.url())
      })
      await page.goto('/login')
      await expect(page.locator('.dmp-wordmark')).toHaveText('Data Management Platform')
      await expect.poll(() => files.length).toBe(1)
      await page.evaluate(async () => document.fonts.ready)
      expect(await page.evaluate(() => document.fonts.check('600 18px "Inter Variable"'))).toBe(true)
      expect(files).toHaveLength(1)
      expect(new URL(files[0] ?? '').origin).toBe(new URL(page.url()).origin)
    },
  )

  test(
    'every entry opens its area under one heading [2.10, 2.13, 2.17, 2.19, 2.21, 2.35]',
    details({ needs: ['super'], tag: '@smoke' }),
    async ({ as }) => {
      const page = await as('super')
      for (const name of entries.super ?? []) {
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
        await expect(page).toHaveURL(new RegExp(`/${name.toLowerCase()}`))
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
        await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
      }
    },
  )

  test(
    'one copy of React and of the kit in the page',
    details({ needs: ['super', 'remote-complaint'], tag: '@smoke' }),
    async ({ as, page, gates: _gates }) => {
      const loaded: string[] = []
      page.on(
        'response',
        (response) => void (response.request().resourceType() === 'script' && loaded.push(response.url())),
      )
      await as('super', '/complaint')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const bodies = await Promise.all(loaded.map(async (url) => (await page.request.get(url)).text()))
      const copies = (mark: string) => bodies.filter((body) => body.includes(mark)).length
      expect(copies('react.transitional.element'), 'scripts that make React elements').toBeLessThanOrEqual(2)
      expect(copies('https://react.dev/errors/'), 'React and its renderer').toBeLessThanOrEqual(2)
    },
  )

  test(
    'the side navigation is 220 px, 100 px when it is small, and the page grows [4.09, 9.14]',
    details({ needs: ['staff'] }),
    async ({ as }) => {
      const page = await as('staff')
      const side = page.getByRole('complementary', { name: 'Side navigation' })
      await expect.poll(async () => (await side.boundingBox())?.width).toBe(220)
      await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.height).toBe(60)
      const before = (await page.getByRole('main').boundingBox())?.width ?? 0
      await page.getByRole('button', { name: 'Toggle navigation' }).click()
      await expect.poll(async () => (await side.boundingBox())?.width).toBe(100)
      await expect.poll(async () => (await page.getByRole('main').boundingBox())?.width).toBeGreaterThan(before)
    },
  )

  test(
    'the footer stands below every page, and a click beside the label does not close it [1.12, 2.36, 2.39, 9.12]',
    details({ needs: ['staff', 'remote-complaint'] }),
    async ({ as }) => {
      const { labelDocumentNumber, manufactureDate } = getDeployment().settings.company
      const page = await as('staff', '/complaint')
      const footer = page.getByRole('contentinfo')
      for (const name of ['Terms Of Use', 'IFU', 'Device Label', 'Uploader'])
        await expect(footer.getByText(name, { exact: true })).toBeVisible()
      await footer.getByText('Device Label', { exact: true }).click()
      const label = page.getByRole('dialog', { name: 'Device Label' })
      for (const text of [
        'NOT FOR SALE',
        'NOT FOR CLINICAL USE',
        'PRODUCT MANUALS',
        labelDocumentNumber,
        manufactureDate,
      ])
        await expect(label.getByText(text).first()).toBeVisible()
      await page.mouse.click(3, 3)
      await expect(label).toBeVisible()
      await label.getByRole('button', { name: 'Close' }).last().click()
      await expect(label).toBeHidden()
    },
  )

  test(
    'an unknown address is the not-found page [2.30, 2.37]',
    details({ needs: ['staff'] }),
    async ({ as, gates }) => {
      gates.expectStatus(404, '/no-such-page')
      const page = await as('staff', '/no-such-page')
      await expect(page.getByText('404 PAGE NOT FOUND')).toBeVisible()
      await expect(
        page.getByText('Check that you typed the address correctly. Kindly try accessing modules from the left panel.'),
      ).toBeVisible()
      await page
        .getByRole('button', { name: 'Back to Dashboard' })
        .or(page.getByRole('link', { name: 'Back to Dashboard' }))
        .click()
      await expect(page).toHaveURL(/\/dashboard$/)
    },
  )

  test(
    'an area that the policy does not have is refused in words [2.29, 2.31, 2.38, 6.10]',
    details({ needs: ['staff'] }),
    async ({ as }) => {
      const page = await as('staff', '/not-authorized/Organization/list')
      await expect(page.getByRole('heading', { level: 1, name: '403 Not Authorized' })).toBeVisible()
      await expect(page.getByText('You do not have access to Organization module, list action')).toBeVisible()
      await page.goto('/organization')
      await expect(page.getByRole('heading', { level: 1, name: '403 Not Authorized' })).toBeVisible()
    },
  )

  test(
    'the 403 page never shows words that an address made up [P14, 2.38]',
    details({ needs: ['staff'] }),
    async ({ as }) => {
      const page = await as('staff', '/not-authorized/Call-0800-SCAM/now')
      await expect(page.getByRole('heading', { level: 1, name: '403 Not Authorized' })).toBeVisible()
      await expect(page.getByText('SCAM')).toHaveCount(0)
    },
  )

  test(
    'on a narrow screen the navigation is a drawer over the page [4.09]',
    details({ needs: ['staff', 'remote-scan'], tag: '@mobile' }),
    async ({ as }) => {
      const page = await as('staff')
      await expect(page.getByText('This is the Staff dashboard')).toBeVisible()
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, 'nothing sticks out sideways').toBeLessThanOrEqual(360)
      await page.getByRole('banner').getByRole('button', { name: 'Toggle navigation' }).click()
      await page.getByRole('link', { name: 'Scan', exact: true }).click()
      await expect(page).toHaveURL(/\/scan/)
      await expect(page.getByRole('heading', { level: 1, name: 'Scans' })).toBeVisible()
    },
  )
})
