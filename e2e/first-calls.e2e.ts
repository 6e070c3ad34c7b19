import type { Page } from 'playwright/test'
import { details, expect, test } from './support/journey.ts'
import { settled } from './support/page.ts'

/** A list, the call that it shows, and that of what its first row leads to. */
const areas = [
  { who: 'admin', list: '/scan', calls: ['/api/Scan/list', '/api/Scan/get'] },
  { who: 'admin', list: '/complaint', calls: ['/api/Complaint/list', '/api/Complaint/get'] },
  { who: 'admin', list: '/user', calls: ['/api/businessUser/list', '/api/businessUser/get'] },
  { who: 'admin', list: '/audit', calls: ['/api/Audit/list', '/api/Audit/get'] },
  { who: 'super', list: '/organization', calls: ['/api/Organization/list', '/api/Organization/get'] },
  { who: 'super', list: '/registration', calls: ['/api/Registration/list', '/api/Registration/get'] },
] as const

const others = [
  ['/scan?page=1&pageSize=25&searchTerm=&sortColumn=&sortDirection=', '/api/Scan/list'],
  ['/scan/worklist', '/api/Scan/listStudies'],
  ['/account/profile', '/api/account/profile'],
] as const

/** The page's reads, in order. */
function watchReads(page: Page): string[] {
  const reads: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/api/')) reads.push(pathname)
  })
  return reads
}

/** Opens addresses whose scripts come when the page has asked for what the address shows, and not before. */
async function openWatched(page: Page): Promise<(address: string, call: string) => Promise<void>> {
  const reads = watchReads(page)
  let awaited = ''
  await page.route(/\/releases\/host\/.*\.js$/, async (route) => {
    while (!reads.includes(awaited)) await new Promise((resolve) => setTimeout(resolve, 10))
    await route.continue()
  })
  return async (address, call) => {
    reads.length = 0
    awaited = call
    await page.goto(address)
    await settled(page)
    expect(
      reads.filter((read) => read === call),
      address,
    ).toEqual([call])
  }
}

// Belongs to the host, and has no first call.
const quietPlace = '/not-authorized/Scan/List'

test.describe('the first call of an address', { tag: '@session' }, () => {
  for (const { who, list, calls } of areas)
    test(
      `is made before any script of a part has come, and once: ${list} [7.01, P65]`,
      details({ needs: [who] }),
      async ({ as }) => {
        const page = await as(who, quietPlace)
        const visit = await openWatched(page)
        await visit(list, calls[0])
        const address = await page.getByRole('row').getByRole('link').first().getAttribute('href')
        await visit(address ?? '', calls[1])
      },
    )

  test(
    'is made before any script of a part has come, and once: other screens [7.01, P65]',
    details({ needs: ['admin'] }),
    async ({ as }) => {
      const visit = await openWatched(await as('admin', quietPlace))
      for (const [address, call] of others) await visit(address, call)
    },
  )

  test(
    'leads to the sign-in page when it is refused, and is not made again [7.01, P65]',
    details({ needs: ['staff'] }),
    async ({ as, gates }) => {
      gates.expectStatus(401, '/api/')
      gates.expectError('401')
      const page = await as('staff', quietPlace)
      await settled(page)
      // The session is that of other journeys as well: signing out ends here.
      await page.route('**/api/account/logout', (route) => route.fulfill({ json: { data: null } }))
      const reads = watchReads(page)
      await page.evaluate(() => {
        const tokens = JSON.parse(localStorage.getItem('authData') ?? '{}') as object
        localStorage.setItem('authData', JSON.stringify({ ...tokens, accessToken: 'of nobody' }))
      })
      await page.goto('/complaint')
      await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
      expect(reads.filter((read) => read === '/api/Complaint/list')).toHaveLength(1)
    },
  )
})
