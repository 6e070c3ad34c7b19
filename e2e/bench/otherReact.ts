import type { BrowserContext, Frame, Page } from 'playwright'

/** The part of the other React works, and so do those of the page's React before and after it, on one open page. */
export async function drawsBesideOthers(context: BrowserContext, isInFrame: boolean): Promise<string> {
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto('/user')
  await waitForHeading(page, 'Users')
  await goTo(page, 'Other')
  const place: Page | Frame = isInFrame ? await findFrame(page) : page
  const heading = place.getByRole('heading', { level: 1, name: /^Other of React 18\./ })
  await heading.waitFor()
  const version = (await heading.innerText()).replace('Other of React ', '')
  await place.getByText(/^[1-9]\d* users at \/other$/).waitFor()
  await place.getByRole('button', { name: 'Clicked 0' }).click()
  await place.getByRole('button', { name: 'Clicked 1' }).waitFor()
  await place.getByRole('button', { name: 'More' }).click()
  await place.getByText(/ users at \/other\/more\?a=1$/).waitFor()
  if (!page.url().endsWith('/other/more?a=1')) throw new Error(`The page is at ${page.url()}.`)
  // Nobody goes back before the page has drawn where it is.
  await page.evaluate('new Promise((drawn) => setTimeout(() => requestIdleCallback(drawn), 300))')
  await page.goBack()
  await place.getByText(/ users at \/other$/).waitFor()
  await place.getByRole('button', { name: 'Clicked 1' }).waitFor()

  await goTo(page, 'User')
  await waitForHeading(page, 'Users')
  await page.getByRole('table').getByRole('row').getByRole('link').first().waitFor()
  if ((await page.getByText('Other of React').count()) > 0) throw new Error('The other part stayed on the page.')
  if (errors.length > 0) throw new Error(`The console has errors: ${errors.join('; ')}`)

  await goTo(page, 'Other')
  const again = isInFrame ? await findFrame(page) : page
  await again.getByRole('button', { name: 'Fail' }).click()
  const card = again.getByRole('alert').filter({ hasText: 'Other cannot be shown right now' })
  await card.getByRole('button', { name: 'Try again' }).click()
  await again.getByRole('button', { name: 'Clicked 0' }).waitFor()
  await page.close()
  return `A part with React ${version} of its own works ${isInFrame ? 'in a frame' : 'in the page'} beside the others: calls, addresses, Back, its card and leaving it.`
}

const waitForHeading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name, exact: true }).click()

async function findFrame(page: Page): Promise<Frame> {
  const frame = await (await page.waitForSelector('iframe[title="Other"]')).contentFrame()
  if (!frame) throw new Error('The page has no frame.')
  return frame
}
