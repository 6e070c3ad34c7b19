import { createHash } from 'node:crypto'
import type { Page } from 'puppeteer-core'
import { account, type Who } from '../support/accounts.ts'

/** The hash of nothing: Firefox says of scripts that leaving a page cuts off that theirs is not the one expected. */
const ofNothing = createHash('sha384').digest('base64')

/** A tab of Firefox, and all that went wrong in it. */
export class FirefoxPage {
  readonly page: Page
  readonly address: string
  readonly errors: string[] = []

  constructor(page: Page, address: string) {
    this.page = page
    this.address = address
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => {
      const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)
      if (!text.includes(ofNothing)) this.errors.push(text)
    })
  }

  async open(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.address).href, { waitUntil: 'domcontentloaded' })
  }

  /** By role and name, as a person with a screen reader finds it. */
  async click(name: string, role = 'button'): Promise<void> {
    await this.page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click()
  }

  async fill(name: string, value: string): Promise<void> {
    await this.page.locator(`::-p-aria([name="${name}"][role="textbox"])`).fill(value)
  }

  async sees(text: string): Promise<void> {
    await this.page.waitForFunction((wanted) => document.body.innerText.includes(wanted), {}, text)
  }

  async isAt(path: string): Promise<void> {
    await this.page.waitForFunction((wanted) => location.pathname === wanted, {}, path)
  }

  async signIn(who: Who): Promise<void> {
    const { email, password } = account(who)
    await this.open('/login')
    await this.page.locator('input[type="email"]').fill(email)
    await this.page.locator('input[type="password"]').fill(password)
    await this.click('Submit')
    await this.isAt('/dashboard')
    await this.page.waitForSelector('h1')
  }
}
