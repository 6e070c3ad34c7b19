import type { Page } from 'playwright/test'
import { addColleague } from './support/colleague.ts'
import { details, expect, test } from './support/journey.ts'
import { newestMail } from './support/mailbox.ts'
import { deactivateUser, markedAddress } from './support/marked.ts'

const first = 'First Passw0rd!'
const second = 'Second Passw0rd!'

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Submit' }).click()
}

const colleague = details({
  needs: ['admin', 'mailbox'],
  writes: 'a user in the organization of E2E_ADMIN, who is deactivated at the end',
  tag: '@account',
})

test.describe('the own account', colleague, () => {
  test('from the first sign-in to the second step and a new password [1.09, 2.04, 2.43, 2.46, 2.47, 4.10, 4.15, 5.01, 5.02, 8.09]', async ({
    page,
    request,
    gates,
    undo,
  }) => {
    // Several people and pages: slow machines need the time.
    test.slow()
    gates.expectStatus(400, '/account/updatePreferences')
    gates.expectStatus(401, '/account/updatePreferences')
    const email = markedAddress('journey')
    undo(`the user ${email}`, async (callAs) => deactivateUser(await callAs('admin'), email))
    const temporary = await addColleague(request, email)

    await signIn(page, email, temporary)
    await expect(page.getByRole('heading', { level: 1, name: 'Set New Password' })).toBeVisible()
    await expect(page, 'the codes are out of the address').toHaveURL(/\/set-new-password$/)
    await page.reload()
    await page.getByLabel('New password').fill('weak')
    await page.getByLabel('Confirm password').fill('weak')
    await expect(page.getByRole('button', { name: 'Set New Password' })).toBeDisabled()
    await page.getByLabel('New password').fill(first)
    await page.getByLabel('Confirm password').fill(first)
    await page.getByRole('checkbox', { name: /Terms of Use/ }).check()
    await page.getByRole('button', { name: 'Set New Password' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)

    await page.goto('/account/profile')
    await page.getByRole('region', { name: 'Profile Information' }).getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('First name').fill('Joanna')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Profile updated successfully!')).toBeVisible()
    await expect(page.getByText('Ms Joanna Journey').first(), 'the shell follows').toBeVisible()

    const preferences = page.getByRole('region', { name: 'Preferences' })
    await expect(preferences.getByRole('checkbox', { name: 'MFA Enabled' })).toBeDisabled()
    await preferences.getByRole('button', { name: 'Edit' }).click()
    await expect(preferences.getByRole('button', { name: 'Save' })).toBeDisabled()
    await preferences.getByRole('checkbox', { name: 'MFA Enabled' }).check()
    await preferences.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Preference Updated successfully!')).toBeVisible()
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL(/\/login/)

    const requestedAt = new Date()
    await signIn(page, email, first)
    await expect(page.getByText('Please enter your verification code')).toBeVisible()
    const { code } = await newestMail(request, email, requestedAt)
    await page.getByLabel('Verification code').fill(code ?? '')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)

    await page.goto('/account/profile')
    for (const password of ['not this one', first]) {
      await preferences.getByRole('button', { name: 'Edit' }).click()
      await preferences.getByRole('checkbox', { name: 'MFA Enabled' }).uncheck()
      await preferences.getByLabel('Password', { exact: true }).fill(password)
      await preferences.getByRole('button', { name: 'Save' }).click()
      await expect(
        password === first ? page.getByText('Preference Updated successfully!') : preferences.getByRole('alert'),
      ).toBeVisible()
    }

    await page.goto('/account/Security')
    await page.getByLabel('Current password').fill(first)
    await page.getByLabel('New password').fill(second)
    await page.getByLabel('Confirm password').fill(second)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Password changed successfully!')).toBeVisible()
    await expect(page.getByLabel('Current password')).toHaveValue('')
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
    await signIn(page, email, second)
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('a reset link works once, and its code leaves the address at once [2.06, 2.44, 5.01, P06]', async ({
    page,
    request,
    gates,
    undo,
  }) => {
    gates.expectStatus(400, '/account/resetForgotPassword')
    const email = markedAddress('journey-reset')
    undo(`the user ${email}`, async (callAs) => deactivateUser(await callAs('admin'), email))
    const temporary = await addColleague(request, email)
    await signIn(page, email, temporary)
    await page.getByLabel('New password').fill(first)
    await page.getByLabel('Confirm password').fill(first)
    await page.getByRole('checkbox', { name: /Terms of Use/ }).check()
    await page.getByRole('button', { name: 'Set New Password' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()

    const began = new Date()
    await page.goto('/forgot-password')
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Get reset password link' }).click()
    const link = (await newestMail(request, email, began)).links.find((href) => href.includes('/reset-password/')) ?? ''
    for (const isFirst of [true, false]) {
      await page.goto(new URL(link).pathname)
      await expect(page.getByRole('heading', { level: 1, name: 'Reset your password' })).toBeVisible()
      await expect(page).toHaveURL(/\/reset-password$/)
      if (isFirst) await page.reload()
      await page.getByLabel('Password', { exact: true }).fill(second)
      await page.getByLabel('Confirm password').fill(second)
      await page.getByRole('button', { name: 'Reset Password' }).click()
      if (isFirst) await expect(page).toHaveURL(/\/login$/)
      else await expect(page.getByRole('alert')).toBeVisible()
    }
    await signIn(page, email, second)
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})
