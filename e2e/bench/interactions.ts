import { join } from 'node:path'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright'
import { signIn } from './openPages.ts'
import { traceStep } from './traceStep.ts'

export const kinds = ['sort', 'page', 'select', 'menu', 'search'] as const
export type Kind = (typeof kinds)[number]

/** What one press leads to. */
export interface Interaction {
  /** From the press to the next frame that is drawn (Event Timing, in steps of 8 ms); 0 below 16. */
  readonly nextPaintMs: number
  /** From the press until what was asked for was drawn: the rows, the tick, the menu. */
  readonly resultMs: number
  /** Of it, until the server was asked, and until its answer was there. */
  readonly askedMs: number
  readonly serverMs: number
}

export interface Step {
  readonly kind: Kind
  /** A column, the place of a row, or a key. */
  readonly on: string
}

/** As often each: sorted both ways, a page on, a row ticked, the menu opened, a letter typed and taken back. */
export function listSteps(count: number): Step[] {
  const columns = ['Patient Name', 'Description', 'Acquisition Date', 'SeriesUID']
  const letters = ['k', 'h', 's', 'a', 't', 'l']
  const blocks = Array.from({ length: Math.ceil(count / 10) }, (_, block): Step[] => {
    const half = (key: string, row: string): Step[] => [
      { kind: 'sort', on: columns[block % columns.length] ?? '' },
      { kind: 'page', on: '' },
      { kind: 'select', on: row },
      { kind: 'menu', on: '' },
      { kind: 'search', on: key },
    ]
    return [...half(letters[block % letters.length] ?? '', '2'), ...half('Backspace', '4')]
  })
  return blocks.flat().slice(0, count)
}

/**
 * `clock`: with a processor that is four times slower, by the clock on the wall; or four times what the main thread
 * worked, whatever else the machine does.
 */
export const clocks = ['clock', 'processor'] as const
export type Clock = (typeof clocks)[number]

export interface MeasuredList {
  take(step: Step): Promise<Interaction>
  end(): Promise<void>
}

interface Marks {
  readonly header: string
  readonly next: string
  readonly checkbox: string
  readonly menu: string
  readonly search: string
}

const inOurs: Marks = {
  header: 'th button',
  next: 'nav[aria-label="Pages"] button >> text="Next"',
  checkbox: 'tr[data-key] input[type="checkbox"]',
  menu: 'button[aria-haspopup="menu"] >> text="Filters"',
  search: 'input[type="search"]',
}
const inTheirs: Marks = {
  header: 'th.ant-table-column-has-sorters',
  next: '.ant-pagination-next button',
  checkbox: 'tr[data-row-key] input[type="checkbox"]',
  menu: 'button.filters',
  search: 'input.search',
}

const slowdown = 4
const patience = { timeout: 120_000 }

interface Where {
  readonly url: string
  readonly path: string
  readonly clock: Clock
}

export async function openOurList(browser: Browser, where: Where): Promise<MeasuredList> {
  const context = await openContext(browser, where)
  await signIn(context, 'admin')
  return openList(context, where, inOurs)
}

export const openTheirList = async (browser: Browser, where: Where): Promise<MeasuredList> =>
  openList(await openContext(browser, where), where, inTheirs)

const openContext = (browser: Browser, { url }: Where): Promise<BrowserContext> =>
  browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })

async function openList(context: BrowserContext, { path, clock }: Where, marks: Marks): Promise<MeasuredList> {
  await context.addInitScript({ path: join(import.meta.dirname, 'interactions.browser.js') })
  const page = await context.newPage()
  await page.goto(path, patience)
  await page.locator(marks.checkbox).nth(9).waitFor(patience)
  // What a page does when nobody waits for it.
  await page.waitForTimeout(4000)
  const session = await context.newCDPSession(page)
  if (clock === 'clock') await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return {
    take: async (step) => {
      await prepare(page, marks, step)
      const interaction = clock === 'clock' ? await take(page, step) : await takeTraced(page, session, step)
      if (step.kind === 'menu') {
        // Closed by the same button.
        await press(page)
        await page.waitForTimeout(500)
      }
      return interaction
    },
    end: () => context.close(),
  }
}

const changes: Readonly<Record<Kind, string>> = {
  sort: 'rows',
  page: 'rows',
  search: 'rows',
  select: 'selected',
  menu: 'menus',
}

async function prepare(page: Page, marks: Marks, { kind, on }: Step): Promise<void> {
  const target = {
    sort: () => page.locator(marks.header).filter({ hasText: on }).first(),
    page: () => page.locator(marks.next),
    select: () => page.locator(marks.checkbox).nth(Number(on)),
    menu: () => page.locator(marks.menu),
    search: () => page.locator(marks.search),
  }[kind]()
  await (kind === 'search' ? target.focus() : target.hover(patience))
  // What the pointer does to the row that it comes over is not part of the press.
  await page.waitForTimeout(300)
}

async function take(page: Page, { kind, on }: Step): Promise<Interaction> {
  await page.evaluate(`bench.begin('${changes[kind]}')`)
  await (kind === 'search' ? page.keyboard.press(on) : press(page))
  return page.evaluate<Interaction>(
    `Promise.race([bench.end(), new Promise((_done, fail) => setTimeout(fail, ${patience.timeout}, new Error('Nothing changed.')))])`,
  )
}

async function takeTraced(page: Page, session: CDPSession, step: Step): Promise<Interaction> {
  const { value, traced } = await traceStep(session, () => take(page, step))
  return { ...value, nextPaintMs: traced.nextPaintMs * slowdown, resultMs: traced.resultMs * slowdown }
}

/** Where the pointer is: nothing of the page is asked meanwhile. */
async function press(page: Page): Promise<void> {
  await page.mouse.down()
  await page.mouse.up()
}
