import { test as base, expect, type BrowserContext, type Page } from 'playwright/test'
import { account, type Account, type Who } from './accounts.ts'
import { openGates, type Gates } from './gates.ts'
import { keepSecrets } from './secrets.ts'
import { overrides } from './overrides.ts'

type State = Awaited<ReturnType<BrowserContext['storageState']>>

interface Fixtures {
  gates: Gates
  /** Opens a signed-in page at a path; the sign-in itself happened once per worker and role. */
  as: (who: Who, path?: string) => Promise<Page>
  /** The same in a browser of its own, for journeys of two people. */
  another: (who: Who, path?: string) => Promise<Page>
}

interface WorkerFixtures {
  sessions: (who: Who) => Promise<State>
}

/** A journey fails when anything that the gates watch went wrong, whatever it was looking at itself. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  sessions: [
    async ({ browser }, use) => {
      const sessionsByWho = new Map<Who, Promise<State>>()
      const baseURL = process.env.BASE_URL ?? ''
      await use((who) => {
        const session =
          sessionsByWho.get(who) ??
          signedIn(() => browser.newContext({ baseURL, ...(overrides ? { storageState: overrides } : {}) }), who)
        sessionsByWho.set(who, session)
        return session
      })
    },
    { scope: 'worker' },
  ],

  gates: [
    async ({ context, baseURL }, use) => {
      const gates = await openGates(context, baseURL ?? '')
      await use(gates)
      expect(await gates.problems(), 'nothing that the gates watch went wrong').toEqual([])
    },
    { auto: true },
  ],

  as: async ({ context, page, sessions, baseURL }, use) => {
    await use(async (who, path = '/dashboard') => {
      const state = await sessions(who)
      await context.addCookies(state.cookies)
      const storedItems = state.origins.flatMap((origin) => origin.localStorage)
      const blank = `${baseURL}/__blank`
      await page.route(blank, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>blank</title>' }),
      )
      await page.goto(blank)
      await page.evaluate((items) => items.forEach(({ name, value }) => localStorage.setItem(name, value)), storedItems)
      // Not until everything is loaded: a journey may be about a file that never comes.
      await page.goto(path, { waitUntil: 'commit' })
      return page
    })
  },

  another: async ({ browser, sessions, baseURL }, use) => {
    const opened: { context: BrowserContext; gates: Gates }[] = []
    await use(async (who, path = '/dashboard') => {
      const context = await browser.newContext({ storageState: await sessions(who), ...(baseURL ? { baseURL } : {}) })
      opened.push({ context, gates: await openGates(context, baseURL ?? '') })
      const page = await context.newPage()
      await page.goto(path)
      return page
    })
    for (const { context, gates } of opened) {
      expect(await gates.problems(), 'nothing that the gates watch went wrong for the other person').toEqual([])
      await context.close()
    }
  },
})

async function signedIn(makeContext: () => Promise<BrowserContext>, who: Who): Promise<State> {
  const context = await makeContext()
  const page = await context.newPage()
  await page.goto('/login')
  await fillIn(page, who)
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const state = await context.storageState()
  for (const { value } of state.origins.flatMap((origin) => origin.localStorage)) keepSecrets(value)
  await context.close()
  return state
}

/** Types email and password of the account and submits. */
export async function fillIn(page: Page, who: Who | Account): Promise<void> {
  const { email, password } = typeof who === 'string' ? account(who) : who
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Submit' }).click()
}

export { expect }
