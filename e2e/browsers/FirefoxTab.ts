import { createHash } from 'node:crypto'
import { launch, type BrowserContext, type Page } from 'puppeteer-core'
import type { OpenBrowser } from './run.ts'
import { Tab } from './Tab.ts'

/** The hash of nothing: Firefox says of scripts that leaving a page cuts off that theirs is not the one expected. */
const ofNothing = createHash('sha384').digest('base64')

/** By puppeteer-core and WebDriver BiDi, which is how Firefox is driven as people have it. */
class FirefoxTab extends Tab {
  readonly #page: Page
  readonly #context: BrowserContext

  constructor(page: Page, context: BrowserContext, address: string) {
    super(address)
    this.#page = page
    this.#context = context
    page.setDefaultTimeout(120_000)
    page.on('pageerror', (error) => {
      const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)
      if (!text.includes(ofNothing)) this.errors.push(text)
    })
  }

  async open(path: string): Promise<void> {
    await this.#page.goto(new URL(path, this.address).href, { waitUntil: 'domcontentloaded' })
  }

  async reload(): Promise<void> {
    await this.#page.reload()
  }

  async click(name: string): Promise<void> {
    await this.#page.locator(`::-p-aria([name="${name}"][role="button"])`).click()
  }

  async fill(selector: string, value: string): Promise<void> {
    await this.#page.locator(selector).fill(value)
  }

  async upload(selector: string, path: string): Promise<void> {
    const input = await this.#page.waitForSelector(selector)
    await (input as unknown as { uploadFile(...paths: string[]): Promise<void> }).uploadFile(path)
  }

  read<A extends unknown[], T>(work: (...values: A) => T | Promise<T>, ...values: A): Promise<T> {
    return this.#page.evaluate(work as (...values: unknown[]) => T | Promise<T>, ...values)
  }

  async readElement<E extends Element, T>(selector: string, work: (element: E) => T): Promise<T> {
    return (await this.#page.$eval(selector, work as unknown as (element: Element) => T)) as T
  }

  async waitUntil<A extends unknown[]>(work: (...values: A) => boolean, ...values: A): Promise<void> {
    await this.#page.waitForFunction(work as (...values: unknown[]) => boolean, {}, ...values)
  }

  async close(): Promise<void> {
    await this.#context.close()
  }
}

export const openFirefox: OpenBrowser = async (executablePath, address) => {
  const browser = await launch({ browser: 'firefox', executablePath })
  return {
    another: async () => {
      const context = await browser.createBrowserContext()
      return new FirefoxTab(await context.newPage(), context, address)
    },
    close: () => browser.close(),
  }
}
