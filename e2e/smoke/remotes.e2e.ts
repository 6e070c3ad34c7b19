import type { Frame, FrameLocator, Locator, Page } from 'playwright/test'
import type { RemoteOnPage } from '@dmp/contract/release'
import { deployedRemotes, getDeployment, getFirstPath } from '../support/deployment.ts'
import { violations } from '../support/axe.ts'
import { details, expect, test } from '../support/journey.ts'
import { settled } from '../support/page.ts'

/** The record that the host's federation runtime keeps for inspectors. */
interface Runtime {
  readonly name: string
  readonly options: { readonly remotes: readonly { readonly name: string }[] }
  loadRemote(id: string): Promise<Record<string, unknown>>
}

/** The exports of a loaded remote's modules, by type: `./App App` → 'function'. */
function listExports(
  page: Page | Frame,
  { declaration: { name, cards, searches = [] }, releaseId, guest }: RemoteOnPage,
): Promise<Record<string, string>> {
  const further = [...(cards.length > 0 ? ['cards'] : []), ...(searches.length > 0 ? ['search'] : [])]
  return page.evaluate(
    async ({ start, modules }) => {
      const { __INSTANCES__: runtimes } = (globalThis as unknown as { __FEDERATION__: { __INSTANCES__: Runtime[] } })
        .__FEDERATION__
      const host = runtimes.find((runtime) => runtime.name === 'host')
      const loaded = host?.options.remotes.find((remote) => remote.name.startsWith(start))
      const exportLists = await Promise.all(
        modules.map(async (module) =>
          Object.entries((await host?.loadRemote(`${loaded?.name}/${module}`)) ?? {}).map(
            ([key, value]) => [`./${module} ${key}`, typeof value] as const,
          ),
        ),
      )
      return Object.fromEntries(exportLists.flat())
    },
    {
      start: `${name.replaceAll('-', '_')}_${releaseId}_`,
      // Of a guest only its screens run.
      modules: ['App', ...(guest ? [] : further)],
    },
  )
}

/** Where a part draws: in the page's main place, or in its frame there. */
const findPlace = (page: Page, { declaration, guest }: RemoteOnPage): FrameLocator | Locator =>
  guest ? page.frameLocator(`iframe[title="${declaration.title}"]`) : page.getByRole('main')

async function findFrame(page: Page, { guest }: RemoteOnPage): Promise<Page | Frame> {
  return (guest && (await (await page.locator('iframe').elementHandle())?.contentFrame())) || page
}

async function showsNoAlert(page: Page, remote: RemoteOnPage, what: string): Promise<void> {
  const place = findPlace(page, remote)
  if (remote.guest) await expect(place.getByRole('heading', { level: 1 })).toHaveCount(1, { timeout: 30_000 })
  else await settled(page)
  await expect(page.getByRole('main').getByRole('alert'), `${what} is shown`).toHaveCount(0)
  await expect(place.getByRole('alert'), `${what} shows no error`).toHaveCount(0)
}

/** The provider's staff see every area; a monitor in production has the lesser of the two. */
const who = (['super', 'sys'] as const).find((name) => getDeployment().accounts[name].isReady) ?? 'super'

for (const remote of deployedRemotes()) {
  const { name, navigation, cards, searches = [] } = remote.declaration

  test(
    `${name} starts, keeps the contract, and opens a row and its cards`,
    details({ needs: [who], tag: ['@smoke', `@${name}`] }),
    async ({ as, page }) => {
      await as(who, getFirstPath(remote))
      await showsNoAlert(page, remote, 'its first screen')
      // What is tried before it goes live is looked at by axe as well; it judges, the journey does not.
      if (process.env.E2E_TRIED?.split(',').includes(name)) {
        const rules = (await violations(page)).map((line) => line.split(':', 1)[0])
        test.info().annotations.push({ type: 'axe', description: [...new Set(rules)].join(', ') })
        const path = test.info().outputPath('first-screen.png')
        await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
        await test.info().attach('first screen', { path, contentType: 'image/png' })
      }
      const exported = await listExports(await findFrame(page, remote), remote)
      expect(exported, 'what its modules export').toMatchObject({
        './App App': 'function',
        ...(remote.guest
          ? {}
          : Object.fromEntries([
              ...cards.map((card) => [`./cards ${card.name}`, 'function']),
              ...searches.map((search) => [`./search ${search.name}`, 'function']),
            ])),
      })

      const modules = page.getByRole('navigation', { name: 'Modules' })
      for (const { alias } of navigation.filter(({ frontEndModule }) => frontEndModule))
        await expect(modules.getByRole('link', { name: alias, exact: true })).toBeVisible()
      const row = findPlace(page, remote).getByRole('table').getByRole('row').getByRole('link').first()
      if (await row.isVisible()) {
        const previousUrl = page.url()
        await row.click()
        await expect(page).not.toHaveURL(previousUrl)
        await showsNoAlert(page, remote, 'what a row leads to')
      }
      if (cards.length === 0) return
      await modules.getByRole('link', { name: 'Dashboard', exact: true }).click()
      await settled(page)
      for (const { title } of cards) {
        // A checklist that is done draws itself, and the dashboard leaves it out.
        const card = page.getByRole('region', { name: title, exact: true, includeHidden: true })
        const drawn = card.locator(':scope > :not(h2)')
        await expect(drawn.first(), `the card ${title} draws something`).toBeAttached()
        await expect(drawn.getByRole('alert'), `the card ${title} shows no error`).toHaveCount(0)
      }
    },
  )
}
