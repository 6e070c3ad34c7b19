import { account, type Who } from '../support/accounts.ts'

/** A tab in a session of its own, in whatever browser, and all that went wrong in it. */
export abstract class Tab {
  readonly address: string
  readonly errors: string[] = []

  constructor(address: string) {
    this.address = address
  }

  /** Opens a path of the product, or a whole address. */
  abstract open(path: string): Promise<void>
  abstract reload(): Promise<void>
  /** Clicks the button that a person with a screen reader finds by this name. */
  abstract click(name: string): Promise<void>
  abstract fill(selector: string, value: string): Promise<void>
  abstract upload(selector: string, path: string): Promise<void>
  /** What the function answers in the page, which it takes everything from. */
  abstract read<A extends unknown[], T>(work: (...values: A) => T | Promise<T>, ...values: A): Promise<T>
  /** The same of one element. */
  abstract readElement<E extends Element, T>(selector: string, work: (element: E) => T): Promise<T>
  /** Waits until the function answers true in the page. */
  abstract waitUntil<A extends unknown[]>(work: (...values: A) => boolean, ...values: A): Promise<void>
  abstract close(): Promise<void>

  waitFor(selector: string): Promise<void> {
    return this.waitUntil((wanted) => document.querySelector(wanted) !== null, selector)
  }

  sees(text: string): Promise<void> {
    return this.waitUntil((wanted) => document.body.innerText.includes(wanted), text)
  }

  isAt(path: string): Promise<void> {
    return this.waitUntil((wanted) => location.pathname === wanted, path)
  }

  async signIn(who: Who): Promise<void> {
    const { email, password } = account(who)
    await this.open('/login')
    await this.fill('input[type="email"]', email)
    await this.fill('input[type="password"]', password)
    await this.click('Submit')
    await this.isAt('/dashboard')
    await this.waitFor('h1')
  }
}
