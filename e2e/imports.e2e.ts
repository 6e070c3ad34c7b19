import type { APIRequestContext } from 'playwright/test'
import { account, type Who } from './support/accounts.ts'
import { caller } from './support/caller.ts'
import { details, expect, test } from './support/journey.ts'
import { deactivateOrganization, markedAddress } from './support/marked.ts'

interface Export {
  readonly id: string
  readonly state: string
}

/** Everything of an organization, as its page downloads it. */
async function download(request: APIRequestContext, who: Who, id: string): Promise<Buffer> {
  const { call } = await caller(request, who)
  const { password } = account(who)
  await call('POST', `Organization/startExport/${id}`, { password })
  const newest = async (): Promise<Export | undefined> =>
    (await call<Export[]>('GET', `Organization/listExports?id=${id}`))[0]
  await expect.poll(async () => (await newest())?.state, { timeout: 120_000 }).toBe('Ready')
  const exportId = (await newest())?.id
  const { downloadUrl } = await call<{ downloadUrl: string }>('POST', `Organization/downloadExport/${id}`, {
    exportId,
    password,
  })
  return (await request.get(new URL(downloadUrl).pathname)).body()
}

/** Its objects by their hashes: the lists stand in the zip as they are. */
const hashesOf = (archive: Buffer): string[] =>
  [...archive.toString('latin1').matchAll(/([0-9a-f]{64}) {2}DICOM\//g)].map(([, sha256]) => String(sha256)).sort()

test.describe('imports', { tag: '@customers' }, () => {
  test(
    'an export of one organization is taken into another one, whose export has the same objects [P70, P75]',
    details({
      needs: ['demo', 'admin', 'super', "admin's scans", 'remote-organization'],
      writes: 'an organization Arrived-… with the scans of E2E_ADMIN, and exports; the organization is deactivated',
    }),
    async ({ as, request, undo }) => {
      test.setTimeout(300_000)
      const { call } = await caller(request, 'super')
      const profile = await (await caller(request, 'admin')).call<{ organizationId: string }>('GET', 'account/profile')
      const archive = await download(request, 'admin', profile.organizationId)
      expect(hashesOf(archive).length).toBeGreaterThan(0)

      const name = `Arrived-${Date.now().toString(36)}`
      undo(`the organization ${name}`, async (callAs) => deactivateOrganization(await callAs('super'), name))
      const person = { civility: 'Ms', firstName: 'Ina', lastName: 'Neu', email: markedAddress('ina') }
      const added = await call<{ id: string }>('POST', 'Organization/add', { name, withDatastore: true, ...person })

      const page = await as('super', `/account/organization/import?organizationId=${added.id}`)
      await page
        .getByLabel('Archive')
        .setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer: archive })
      const dialog = page.getByRole('dialog', { name: `Import into ${name}?` })
      await dialog.getByLabel('Your password').fill(account('super').password)
      await dialog.getByRole('button', { name: 'Start import' }).click()
      await expect(page.getByText(/were stored, 0 were there already, and 0 were refused\./)).toBeVisible({
        timeout: 120_000,
      })
      await expect(page.getByText('Done', { exact: true })).toBeVisible({ timeout: 60_000 })
      expect(hashesOf(await download(request, 'super', added.id))).toEqual(hashesOf(archive))

      const folder = process.env.E2E_IMPORT_PICTURES
      for (const colorScheme of folder ? (['light', 'dark'] as const) : [])
        for (const width of [1920, 1280, 768, 360]) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize({ width, height: 900 })
          await page.screenshot({ path: `${folder}/import-${width}-${colorScheme}.png`, fullPage: true })
        }
    },
  )
})
