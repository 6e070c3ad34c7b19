import type { RemoteOnPage } from '@dmp/contract/release'
import { breakRemotes, withholdReports, type Fault } from './support/brokenRemotes.ts'
import { deployedRemotes, getFirstPath } from './support/deployment.ts'
import { details, expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'

interface Seen {
  beginningsWhileDrawing?: string | null
}

/** A container whose screens hold up the page for a moment, and note what the tab keeps meanwhile. */
const holdsUp: Fault = {
  name: 'holds up the page while it draws',
  word: 'render',
  script: (text, { declaration: { name } }) => `${text}
;(() => {
  const { init, get } = window.${name.replaceAll('-', '_')}
  const wrapped = (factory) => () => {
    const made = factory()
    const App = (props) => {
      window.beginningsWhileDrawing ??= sessionStorage.getItem('dmp.beginnings')
      for (const end = Date.now() + 300; Date.now() < end; );
      return made.App(props)
    }
    return { ...made, App }
  }
  const getWrapped = (module) => get(module).then((factory) => (module === './App' ? wrapped(factory) : factory))
  window.${name.replaceAll('-', '_')} = { init, get: getWrapped }
})()`,
}

const remote = deployedRemotes().find(({ declaration }) => declaration.name === 'remote-complaint') as RemoteOnPage
const { name, title } = remote.declaration

test.describe('a part that holds up the page', { tag: ['@fault', '@desktop'] }, () => {
  test(
    'is kept by the tab while it begins, and no longer when it is drawn [P26]',
    details({ needs: ['super'] }),
    async ({ as, gates }) => {
      for (const text of ['net::ERR_BLOCKED_BY_LOCAL_NETWORK_ACCESS', '[host/live]']) gates.expectError(text)
      const page = await as('super', '/dashboard')
      await breakRemotes(page, '/dashboard', [{ remote, fault: holdsUp }])
      await page.goto('/dashboard')
      await page
        .getByRole('navigation', { name: 'Modules' })
        .locator(`a[href="${getFirstPath(remote)}"]`)
        .click()
      await settled(page)
      // A tab that is ended while a part draws keeps this, as Chromium does after its renderer was killed.
      expect(await page.evaluate(() => (window as Seen).beginningsWhileDrawing)).toBe(
        JSON.stringify({ [`${name} ./App`]: remote.releaseId }),
      )
      await expect.poll(() => page.evaluate(() => sessionStorage.getItem('dmp.beginnings'))).toBeNull()
    },
  )

  test(
    'is told of by the tab’s next page, and is not started again by itself [P26]',
    details({ needs: ['super'] }),
    async ({ as, gates }) => {
      gates.expectError(`[${name}@`)
      gates.expectError('RemoteError')
      const page = await as('super', '/dashboard')
      await settled(page)
      await withholdReports(page)
      await page.evaluate(
        (text) => {
          // What the page before left, whose last act was to begin this part.
          addEventListener('pagehide', () => sessionStorage.setItem('dmp.beginnings', text))
        },
        JSON.stringify({ [`${name} ./App`]: remote.releaseId }),
      )
      // The page that is left tells what it saw, too.
      const told = page.waitForRequest(
        (request) => /\/release\/report$/i.test(request.url()) && request.postData()?.includes('"hang"') === true,
      )
      await page.goto(getFirstPath(remote))
      const card = page
        .getByRole('main')
        .getByRole('alert')
        .filter({ hasText: `${title} cannot be shown right now` })
      await expect(card).toContainText('stopped responding when this part was opened last')
      const what = { part: name, releaseId: remote.releaseId, what: 'hang' }
      expect((await told).postDataJSON()).toMatchObject({ seen: expect.arrayContaining([what]) as unknown })

      // The rest of the page lives, and whoever asks for the part gets it.
      await page
        .getByRole('navigation', { name: 'Modules' })
        .getByRole('link', { name: 'Dashboard', exact: true })
        .click()
      await settled(page)
      await page.goBack()
      await card.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Complaints' })).toBeVisible()
      await expect(card).toHaveCount(0)
    },
  )
})
