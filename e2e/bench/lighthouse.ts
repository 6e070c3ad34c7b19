import lighthouse, { desktopConfig } from 'lighthouse'
import { chromium, type BrowserContext, type Page } from 'playwright'
import { account } from '../support/accounts.ts'
import { median } from './measure.ts'

/** The eight kinds of page; `row`: the page that the first row of the list leads to. */
const kinds = [
  { name: 'sign-in', path: '/login', isPublic: true },
  { name: 'dashboard', path: '/dashboard' },
  { name: 'list', path: '/scan' },
  { name: 'detail', path: '/scan', row: true },
  { name: 'form', path: '/complaint/add' },
  { name: 'detail with history', path: '/complaint', row: true },
  { name: 'list of the audit log', path: '/audit' },
  { name: 'own profile', path: '/account/profile' },
] as const

export const categories = ['performance', 'accessibility', 'best-practices'] as const
export type Category = (typeof categories)[number]

export interface Judged {
  readonly name: string
  readonly scores: Readonly<Record<Category, number>>
  /** The audits that took points off in the last run, by category. */
  readonly faults: readonly string[]
}

interface Options {
  readonly url: string
  readonly executablePath: string
  readonly port: number
  readonly profile: string
  readonly runs: number
}

/** Median scores, 0 to 100, of each kind of page: desktop preset, signed in as an administrator where it needs that. */
export async function* judge({ url, executablePath, port, profile, runs }: Options): AsyncGenerator<Judged> {
  // A profile on disk, because Lighthouse opens its own tab and has to find the session there. One process per site:
  // see `rest`.
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    baseURL: url,
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--process-per-site',
      `--remote-debugging-port=${port}`,
    ],
  })
  try {
    let page = context.pages()[0] ?? (await context.newPage())
    let isSignedIn = false
    for (const kind of kinds) {
      if (!('isPublic' in kind) && !isSignedIn) {
        const { email, password } = account('admin')
        await page.goto('/login')
        await page.getByLabel('Email', { exact: true }).fill(email)
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('button', { name: 'Submit' }).click()
        await page.waitForURL('**/dashboard')
        isSignedIn = true
      }
      let path: string = kind.path
      if ('row' in kind) {
        await page.goto(path)
        path =
          (await page.getByRole('table').first().getByRole('row').getByRole('link').first().getAttribute('href')) ??
          path
      }
      const all: Judged[] = []
      for (let run = 0; run < runs; run += 1) {
        page = await rest(context, page)
        all.push(await once(kind.name, new URL(path, url).href, port))
      }
      yield {
        name: kind.name,
        scores: Object.fromEntries(
          categories.map((category) => [category, median(all.map(({ scores }) => scores[category]))]),
        ) as Record<Category, number>,
        faults: all.at(-1)?.faults ?? [],
      }
    }
  } finally {
    await context.close()
  }
}

/**
 * Instead of the page, which would work beside the one that is measured, an empty one of the same origin. Its process
 * is the one that the measured page is loaded in, and is traced by then; one that only starts for the load is traced
 * too late on a busy machine, and Lighthouse misses the start of the navigation (NO_NAVSTART). A new one each time,
 * that nothing of the application was compiled in.
 */
async function rest(context: BrowserContext, page: Page): Promise<Page> {
  await page.close()
  const empty = await context.newPage()
  await empty.route('**/__blank', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>blank</title>' }),
  )
  await empty.goto('/__blank')
  await empty.unrouteAll()
  return empty
}

async function once(name: string, address: string, port: number): Promise<Judged> {
  // Lighthouse empties the cache before, and leaves cookies and local storage, in which the session is.
  const result = await lighthouse(address, { port, logLevel: 'error', onlyCategories: [...categories] }, desktopConfig)
  if (!result || result.lhr.runtimeError)
    throw new Error(`Lighthouse could not judge ${address}: ${result?.lhr.runtimeError?.message ?? 'no result'}`)
  const { lhr } = result
  const scores = Object.fromEntries(
    categories.map((category) => [category, Math.round((lhr.categories[category]?.score ?? 0) * 100)]),
  ) as Record<Category, number>
  const faults = categories.flatMap((category) =>
    (lhr.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${category}: ${lhr.audits[id]?.title ?? id} ${lhr.audits[id]?.displayValue ?? ''}`.trim()),
  )
  return { name, scores, faults }
}
