import { test as base, expect, type BrowserContext, type Page } from 'playwright/test'
import { account, type Account, type Who } from './accounts.ts'
import { openSession, type ApiSession, type Call } from './api.ts'
import { getDeployment } from './deployment.ts'
import { openGates, type Gates } from './gates.ts'
import { assertStated, findSkipReason, mayWrite } from './needs.ts'
import { keepSecrets } from './secrets.ts'
import { overrides } from './overrides.ts'

/** An older one would be warned for being idle (9.07), and renew a token that another journey has renewed (P08). */
const sessionMs = 5 * 60_000

type State = Awaited<ReturnType<BrowserContext['storageState']>>

interface Fixtures {
  gates: Gates
  /** Opens a signed-in page at a path; the sign-in itself happened minutes ago, once per worker and role. */
  as: (who: Who, path?: string) => Promise<Page>
  /** The same in a browser of its own, for journeys of two people. */
  another: (who: Who, path?: string) => Promise<Page>
  /**
   * Takes away at the end, whatever became of the journey, what it is about to write. Last written, first taken away.
   */
  undo: (what: string, work: (callAs: (who: Who) => Promise<Call>) => Promise<unknown>) => void
  /** Skips the journey where the deployment lacks what it needs. */
  requirements: void
}

interface WorkerFixtures {
  sessions: (who: Who) => Promise<State>
}

/** A journey fails when anything that the gates watch went wrong, whatever it was looking at itself. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  sessions: [
    async ({ browser }, use) => {
      const sessionsByWho = new Map<Who, { readonly state: Promise<State>; readonly since: number }>()
      const baseURL = process.env.BASE_URL ?? ''
      await use((who) => {
        const known = sessionsByWho.get(who)
        if (known && Date.now() - known.since < sessionMs) return known.state
        const makeContext = () => browser.newContext({ baseURL, ...(overrides ? { storageState: overrides } : {}) })
        const state = signedIn(makeContext, who)
        sessionsByWho.set(who, { state, since: Date.now() })
        return state
      })
    },
    { scope: 'worker' },
  ],

  requirements: [
    async ({}, use, info) => {
      const reason = findSkipReason(info, getDeployment())
      info.skip(reason !== undefined, `skipped, because ${reason}`)
      await use()
    },
    { auto: true },
  ],

  undo: async ({ requirements: _requirements }, use, info) => {
    const tasks: { what: string; work: Parameters<Fixtures['undo']>[1] }[] = []
    await use((what, work) => {
      if (!mayWrite(info))
        throw new Error('A journey that takes something away states in its details() what it writes.')
      tasks.push({ what, work })
    })
    const sessions = new Map<Who, ApiSession>()
    const callAs = async (who: Who): Promise<Call> => {
      assertStated(info, who)
      const { address, settings } = getDeployment()
      const session = sessions.get(who) ?? (await openSession(address, settings.clientId, account(who)))
      if (typeof session === 'string') throw new Error(`The account ${who} cannot sign in by the calls.`)
      sessions.set(who, session)
      return session.call
    }
    const left: string[] = []
    for (const { what, work } of tasks.toReversed())
      await work(callAs).catch((error: unknown) => left.push(`${what}: ${String(error)}`))
    await Promise.all([...sessions.values()].map((session) => session.close()))
    expect(left, 'what could not be taken away').toEqual([])
  },

  gates: [
    // Set up after `undo`, so that everything is closed before users and organizations are deactivated.
    async ({ undo: _undo, context, baseURL }, use, info) => {
      const gates = await openGates(context, baseURL ?? '', { mayWrite: mayWrite(info) })
      await use(gates)
      const problems = await gates.problems()
      // What a page asks for once its journey is over is nobody's fault, also where a handler was at it. Not before: a
      // request that a handler kept waiting goes on to the server now, and is refused there.
      await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
      expect(problems, 'nothing that the gates watch went wrong').toEqual([])
    },
    { auto: true },
  ],

  as: async ({ context, page, sessions, baseURL }, use, info) => {
    await use(async (who, path = '/dashboard') => {
      assertStated(info, who)
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

  another: async ({ browser, sessions, baseURL }, use, info) => {
    const opened: { context: BrowserContext; gates: Gates }[] = []
    await use(async (who, path = '/dashboard') => {
      assertStated(info, who)
      const context = await browser.newContext({ storageState: await sessions(who), ...(baseURL ? { baseURL } : {}) })
      opened.push({ context, gates: await openGates(context, baseURL ?? '', { mayWrite: mayWrite(info) }) })
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
  await fillIn(page, account(who))
  await Promise.race([page.waitForURL('**/dashboard'), throwRefusal(page, who)])
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const state = await context.storageState()
  for (const { value } of state.origins.flatMap((origin) => origin.localStorage)) keepSecrets(value)
  await context.close()
  return state
}

/** A refusal ends the waiting for the dashboard, with the page's own sentence. */
async function throwRefusal(page: Page, who: Who): Promise<void> {
  const alert = page.getByRole('alert').first()
  const sentence = await alert.innerText().catch(() => undefined)
  // The page was left, or the time is over: what waits for the dashboard says so.
  if (sentence === undefined) return new Promise(() => undefined)
  throw new Error(`The account ${who} was refused: “${sentence}”`)
}

/** Types email and password of the account and submits. */
export async function fillIn(page: Page, who: Who | Account): Promise<void> {
  if (typeof who === 'string') assertStated(base.info(), who)
  const { email, password } = typeof who === 'string' ? account(who) : who
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Submit' }).click()
}

export { details } from './needs.ts'
export { expect }
