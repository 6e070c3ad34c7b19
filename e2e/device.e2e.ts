import type { APIRequestContext } from 'playwright/test'
import { violations } from './support/axe.ts'
import { account } from './support/accounts.ts'
import { details, expect, test } from './support/journey.ts'

interface Row {
  readonly id: string
  readonly status: string
}
interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri_complete: string
}

const clientId = 'journey'
/** As a machine does (RFC 8628): it begins, and asks what became of its code. */
const begin = async (request: APIRequestContext, name: string): Promise<Codes> =>
  (await (
    await request.post('/api/oauth/device', { form: { client_id: clientId, name, scope: 'read upload' } })
  ).json()) as Codes
const poll = async (request: APIRequestContext, { device_code }: Codes) => {
  const grant = 'urn:ietf:params:oauth:grant-type:device_code'
  const reply = await request.post('/api/oauth/token', {
    form: { grant_type: grant, device_code, client_id: clientId },
  })
  return (await reply.json()) as { access_token?: string; scope?: string; error?: string }
}
const search = async (request: APIRequestContext, token = ''): Promise<number> =>
  (await request.get('/dicom-web/studies?limit=1', { headers: { authorization: `Bearer ${token}` } })).status()

test.describe('a machine that shows a code', { tag: ['@account', '@a11y'] }, () => {
  test(
    'is looked at and approved in the browser, fetches its API token, and gives it back [P45]',
    details({
      needs: ['admin', 'remote-account'],
      writes: 'an API token of E2E_ADMIN, which is ended at the end',
    }),
    async ({ as, request, undo }) => {
      const name = `Station ${Date.now().toString(36)}`
      undo(`the API token ${name}`, async (callAs) => {
        const call = await callAs('admin')
        const rows = await call<Row[]>('GET', `ApiToken/list?page=1&pageSize=10&search=${encodeURIComponent(name)}`)
        for (const { id, status } of rows) if (status !== 'Ended') await call('PUT', `ApiToken/end/${id}`)
      })
      const codes = await begin(request, name)
      const { pathname, search: query } = new URL(codes.verification_uri_complete)
      const page = await as('admin', pathname + query)
      await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue(codes.user_code)
      // By keyboard alone: the field has the focus.
      await page.keyboard.press('Enter')
      await expect(page.getByRole('region', { name: 'What asks' }).getByText(name)).toBeVisible()
      await expect(page.getByText(`Approve only what you started yourself`)).toContainText(codes.user_code)
      expect(await violations(page)).toEqual([])
      await page.getByRole('checkbox', { name: 'Upload scans' }).uncheck()
      await page.getByLabel('Your password').fill(account('admin').password)
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await expect(page.getByRole('status').getByText(`${name} fetches its API token`)).toBeVisible()

      const { access_token: token, scope } = await poll(request, codes)
      expect(scope).toBe('read')
      expect(await search(request, token)).toBe(200)
      expect(await poll(request, codes)).toMatchObject({ error: 'invalid_grant' })
      await page.getByRole('link', { name: 'Go to API tokens' }).click()
      await expect(page.getByRole('table', { name: 'API tokens' }).getByRole('link', { name })).toBeVisible()
      await request.post('/api/oauth/revoke', { form: { token: token ?? '' } })
      expect(await search(request, token)).toBe(401)
    },
  )
})
