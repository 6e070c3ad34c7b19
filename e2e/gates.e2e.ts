import { test as base, expect, type Page } from 'playwright/test'
import { openGates, type Gates } from './support/gates.ts'

// The gates themselves: a gate that never closes would let every journey through. Everything here is made up; no server
// is asked.
const home = 'http://home.example'
const patient = { list: [{ patientName: 'Doe^Jane' }] }

const test = base.extend<{ watched: { page: Page; gates: Gates } }>({
  async watched({ browser }, use) {
    const context = await browser.newContext()
    await context.route(
      () => true,
      (route) => {
        const { pathname, origin } = new URL(route.request().url())
        if (pathname === '/missing') return route.fulfill({ status: 404, body: '' })
        if (pathname === '/refused') return route.abort('connectionrefused')
        if (pathname === '/api/Complaint/add') return route.fulfill({ json: {} })
        if (pathname === '/api/Scan/list') return route.fulfill({ json: patient })
        return route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><title>${origin}</title>`,
          headers: {
            'content-security-policy': "img-src 'self'",
            'access-control-allow-origin': '*',
            'referrer-policy': 'no-referrer',
          },
        })
      },
    )
    const gates = await openGates(context, home)
    const page = await context.newPage()
    await page.goto(home)
    await use({ page, gates })
    await context.close()
  },
})

const readScans = () => fetch('/api/Scan/list').then((response) => response.text())

const faults: [name: string, violate: (page: Page) => Promise<unknown>, found: RegExp][] = [
  ['a console error', (page) => page.evaluate(() => console.error('boom')), /console error: boom/],
  [
    'an error nobody caught',
    (page) =>
      page.evaluate(
        () =>
          void setTimeout(() => {
            throw new Error('loose')
          }),
      ),
    /uncaught: loose/,
  ],
  [
    'something the policy blocks',
    (page) =>
      page.evaluate(() => void document.body.append(Object.assign(new Image(), { src: 'data:image/png;base64,AA' }))),
    /CSP: img-src/,
  ],
  [
    'an answer of 404',
    (page) => page.evaluate(() => fetch('/missing').then(() => undefined)),
    /404 from GET .*\/missing/,
  ],
  [
    'a request that fails',
    (page) => page.evaluate(() => fetch('/refused').catch(() => undefined)),
    /request failed .*\/refused/,
  ],
  [
    'a request elsewhere',
    (page) => page.evaluate(() => fetch('http://elsewhere.example/x').then(() => undefined)),
    /request elsewhere: http:\/\/elsewhere\.example\/x/,
  ],
  [
    'a page that says where it was',
    (page) => page.evaluate(() => fetch('/', { referrerPolicy: 'unsafe-url' }).then(() => undefined)),
    /a referrer was sent to http:\/\/home\.example\//,
  ],
  [
    'a live channel elsewhere',
    (page) => page.evaluate(() => void new WebSocket('ws://elsewhere.example/live')),
    /live channel elsewhere: elsewhere\.example/,
  ],
  [
    'a write that was not stated',
    (page) => page.evaluate(() => fetch('/api/Complaint/add', { method: 'POST' }).then(() => undefined)),
    /a write that the journey does not state: POST \/api\/Complaint\/add/,
  ],
  [
    'a patient in a path',
    async (page) => {
      await page.evaluate(readScans)
      await page.evaluate(() => history.pushState(null, '', '/scan/Jane-Doe'))
    },
    /a patient's name .*\/scan\/Jane-Doe/,
  ],
  [
    'a patient in an encoded path',
    async (page) => {
      await page.evaluate(readScans)
      await page.evaluate(() => history.pushState(null, '', '/scan/Doe%5EJane'))
    },
    /a patient's name .*Doe%5EJane/,
  ],
  [
    'a patient in a title',
    async (page) => {
      await page.evaluate(readScans)
      await page.evaluate(() => {
        document.title = 'Scan of JANE DOE'
      })
    },
    /a patient's name .*JANE DOE/,
  ],
  [
    'a patient in a message',
    async (page) => {
      await page.evaluate(() => console.warn('opened Doe, Jane'))
      await page.evaluate(readScans)
    },
    /a patient's name .*Doe, Jane/,
  ],
]

for (const [name, violate, finding] of faults) {
  test(`${name} is found [P30]`, async ({ watched: { page, gates } }) => {
    await violate(page)
    await expect.poll(async () => (await gates.problems()).join('\n')).toMatch(finding)
  })
}

test('what a journey expects, and what is well, is not [P30]', async ({ watched: { page, gates } }) => {
  gates.expectStatus(404, '/missing')
  gates.expectFailure('/refused')
  gates.expectError('boom')
  await page.evaluate(async () => {
    await fetch('/missing')
    await fetch('/refused').catch(() => undefined)
    console.error('boom')
    history.pushState(null, '', '/scan/detail/7')
  })
  await page.evaluate(readScans)
  expect(await gates.problems()).toEqual([])
})
