import type { Page } from 'playwright/test'
import { deployedRemotes } from './support/deployment.ts'
import { details, expect, test } from './support/journey.ts'

/** Text that stands in each library's own code exactly once, and in nobody else's. */
const fingerprints = {
  react: 'unstable_useCacheRefresh',
  'react-dom': 'rendererPackageName:"react-dom"',
  'react-router': 'You cannot render a <Router> inside another <Router>',
  '@tanstack/react-query': 'No QueryClient set',
  zustand: 'getInitialState:',
  antd: '`:"ant"',
  '@dmp/kit': 'The page has no valid runtime settings',
}

const isFrontEnd = ({ frontEndModule }: { frontEndModule: boolean }): boolean => frontEndModule

/** Every script that runs in the page, by address, as the browser has it. */
async function readScripts(page: Page): Promise<Map<string, string>> {
  const texts = await page.evaluate(async () => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
    const addresses = [...new Set(loaded)].filter((name) => /\/releases\/.*\.js(?:\?|$)/.test(name))
    return Promise.all(
      addresses.map(async (address) => [new URL(address).pathname, await (await fetch(address)).text()] as const),
    )
  })
  return new Map(texts)
}

test(
  'all remotes run on one copy of react, react-dom, react-router, query, zustand, antd and the kit',
  details({ needs: ['super'] }),
  async ({ as, page }) => {
    const remotes = deployedRemotes().filter(({ declaration }) => declaration.navigation.some(isFrontEnd))
    await as('super')
    for (const { declaration } of remotes) {
      const area = declaration.navigation.find(isFrontEnd)?.alias ?? ''
      await page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name: area, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
    }
    const scripts = await readScripts(page)
    const loaded = new Set(
      [...scripts.keys()]
        .map((path) => /\/releases\/(?:again\/)?(remote-[a-z]+)\//.exec(path)?.[1])
        .filter((name) => name !== undefined),
    )
    for (const { declaration } of remotes) expect(loaded).toContain(declaration.name)

    for (const [library, text] of Object.entries(fingerprints)) {
      const holders = [...scripts].flatMap(([path, code]) =>
        Array.from({ length: code.split(text).length - 1 }, () => path),
      )
      expect(holders, `scripts that hold ${library}`).toHaveLength(1)
      expect(holders[0], `who provides ${library}`).toMatch(/^\/releases\/host\//)
    }
  },
)

const areas = details({ needs: ['super', 'remote-user', 'remote-registration'] })

test('a remote’s code is loaded when its address is entered, not before', areas, async ({ as, page }) => {
  const requestedUrls: string[] = []
  page.on('request', (request) => {
    const part = /\/releases\/(remote-[a-z]+)\//.exec(request.url())?.[1]
    if (part) requestedUrls.push(part)
  })
  // Idle moments are taken away, so that only what is needed is asked for.
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
  await as('super', '/user')
  await expect(page.getByRole('table')).toBeVisible()
  expect(new Set(requestedUrls)).toEqual(new Set(['remote-user']))
  await page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name: 'Registration' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Registrations' })).toBeVisible()
  expect(new Set(requestedUrls)).toEqual(new Set(['remote-user', 'remote-registration']))
})

test(
  'the navigation leads ahead: a link under the pointer fetches its area',
  details({ needs: ['super', 'remote-user', 'remote-complaint'] }),
  async ({ as, page }) => {
    await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
    await as('super', '/user')
    await expect(page.getByRole('table')).toBeVisible()
    const fetched = page.waitForResponse(/\/releases\/remote-complaint\/.*App\./)
    await page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name: 'Complaint' }).hover()
    expect((await fetched).ok()).toBe(true)
  },
)
