import type { Page } from 'playwright/test'
import { account } from './support/accounts.ts'
import { addColleagueWithMfa, addColleague } from './support/colleague.ts'
import { details, expect, fillIn, test } from './support/journey.ts'
import { getDeployment } from './support/deployment.ts'
import { newestMail } from './support/mailbox.ts'
import { deactivateUser, mailDomain, markedAddress } from './support/marked.ts'
import { untilQuiet } from './support/page.ts'

const colleague = details({
  needs: ['admin', 'mailbox'],
  writes: 'a user in the organization of E2E_ADMIN, who is deactivated at the end',
})

test.describe('signing in and out', { tag: '@session' }, () => {
  test('the bare address leads to sign-in [2.02, 2.03, 2.42, 1.01]', details({ tag: '@smoke' }), async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page).toHaveTitle(/Data Management Platform/)
    for (const name of ['Forgot password', 'Register']) await expect(page.getByRole('link', { name })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Submit' })).toBeDisabled()
  })

  test(
    'staff signs in, sees the own dashboard, and signs out in one click [2.03, 2.09, 2.34, 4.11, 7.03, 7.05, 7.09]',
    details({ needs: ['staff'], tag: '@smoke' }),
    async ({ page }) => {
      await page.goto('/login')
      await fillIn(page, 'staff')
      await expect(page).toHaveURL(/\/dashboard$/)
      await expect(page.getByText('This is the Staff dashboard')).toBeVisible()
      await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
      await expect(page).toHaveURL(/\/login/)
      await page.goto('/dashboard')
      await expect(page).toHaveURL(/\/login/)
    },
  )

  test(
    'a wrong password and an unknown account read alike [P07, 8.03]',
    details({ needs: ['southAdmin'] }),
    async ({ page, gates }) => {
      gates.expectStatus(401, '/account/login')
      gates.expectStatus(400, '/account/login')
      const texts: string[] = []
      for (const email of [account('southAdmin').email, markedAddress('nobody')]) {
        await page.goto('/login')
        await page.getByLabel('Email', { exact: true }).fill(email)
        await page.getByLabel('Password', { exact: true }).fill('Wrong-Passw0rd!')
        await page.getByRole('button', { name: 'Submit' }).click()
        texts.push(await page.getByRole('alert').innerText())
      }
      expect(texts[0]).toBe(texts[1])
      expect(texts[0]).not.toBe('')
      // The right one lets in, and what was tried before is forgiven.
      await fillIn(page, 'southAdmin')
      await expect(page).toHaveURL(/\/dashboard$/)
    },
  )

  test(
    'a service user is signed out at once and told why [1.11, 6.01, 8.07]',
    details({ needs: ['service'] }),
    async ({ page }) => {
      await page.goto('/login')
      await fillIn(page, 'service')
      await expect(
        page.getByText('A service user account cannot be used to login on the web application.'),
      ).toBeVisible()
      await page.goto('/dashboard')
      await expect(page).toHaveURL(/\/login/)
    },
  )

  test(
    'the second step asks for the mailed code [2.42, 3.02, 4.10, 7.11]',
    colleague,
    async ({ page, request, undo }) => {
      const email = markedAddress('careful')
      undo(`the user ${email}`, async (callAs) => deactivateUser(await callAs('admin'), email))
      const careful = await addColleagueWithMfa(request, email)
      const began = new Date()
      await page.goto('/login')
      await fillIn(page, careful)
      await expect(page.getByText('Please enter your verification code')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Resend Code' })).toBeDisabled()
      const { code } = await newestMail(request, careful.email, began)
      await page.getByLabel('Verification code').fill(code ?? '')
      await page.getByRole('button', { name: 'Submit' }).click()
      await expect(page).toHaveURL(/\/dashboard$/)
    },
  )

  test('going back from the second step leaves nothing typed [4.10]', details({ needs: ['mfa'] }), async ({ page }) => {
    await page.goto('/login')
    await fillIn(page, 'mfa')
    await page.getByRole('button', { name: 'Back to login' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  })

  test(
    'a guarded address leads over sign-in and back to itself [2.01, 2.31]',
    details({ needs: ['staff', 'remote-scan'] }),
    async ({ page }) => {
      await page.goto('/scan')
      await expect(page).toHaveURL(/\/login/)
      await fillIn(page, 'staff')
      await expect(page).toHaveURL(/\/scan/)
      await expect(page.getByRole('heading', { level: 1, name: 'Scans' })).toBeVisible()
    },
  )

  test(
    'who is signed in already goes from sign-in to the dashboard [2.03]',
    details({ needs: ['staff'] }),
    async ({ as }) => {
      const page = await as('staff', '/login')
      await expect(page).toHaveURL(/\/dashboard$/)
    },
  )

  test(
    'signing out in one tab signs out the other [P08]',
    details({ needs: ['admin', 'remote-complaint'], tag: '@smoke' }),
    async ({ page, context }) => {
      await page.goto('/login')
      await fillIn(page, 'admin')
      await expect(page).toHaveURL(/\/dashboard$/)
      const second = await context.newPage()
      await second.goto('/complaint')
      await expect(second.getByRole('heading', { level: 1 })).toBeVisible()
      await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
      await expect(second).toHaveURL(/\/login/)
    },
  )

  test(
    'looking at pictures keeps the session, and its end takes them away [4.08, 4.13]',
    details({ needs: ['staff', 'remote-scan', 'viewable scan', 'quick viewer', 'idle watch'] }),
    async ({ page, context, gates }) => {
      await page.goto('/login')
      await fillIn(page, 'staff')
      await expect(page).toHaveURL(/\/dashboard$/)
      await page.goto(`/scan?searchTerm=${getDeployment().viewable?.seriesUID}&page=1`)
      await page.getByRole('table').first().getByRole('row').nth(1).getByRole('link').first().click()
      const opening = context.waitForEvent('page')
      await page.getByRole('button', { name: 'View', exact: true }).click()
      const viewer = await opening
      const pane = viewer.locator('.pane:not(.empty)').first()
      await expect(pane).toBeVisible({ timeout: 20_000 })
      // As if nobody had been active for as long as the warning takes.
      const restMs = (getDeployment().settings.idle.idleMinutes + 0.5) * 60_000
      await page.evaluate((at) => localStorage.setItem('lastActiveTime', String(at)), Date.now() - restMs)
      const warning = page.getByRole('dialog')
      await expect(warning).toContainText('your session will timeout in')
      await pane.hover()
      await expect(warning).toBeHidden()
      gates.expectStatus(401, '/dicom-web/')
      await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
      await expect(viewer.getByRole('alert')).toContainText('Your session has expired')
      await expect(viewer.locator('.picture canvas')).toHaveCount(0)
    },
  )

  test(
    'forgetting the password: one answer for every address, a link by mail [1.09, 2.05, 2.45, 7.07]',
    colleague,
    async ({ page, request, undo }) => {
      const email = markedAddress('forgetful')
      undo(`the user ${email}`, async (callAs) => deactivateUser(await callAs('admin'), email))
      await addColleague(request, email)
      const began = new Date()
      await page.goto('/forgot-password')
      await page.getByLabel('Email', { exact: true }).fill(email)
      await page.getByRole('button', { name: 'Get reset password link' }).click()
      await expect(
        page.getByText('We have sent you an email with the link to change your password. Kindly check your email.'),
      ).toBeVisible()
      const { links } = await newestMail(request, email, began)
      expect(links.some((link) => new URL(link).pathname.startsWith('/reset-password/'))).toBe(true)
      await page.goto('/forgot-password')
      await page.getByLabel('Email', { exact: true }).fill(`nobody-${Date.now()}@${mailDomain}`)
      await page.getByRole('button', { name: 'Get reset password link' }).click()
      await expect(
        page.getByText('We have sent you an email with the link to change your password. Kindly check your email.'),
      ).toBeVisible()
      await page
        .getByRole('button', { name: 'Go to login' })
        .or(page.getByRole('link', { name: 'Go to login' }))
        .click()
      await expect(page).toHaveURL(/\/login/)
    },
  )

  test(
    'an idle page warns, and signs out when nobody answers [2.40, 4.13, 9.07]',
    details({ needs: ['staff', 'idle watch'] }),
    async ({ page, context, gates }) => {
      const { idleMinutes, timeoutMinutes } = getDeployment().settings.idle

      const quiet = untilQuiet(page)
      await page.clock.install()
      await page.goto('/login')
      await fillIn(page, 'staff')
      await expect(page.getByText('This is the Staff dashboard')).toBeVisible()
      await minutesPass(page, quiet, idleMinutes)
      const warning = page.getByRole('dialog')
      await expect(warning).toContainText('For your account security, your session will timeout in')
      await page.mouse.click(5, 5)
      await expect(warning).toBeHidden()
      await minutesPass(page, quiet, idleMinutes)
      await expect(warning).toBeVisible()
      await minutesPass(page, quiet, timeoutMinutes - 1)
      // Requests of the minute in which the page signs out may be answered later.
      gates.expectStatus(401, '/account/')
      await minutesPass(page, quiet, 1)
      await expect(
        page.getByText(
          "Your session's been inactive for a while, so we've logged you off from the product to keep your account details safe.",
        ),
      ).toBeVisible()
      expect((await context.cookies()).filter(({ name }) => /token|session/i.test(name))).toEqual([])
    },
  )
})

/**
 * A minute at a time, each time after everything asked was answered: a clock that overtakes the network ends requests
 * and tokens that slow time does not.
 */
async function minutesPass(page: Page, quiet: () => Promise<void>, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    await quiet()
    await page.clock.fastForward('01:00')
  }
  await quiet()
  await page.clock.fastForward('00:01')
}
