import type { BrowserContext } from 'playwright'

/** What one visit of the list costs, in the page or in a frame. */
export interface Cost {
  /** Bytes on the line, as they travelled. */
  readonly bytes: number
  readonly requests: number
  /** Milliseconds from the request until the first row is drawn. */
  readonly firstRowMs: number
}

const visits = 5

/**
 * The middle of several visits of a part's list: first of a browser that has nothing, then of one that has the page's
 * files already.
 */
export async function measureCost(
  context: BrowserContext,
  isGuest: boolean,
): Promise<{ readonly cold: Cost; readonly warm: Cost }> {
  const cold: Cost[] = []
  const warm: Cost[] = []
  for (let visit = 0; visit < visits; visit += 1) {
    cold.push(await measureVisit(context, isGuest, true))
    warm.push(await measureVisit(context, isGuest, false))
  }
  return { cold: toMiddle(cold), warm: toMiddle(warm) }
}

async function measureVisit(context: BrowserContext, isGuest: boolean, isCold: boolean): Promise<Cost> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  if (isCold) await session.send('Network.clearBrowserCache')
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (/^https?:/.test(request.url()))
      sizes.push(
        request.sizes().then(
          ({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize,
          () => 0,
        ),
      )
  })
  const startedAt = performance.now()
  await page.goto('/audit', { waitUntil: 'commit' })
  const place = isGuest ? page.frameLocator('iframe') : page
  await place.getByRole('table').getByRole('row').getByRole('link').first().waitFor()
  const firstRowMs = performance.now() - startedAt
  const seen = sizes.length
  const bytes = (await Promise.all(sizes.slice(0, seen))).reduce((sum, size) => sum + size, 0)
  await page.close()
  return { bytes, requests: seen, firstRowMs }
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const toMiddle = (costs: readonly Cost[]): Cost => ({
  bytes: middle(costs.map(({ bytes }) => bytes)),
  requests: middle(costs.map(({ requests }) => requests)),
  firstRowMs: middle(costs.map(({ firstRowMs }) => firstRowMs)),
})

const say = ({ bytes, requests, firstRowMs }: Cost): string =>
  `${Math.round(bytes / 1000)} kB, ${requests} requests, first row after ${Math.round(firstRowMs)} ms`

type Costs = Awaited<ReturnType<typeof measureCost>>

export const formatCost = (inPage: Costs, inFrame: Costs): string =>
  [
    'What a frame costs:',
    `empty cache, in the page: ${say(inPage.cold)}`,
    `empty cache, in a frame: ${say(inFrame.cold)}`,
    `filled cache, in the page: ${say(inPage.warm)}`,
    `filled cache, in a frame: ${say(inFrame.warm)}`,
  ].join('\n    ')
