import { details, expect, fillIn, test } from '../support/journey.ts'

test(
  'the host takes somebody from sign-in to the dashboard and out again',
  details({ needs: ['staff'], tag: ['@smoke', '@host', '@remote-account'] }),
  async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveURL(/\/login$/)
    await fillIn(page, 'staff')
    await expect(page.getByText('This is the Staff dashboard')).toBeVisible()
    await expect(
      page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name: 'Dashboard', exact: true }),
    ).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  },
)
