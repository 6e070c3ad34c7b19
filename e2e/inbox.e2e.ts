import { caller } from './support/caller.ts'
import { details, expect, test } from './support/journey.ts'
import { resolveComplaints } from './support/marked.ts'

test.describe('the inbox', { tag: ['@complaint', '@account'] }, () => {
  test(
    'an answer to a complaint is unread on every page of its writer, until one of them has read it [P47, P48]',
    details({
      needs: ['staff', 'super', 'remote-complaint'],
      writes: 'a complaint of E2E_STAFF with a message and a mail to that account; it ends Resolved',
    }),
    async ({ as, another, undo, request }) => {
      const words = `Where is the slider since ${new Date().toISOString()}`
      undo('the complaint', async (callAs) => resolveComplaints(await callAs('super'), words))
      const { call } = await caller(request, 'staff')
      const { policy } = await call<{ policy: { module: string; moduleId: string }[] }>('GET', 'account/profile')
      const [type] = await call<{ id: string }[]>('GET', 'Complaint/listTypes')
      const { id, complaintNumber } = await call<{ id: string; complaintNumber: string }>('POST', 'Complaint/add', {
        typeId: type?.id,
        moduleId: policy.find(({ module }) => module === 'Scan')?.moduleId,
        description: words,
      })

      const page = await as('staff', '/inbox')
      const otherPage = await another('staff', '/inbox')
      for (const open of [page, otherPage])
        await expect(open.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()

      const provider = await another('super', `/complaint/detail/${id}`)
      await provider.getByLabel('Message', { exact: true }).fill('Below the picture.')
      await provider.getByRole('button', { name: 'Send' }).click()
      await expect(provider.getByRole('list', { name: 'Messages' })).toContainText('Below the picture.')

      const wrote = `wrote about complaint ${complaintNumber}.`
      const entry = { unread: new RegExp(`^Unread: .*${wrote}`), any: new RegExp(wrote) }
      for (const open of [page, otherPage]) await expect(open.getByRole('link', { name: entry.unread })).toBeVisible()
      await page.getByRole('link', { name: entry.unread }).click()
      await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Below the picture.')
      await expect(otherPage.getByRole('link', { name: entry.unread })).toBeHidden()
      await expect(otherPage.getByRole('link', { name: entry.any })).toBeVisible()
    },
  )

  test(
    'the bell opens what is new, and its choices, by keyboard and mouse [P29, P47]',
    details({ needs: ['staff'] }),
    async ({ as }) => {
      const page = await as('staff', '/dashboard')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.getByRole('button', { name: /^Inbox/ }).click()
      const panel = page.getByRole('dialog', { name: 'Inbox' })
      await panel.getByRole('link', { name: 'Choose what to be told' }).click()
      await expect(page.getByRole('combobox', { name: 'Scans arrive' })).toBeVisible()
      await page.getByRole('link', { name: 'Open the inbox' }).click()
      await expect(page).toHaveURL(/\/inbox$/)
    },
  )
})
