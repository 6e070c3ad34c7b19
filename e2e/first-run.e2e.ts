import type { Locator, Page } from 'playwright/test'
import { violations } from './support/axe.ts'
import { details, expect, test } from './support/journey.ts'
import { startOwnServer } from './support/ownServer.ts'
import { keepSecrets } from './support/secrets.ts'

const password = 'Brand New Passw0rd!'

/** Counts what a person presses; what they type is not counted. */
function createHand(page: Page) {
  let clicks = 0
  return {
    press: async (target: Locator) => {
      clicks += 1
      await target.click()
    },
    type: (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    clicks: () => clicks,
  }
}

test.describe('the first run', { tag: ['@first-run', '@desktop'] }, () => {
  test(
    'goes from an empty production database to a picture in the viewer, step by step [P50]',
    details({ needs: ['demo'], writes: 'a server of its own, which is stopped at the end' }),
    async ({ browser }) => {
      // A server starts from nothing on the way.
      test.slow()
      const server = await startOwnServer()
      keepSecrets(`${server.setupLink} ${password}`)
      const context = await browser.newContext({ baseURL: server.url })
      try {
        const page = await context.newPage()
        const { press, type, button, clicks } = createHand(page)
        await page.goto(server.setupLink)
        await expect(page).toHaveURL(`${server.url}/setup`)
        await type('First Name', 'Eva')
        await type('Last Name', 'First')
        await type('Email', 'eva@provider.example')
        await type('Password', password)
        await type('Confirm password', password)
        expect(await violations(page)).toEqual([])
        await press(button('Create administrator'))
        const steps = page.getByRole('list', { name: 'Set-up steps' })
        await expect(steps.getByRole('listitem')).toHaveCount(6)
        await press(button('Test storage'))
        await expect(steps).toContainText('A test object was written, read back and removed.')
        await press(button('Send a test to me'))
        await expect(steps).toContainText('The mail server took a test mail to eva@provider.example')
        expect(server.mails.some((mail) => mail.includes('Subject: Test mail'))).toBe(true)
        expect(await violations(page)).toEqual([])

        await press(steps.getByRole('button', { name: 'Add organization' }))
        await type('Name', 'Fjord-Clinic')
        await type('First Name', 'Ada')
        await type('Last Name', 'Fjord')
        await type('Email', 'ada@fjord.example')
        expect(await violations(page)).toEqual([])
        await press(button('Add organization'))
        const first = page.getByRole('list', { name: 'First steps' })
        await expect(first).toContainText('ada@fjord.example is invited and has not signed in yet.')
        await press(first.getByRole('button', { name: 'Add the sample study' }))
        await expect(page.getByRole('heading', { level: 1 })).toContainText('Sample')
        const opening = context.waitForEvent('page')
        await press(page.getByRole('button', { name: 'View', exact: true }))
        await expectPicture(await opening)
        expect(clicks(), 'presses from the link to the picture').toBeLessThanOrEqual(7)

        // The link is dead, for whoever finds it.
        const stranger = await (await browser.newContext({ baseURL: server.url })).newPage()
        await stranger.goto(server.setupLink)
        await expect(stranger.getByRole('alert')).toContainText('This set-up link does not work.')
        await expectInvitationWorks(stranger, server.mails)
      } finally {
        await context.close()
        await server.stop()
      }
    },
  )
})

/** The viewer has drawn: some pixels are bright and some are dark. */
async function expectPicture(viewer: Page): Promise<void> {
  await expect
    .poll(
      () =>
        viewer.evaluate(() => {
          const canvas = [...document.querySelectorAll('canvas')].find(({ width }) => width > 200)
          const copy = document.createElement('canvas')
          copy.width = copy.height = 64
          const pen = copy.getContext('2d')
          if (!canvas || !pen) return 0
          pen.drawImage(canvas, 0, 0, 64, 64)
          const { data } = pen.getImageData(0, 0, 64, 64)
          return new Set(data.filter((_value, index) => index % 4 === 0)).size
        }),
      { message: 'shades of grey in the viewer', timeout: 60_000 },
    )
    .toBeGreaterThan(8)
}

/** The mail says what is true: its password signs in, and the sample can be removed again. */
async function expectInvitationWorks(page: Page, mails: readonly string[]): Promise<void> {
  await expect.poll(() => mails.find((mail) => mail.includes('Subject: You are invited'))).toBeTruthy()
  const mail = mails.find((text) => text.includes('Subject: You are invited')) ?? ''
  const temporary = /^ {4}(\S+)\r?$/m.exec(mail)?.[1] ?? ''
  keepSecrets(temporary)
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill('ada@fjord.example')
  await page.getByLabel('Password', { exact: true }).fill(temporary)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByRole('checkbox', { name: /Terms of Use/ }).check()
  await page.getByRole('button', { name: 'Set New Password' }).click()
  const first = page.getByRole('list', { name: 'First steps' })
  await first.getByRole('button', { name: 'Remove the sample' }).click()
  await expect(first.getByRole('button', { name: 'Add the sample study' })).toBeVisible()
}
