import { details, expect, fillIn, test } from './support/journey.ts'
import { untilQuiet } from './support/page.ts'

const minuteMs = 60_000

test.describe('tabs of one session', { tag: '@session' }, () => {
  test(
    'renew their token once when it is due, and keep their live channels [4.12, 9.06]',
    details({ needs: ['staff'] }),
    async ({ page, context }) => {
      const renewals: string[] = []
      context.on('request', (request) => {
        if (request.url().endsWith('/account/renewToken')) renewals.push(request.method())
      })
      let isCut = false
      const watch = (tab: typeof page) => tab.on('websocket', (socket) => socket.on('close', () => (isCut = true)))
      watch(page)
      const isQuietIn = [untilQuiet(page)]
      await page.clock.install()
      await page.goto('/login')
      await fillIn(page, 'staff')
      await expect(page).toHaveURL(/\/dashboard$/)
      const other = await context.newPage()
      watch(other)
      isQuietIn.push(untilQuiet(other))
      await other.goto('/dashboard')
      await expect(other.getByText('This is the Staff dashboard')).toBeVisible()
      renewals.length = 0
      // The clock is that of both tabs. The person is active, so that nobody is signed out for idling.
      for (const minutes of [8, 2, 3]) {
        // A call under way would run into its time limit.
        for (const isQuiet of isQuietIn) await isQuiet()
        await page.clock.fastForward(minutes * minuteMs)
        for (const tab of [page, other]) await tab.mouse.click(2, 2)
      }
      await expect(async () => expect(renewals).toEqual(['POST'])).toPass()
      // A renewal that is passed on for ever shows within a second or two.
      await new Promise((resolve) => setTimeout(resolve, 4000))
      expect(renewals).toEqual(['POST'])
      expect(isCut).toBe(false)
    },
  )
})
