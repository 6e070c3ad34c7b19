import type { APIRequestContext } from 'playwright/test'
import { account } from './support/accounts.ts'
import { details, expect, test } from './support/journey.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly status: string
}

/** As a machine does, by Basic. */
const search = async (request: APIRequestContext, token: string): Promise<number> => {
  const authorization = `Basic ${Buffer.from(`machine:${token}`).toString('base64')}`
  return (await request.get('/dicom-web/studies?limit=1', { headers: { authorization } })).status()
}

test.describe('an API token', { tag: '@account' }, () => {
  test(
    'is made in a dialog, shown once, works for a machine, and ends at once [P35]',
    details({
      needs: ['admin', 'remote-account'],
      writes: 'an API token of E2E_ADMIN, which is ended at the end',
    }),
    async ({ as, request, undo }) => {
      const name = `Journey ${Date.now().toString(36)}`
      undo(`the API token ${name}`, async (callAs) => {
        const call = await callAs('admin')
        const rows = await call<Row[]>('GET', `ApiToken/list?page=1&pageSize=10&search=${encodeURIComponent(name)}`)
        for (const { id, status } of rows) if (status !== 'Ended') await call('PUT', `ApiToken/end/${id}`)
      })
      const page = await as('admin', '/account/api-tokens')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'New API token' }).click()
      const dialog = page.getByRole('dialog', { name: 'New API token' })
      await dialog.getByLabel('Name', { exact: true }).fill(name)
      await dialog.getByLabel('Your password').fill(account('admin').password)
      await expect(dialog.getByRole('button', { name: 'Create API token' })).toBeDisabled()
      await dialog.getByRole('checkbox', { name: 'Search, view and download scans' }).check()
      await dialog.getByRole('button', { name: 'Create API token' }).click()

      const shown = page.getByRole('dialog', { name: `API token for ${name}` })
      const token = await shown.getByLabel('API token', { exact: true }).inputValue()
      expect(token).toMatch(/^dmp_\w{49}$/)
      await shown.getByRole('button', { name: 'Copy', exact: true }).click()
      await expect(page.getByText('API token copied to clipboard.')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
      await shown.getByRole('button', { name: 'Close' }).last().click()
      await expect(shown).toHaveCount(0)
      expect(await page.content()).not.toContain(token)

      expect(await search(request, token)).toBe(200)
      await page.getByRole('table', { name: 'API tokens' }).getByRole('link', { name }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await page.getByRole('button', { name: 'End API token' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'End API token' }).click()
      await expect(page.getByText(`${name} ended`)).toBeVisible()
      await expect(page.getByRole('button', { name: 'End API token' })).toHaveCount(0)
      expect(await search(request, token)).toBe(401)
    },
  )
})
