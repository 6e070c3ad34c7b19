import { details, expect, test } from './support/journey.ts'

/** A text of the list of complaints, at whose place in the script the page is made to throw. */
const marker = 'Overdue means that the day'

test(
  'an error that a page throws is listed for the team of its part with function and place in its sources [P84]',
  details({ needs: ['super', 'remote-complaint', 'demo'] }),
  async ({ as, another, page }) => {
    const told = page.waitForResponse(/\/api\/Release\/reportErrors$/)
    await as('super', '/complaint')
    await expect(page.getByRole('table')).toBeVisible()
    // A real error would fail the journey; this one goes the same way, with a stack that a browser could have written.
    await page.evaluate(async (text) => {
      const scripts = performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /\/releases\/remote-complaint\/.*\.js$/.test(name))
      for (const address of scripts) {
        const column = (await (await fetch(address)).text()).split('\n')[0]?.indexOf(text) ?? -1
        if (column < 0) continue
        const error = new TypeError('Cannot read properties of undefined (reading Ada)')
        error.stack = `TypeError\n    at list (${address}:1:${column + 1})\n    at https://dmp.example/complaint/Ada:1:1`
        dispatchEvent(new ErrorEvent('error', { error }))
        return
      }
      throw new Error(`No script says ${text}.`)
    }, marker)
    expect((await told).status()).toBe(200)

    const team = await another('super', '/platform')
    await team.getByRole('link', { name: 'Errors and times of Complaints' }).click()
    const errors = team.getByRole('region', { name: 'Errors of the last 30 days' })
    await errors.getByText('TypeError: Cannot read properties of undefined (reading …)').first().click()
    await expect(errors.getByRole('region', { name: 'Stack' }).first()).toHaveText(
      /ComplaintListScreen \(.*ComplaintListScreen\.tsx:\d+:\d+\)/,
    )
    await expect(errors).not.toContainText('Ada')
  },
)
