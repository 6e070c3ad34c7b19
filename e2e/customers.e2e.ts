import { account } from './support/accounts.ts'
import { getClientId } from './support/caller.ts'
import { getDeployment } from './support/deployment.ts'
import { details, expect, test } from './support/journey.ts'
import { newestMail } from './support/mailbox.ts'
import { deactivateOrganization, deactivateUser, markedAddress, rejectRegistration } from './support/marked.ts'
import { openRow } from './support/page.ts'

const unique = () => Date.now().toString(36)

test.describe('customers', { tag: '@customers' }, () => {
  test(
    'somebody registers, is approved, and signs in with the mailed password [1.06, 1.10, 2.04, 2.07, 2.43, 2.56, 2.57, 4.05, 5.02, 7.04, 7.37, 8.10]',
    details({
      needs: ['super', 'mailbox'],
      writes: 'an organization East-… and its first administrator; the organization is deactivated at the end',
    }),
    async ({ page, another, request, undo }) => {
      const name = `East-${unique()}`
      const email = markedAddress('ines')
      undo(`the organization ${name}`, async (callAs) => deactivateOrganization(await callAs('super'), name))
      undo(`the registration of ${email}`, async (callAs) => rejectRegistration(await callAs('super'), email))
      await page.goto('/register')
      await page.getByRole('textbox', { name: 'First Name' }).fill('Ines')
      await page.getByRole('textbox', { name: 'Last Name' }).fill('Vogel')
      await page.getByLabel('Organization', { exact: true }).fill(name)
      await page.getByLabel('Email', { exact: true }).fill(email)
      await page.getByRole('checkbox', { name: /Terms of Use/ }).check()
      await page.getByRole('button', { name: 'Register' }).click()
      await expect(page.getByRole('heading', { name: 'Registration Successful!' })).toBeVisible()

      const began = new Date()
      const provider = await another('super', '/registration')
      await openRow(provider, email)
      await expect(provider.getByText('Registration pending')).toBeVisible()
      await provider.getByRole('button', { name: 'Approve' }).click()
      await provider
        .getByRole('dialog', { name: 'Approve registration' })
        .getByRole('button', { name: 'Approve' })
        .click()
      await expect(provider.getByText(`Registration for ${name} approved`)).toBeVisible()
      await expect(provider.getByRole('button', { name: 'Approve' })).toHaveCount(0)

      const mail = await newestMail(request, email, began)
      await page.goto('/login')
      await page.getByLabel('Email', { exact: true }).fill(email)
      await page.getByLabel('Password', { exact: true }).fill(mail.code ?? '')
      await page.getByRole('button', { name: 'Submit' }).click()
      await expect(page.getByRole('heading', { name: 'Set New Password' })).toBeVisible()
      await page.getByLabel('New password', { exact: true }).fill('Brand New Passw0rd!')
      await page.getByLabel('Confirm password', { exact: true }).fill('Brand New Passw0rd!')
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Set New Password' }).click()
      await expect(page.getByText('This is the Administrator dashboard')).toBeVisible()
    },
  )

  test(
    'a rejection wants a comment, which then shows; Approve remains [4.05, 5.10]',
    details({
      needs: ['super'],
      writes: 'a registration of an address that nobody can have; it ends Rejected (registrations cannot be deleted)',
    }),
    async ({ page, as, undo }) => {
      const email = markedAddress('max')
      undo(`the registration of ${email}`, async (callAs) => rejectRegistration(await callAs('super'), email))
      await page.goto('/register')
      await page.getByRole('textbox', { name: 'First Name' }).fill('Max')
      await page.getByRole('textbox', { name: 'Last Name' }).fill('Late')
      await page.getByLabel('Organization', { exact: true }).fill(`Late-${unique()}`)
      await page.getByLabel('Email', { exact: true }).fill(email)
      await page.getByRole('checkbox', { name: /Terms of Use/ }).check()
      await page.getByRole('button', { name: 'Register' }).click()
      await expect(page.getByRole('heading', { name: 'Registration Successful!' })).toBeVisible()
      await as('super', '/registration')
      await openRow(page, email)
      await page.getByRole('button', { name: 'Reject' }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('button', { name: /submit|reject/i })).toBeDisabled()
      await dialog.getByLabel('Comment').fill('No contract.')
      await dialog.getByRole('button', { name: /submit|reject/i }).click()
      await expect(page.getByText('No contract.').first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Reject' })).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible()
    },
  )

  test(
    'the provider gives an organization its datastore and its licenses [1.05, 2.14, 2.15, 2.16, 2.53, 2.54, 4.04, 4.06]',
    details({
      needs: ['super', 'seeded organization'],
      writes: 'a license of the seeded organization, which is given and taken back',
    }),
    async ({ as }) => {
      const page = await as('super', '/organization')
      await openRow(page, getDeployment().seededOrganization ?? '')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      // Once there and once back, so that it ends as it was.
      for (const name of ['there', 'back']) {
        await page.getByRole('button', { name: 'Assign SaaS' }).click()
        const box = page.getByRole('checkbox', { name: 'Active BMD' })
        await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
        await box.click()
        await page.getByRole('button', { name: 'Save' }).click()
        await expect(page.getByText('License/s have been successfully assigned').first(), name).toBeVisible()
        await expect(page).toHaveURL(/\/organization\/detail\//)
      }
    },
  )

  test(
    "the provider's own organization shows neither actions nor datastore [6.09]",
    details({ needs: ['super'] }),
    async ({ as }) => {
      const page = await as('super', '/account/organization')
      await expect(page.getByText('Organization Details').first()).toBeVisible()
      for (const name of ['Activate', 'Deactivate', 'Create Datastore', 'Assign SaaS'])
        await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
      await expect(page.getByText('Datastore Status')).toHaveCount(0)
    },
  )

  test(
    'an administrator adds a user, who cannot sign in once deactivated [1.08, 2.22, 2.23, 2.60, 2.61, 2.62, 4.03, 7.16, 7.17]',
    details({
      needs: ['admin', 'mailbox'],
      writes: 'a user in the organization of E2E_ADMIN, who is deactivated at the end',
    }),
    async ({ as, request, page, undo }) => {
      const email = markedAddress('nora')
      undo(`the user ${email}`, async (callAs) => deactivateUser(await callAs('admin'), email))
      const began = new Date()
      await as('admin', '/user')
      await page.getByRole('button', { name: 'Add User' }).click()
      await page.getByRole('textbox', { name: 'First Name' }).fill('Nora')
      await page.getByRole('textbox', { name: 'Last Name' }).fill('Neu')
      await page.getByLabel('User Role').selectOption({ label: 'Staff' })
      await page.getByLabel('Email', { exact: true }).fill(email)
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page).toHaveURL(/\/user(\/detail\/|\?|$)/)
      const mail = await newestMail(request, email, began)
      expect(mail.code).toBeTruthy()
      await page.goto('/user')
      await openRow(page, email)
      await expect(page.getByRole('button', { name: 'Reset Temp Password' })).toBeVisible()
      await page.getByRole('button', { name: 'Deactivate User' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
      await expect(page.getByText('Nora Neu deactivated').first()).toBeVisible()
      const response = await request.post('/api/account/login', {
        data: { ClientId: getClientId(), email, password: mail.code },
      })
      expect(response.status()).toBeGreaterThanOrEqual(400)
    },
  )

  test('nobody deactivates themself [6.07]', details({ needs: ['admin'] }), async ({ as, page }) => {
    await as('admin', '/user')
    await openRow(page, account('admin').email)
    await expect(page.getByText(account('admin').email).last()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Deactivate User' })).toHaveCount(0)
  })
})
