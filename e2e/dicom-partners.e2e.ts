import { account } from './support/accounts.ts'
import { violations } from './support/axe.ts'
import { details, expect, test } from './support/journey.ts'
import { callAsModality } from './support/modality.ts'

interface Row {
  readonly id: string
  readonly aeTitle: string
}

test.describe('a DICOM partner', { tag: ['@account', '@a11y'] }, () => {
  test(
    'calls in vain, is added by a press, is disabled, and is deleted [P51]',
    details({
      needs: ['admin', 'remote-account', 'own DICOM node'],
      writes: 'a DICOM partner of E2E_ADMIN and its refused call, which are deleted at the end',
    }),
    async ({ as, undo }) => {
      // Refused callers are noted in the background, and read anew.
      test.slow()
      const callingTitle = `J${Date.now().toString(36).toUpperCase()}`
      const name = `Journey ${callingTitle}`
      undo(`the DICOM partner ${name}`, async (callAs) => {
        const call = await callAs('admin')
        const mine = ({ aeTitle }: Row) => aeTitle === callingTitle
        const rows = await call<Row[]>('GET', `DicomPartner/list?page=1&pageSize=10&search=${callingTitle}`)
        for (const { id } of rows.filter(mine)) await call('DELETE', `DicomPartner/delete/${id}`)
        const callers = await call<Row[]>('GET', 'DicomPartner/listCallers')
        for (const { id } of callers.filter(mine)) await call('DELETE', `DicomPartner/dismissCaller/${id}`)
      })
      const page = await as('admin', '/account/dicom-partners')
      const fact = (label: string) => page.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd[1]')
      const calledTitle = (await fact('AE title of your organization').textContent()) ?? ''
      const port = Number.parseInt((await fact('Port').textContent()) ?? '', 10)
      const dial = () => callAsModality({ port, calledTitle, callingTitle })
      expect(await callAsModality({ port, calledTitle: 'NOBODY', callingTitle })).toBe('1, 1, 7')
      expect(await dial()).toBe('1, 1, 3')
      await expect(async () => {
        await page.reload()
        await page.getByRole('button', { name: `Add ${callingTitle} from 127.0.0.1` }).click({ timeout: 5000 })
      }).toPass()
      const dialog = page.getByRole('dialog', { name: 'New DICOM partner' })
      await expect(dialog.getByLabel('AE title')).toHaveValue(callingTitle)
      await dialog.getByLabel('Name', { exact: true }).fill(name)
      await dialog.getByRole('checkbox', { name: /^Search/ }).check()
      await dialog.getByLabel('Your password').fill(account('admin').password)
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Add partner' }).press('Enter')
      await expect(page.getByText(`${name} may connect now`)).toBeVisible()
      expect(await dial()).toBe('let in')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page)).toEqual([])
      }
      for (const width of [360, 768, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      }

      await page.getByRole('table', { name: 'DICOM partners' }).getByRole('link', { name }).click()
      await expect(page.getByText('Search (C-FIND)')).toBeVisible()
      await page.getByRole('button', { name: 'Disable' }).click()
      await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible()
      expect(await violations(page)).toEqual([])
      expect(await dial()).toBe('1, 1, 3')
      await page.getByRole('button', { name: 'Enable' }).click()
      await expect(page.getByRole('button', { name: 'Disable' })).toBeVisible()
      expect(await dial()).toBe('let in')
      await page.getByRole('button', { name: 'Delete partner' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete partner' }).click()
      await expect(page.getByText(`${name} deleted`)).toBeVisible()
      await expect(page.getByRole('link', { name })).toHaveCount(0)
      expect(await dial()).toBe('1, 1, 3')
    },
  )

  test('is nothing that staff see [P51]', details({ needs: ['staff', 'remote-account'] }), async ({ as }) => {
    const page = await as('staff', '/account/profile')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'DICOM partners' })).toHaveCount(0)
    await page.goto('/account/dicom-partners')
    await expect(page.getByRole('button', { name: 'New partner' })).toHaveCount(0)
  })
})
