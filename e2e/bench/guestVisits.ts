import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Frame, FrameLocator, Page } from 'playwright'
import { attempts, type BadGuest } from './guestAttempts.ts'

const title = 'Audit'

const findGuest = (page: Page): FrameLocator => page.frameLocator(`iframe[title="${title}"]`)

async function findFrame(page: Page): Promise<Frame> {
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame()
  if (!frame) throw new Error('The page has no frame.')
  return frame
}

const waitForHeading = (within: Page | FrameLocator, name: string): Promise<void> =>
  within.getByRole('heading', { level: 1, name, exact: true }).waitFor()

const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name, exact: true }).click()

function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Not so: ${what}.`)
}

/** The guest works in its frame as it does in the page. */
export async function worksAsInThePage(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto('/dashboard')
  await goTo(page, title)
  const guest = findGuest(page)
  const row = guest.getByRole('table').getByRole('row').getByRole('link').first()
  await row.waitFor()
  expect((await (await findFrame(page)).evaluate('self.origin')) === 'null', 'the frame’s origin is nobody’s')
  expect((await page.title()).startsWith(`${title} · `), 'the page has the title of its guest')
  expect((await page.evaluate('document.activeElement.tagName')) === 'IFRAME', 'the focus went into the frame')
  const height = await page.evaluate<number>('document.body.scrollHeight - innerHeight')
  expect(height <= 0, 'the frame fills the place and scrolls itself')

  await row.click()
  await waitForHeading(guest, 'Audit Detail')
  const address = page.url()
  expect(/\/audit\/detail\//.test(address), 'the page has the address of the row')
  await page.goBack()
  await waitForHeading(guest, title)
  expect(page.url().endsWith('/audit'), 'Back leads to the list')
  await page.goForward()
  await waitForHeading(guest, 'Audit Detail')
  await page.goto(address)
  await waitForHeading(guest, 'Audit Detail')
  expect(errors.length === 0, `the console has no error: ${errors.join('; ')}`)
  // It asks for the styles of the frame itself, which the policy refuses and the console says.
  const report = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze()
  const rules = report.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
  expect(rules.length === 0, `axe finds nothing: ${rules.join(', ')}`)
  await guest.getByRole('link', { name: 'Dashboard' }).click()
  await waitForHeading(page, 'Dashboard')
  expect((await page.locator('iframe').count()) === 0, 'the frame went with its part')
  await page.close()
  return `${title} lists rows in a frame, opens one, goes back and on, each by its address; axe finds nothing.`
}

/** The frame has the language, direction and colours of the page around it. */
export async function speaksAsThePage(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  await page.goto('/dashboard')
  const choose = (language: string, theme: string): Promise<unknown> =>
    page.evaluate(
      `Object.assign(localStorage, { 'preference:language': '${language}', 'preference:theme': '${theme}' })`,
    )
  for (const [language, direction, button] of [
    ['de', 'ltr', 'Jetzt prüfen'],
    ['ar', 'rtl', 'تحقق الآن'],
  ] as const) {
    await choose(language, 'dark')
    await page.goto('/audit')
    await findGuest(page).getByRole('table').getByRole('row').getByRole('link').first().waitFor()
    const frame = await findFrame(page)
    const shown = await frame.evaluate<string>(
      '[document.documentElement.lang, document.documentElement.dir, document.documentElement.dataset.theme].join()',
    )
    expect(shown === `${language},${direction},dark`, `the frame is ${language}, ${direction}, dark, and not ${shown}`)
    await findGuest(page).getByRole('button', { name: button, exact: true }).waitFor()
  }
  await choose('en', 'light')
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`)
  await (await findFrame(page)).waitForFunction(`document.documentElement.dataset.theme === 'light'`)
  await page.close()
  return 'The frame speaks German and Arabic, from right to left, and is dark or light as the page around it.'
}

/** While the focus is in the frame, the shell's keys do what they do in the page, and none of them in a field. */
export async function hasTheKeysOfTheShell(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  await page.goto('/dashboard')
  await goTo(page, title)
  const guest = findGuest(page)
  const row = guest.getByRole('table').getByRole('row').getByRole('link').first()
  await row.waitFor()
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  for (const [key, name] of [
    ['Control+k', 'Search'],
    ['?', 'Keyboard shortcuts'],
  ] as const) {
    await row.focus()
    await page.keyboard.press(key)
    await dialog(name).waitFor()
    await page.keyboard.press('Escape')
    await dialog(name).waitFor({ state: 'hidden' })
  }
  const search = guest.getByRole('searchbox').first()
  await search.click()
  await page.keyboard.type('gs?')
  expect((await search.inputValue()) === 'gs?', 'a field of the guest has what is typed into it')
  expect(page.url().includes('/audit'), 'and nothing else does')
  await row.or(guest.getByText('Nothing found')).first().waitFor()
  await guest.getByRole('heading', { level: 1, name: title, exact: true }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await waitForHeading(page, 'Scans')
  await page.close()
  return 'Ctrl+K, ? and g s of the shell work while the focus is in the frame, and not in its fields.'
}

/** The hostile release, which is live, tries everything and gets nothing. */
export async function getsNothing(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  const elsewhere: string[] = []
  page.on('request', (request) => request.url().includes('evil.example') && elsewhere.push(request.url()))
  page.on('requestfailed', (request) => elsewhere.splice(elsewhere.indexOf(request.url()), 1))
  await page.goto('/audit')
  await findGuest(page).getByRole('table').getByRole('row').getByRole('link').first().waitFor()
  const frame = await findFrame(page)
  await frame.evaluate('triedAll')
  const tried = await frame.evaluate<Readonly<Record<string, string>>>('tried')
  for (const [name, { outcome }] of Object.entries(attempts))
    expect(outcome.includes(tried[name] ?? ''), `${name} ends in ${outcome.join(' or ')}, and not in ${tried[name]}`)
  expect(elsewhere.length === 0, `nothing went elsewhere: ${elsewhere.join(', ')}`)

  const say = (message: object): Promise<unknown> =>
    frame.evaluate(`sayAtPort(${JSON.stringify({ query: {}, body: {}, ...message })})`)
  for (const [id, call, path, code] of [
    [9001, 'GET /account/profile', '/account/profile', 'GUEST_UNDECLARED'],
    [9002, 'POST /ApiToken/add', '/ApiToken/add', 'GUEST_UNDECLARED'],
    [9003, 'GET /Scan/list', '/Scan/list', 'GUEST_UNDECLARED'],
    [9004, 'GET /Audit/list', '/account/profile', 'GUEST_ADDRESS'],
  ] as const)
    expect(JSON.stringify(await say({ id, call, path })).includes(`"code":"${code}"`), `${call} at ${path}: ${code}`)
  for (const go of ['/scan', '/audit/../scan', '/login', 'https://evil.example/'])
    await frame.evaluate(`tellPort(${JSON.stringify({ go, isReplacing: false })})`)
  // Answered behind those, so they were heard.
  await say({ id: 9005, call: 'GET /Scan/list', path: '/Scan/list' })
  expect(page.url().endsWith('/audit'), 'the page stays where it is')
  await goTo(page, 'User')
  await waitForHeading(page, 'Users')
  await page.close()
  const count = Object.keys(attempts).length
  return `${count} attempts of a hostile release were refused, and so were calls and addresses of others.`
}

/** A bad release, which is live, leaves a card with a way out, and the page around it goes on. */
export async function leavesACard(
  context: BrowserContext,
  way: string,
  { says, isInFrame }: BadGuest,
): Promise<string> {
  const page = await context.newPage()
  await page.goto('/audit')
  // Where the part could say so itself, in its frame.
  const place = isInFrame ? findGuest(page) : page.getByRole('main')
  const card = place.getByRole('alert').filter({ hasText: `${title} cannot be shown right now` })
  await card.waitFor({ timeout: 40_000 })
  const text = await card.innerText()
  expect(text.includes(says), `a part that ${way} gets the card of ${says}: ${text}`)
  await card.getByRole('button', { name: 'Try again' }).waitFor()
  await goTo(page, 'User')
  await waitForHeading(page, 'Users')
  await page.close()
  return `A release that ${way} leaves a card (${says}) with a way out, and the page around goes on.`
}
